"""Completion in comments that suppress diagnostics: their forms, and the names of rules."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from ptx_ls.features.completion.complete_item import CompletionItem, Completions, ItemKind
from ptx_ls.lint.rule_names import groups_of_rules
from ptx_ls.lint.suppression.forms import SuppressionForm
from ptx_ls.lint.suppression.function_comments import suppression_at
from ptx_ls.source import Position, Range

if TYPE_CHECKING:
    from collections.abc import Mapping

    from ptx_ls.document.document import Document

_NOTHING: Final = Completions(())
_FORMS: Final = {
    SuppressionForm.LINE: "this line, or the next statement",
    SuppressionForm.FUNCTION: "this function, or the next one",
    SuppressionForm.FILE: "the whole file",
    SuppressionForm.START: "all lines from here on",
    SuppressionForm.END: "the end of the lines after ignore-start",
}


def suppressions(document: Document, position: Position) -> Completions:
    """Returns what may be typed in a comment for ptx-ls at a position; nothing in other text."""
    position = document.clamped(position)
    comment = suppression_at(document, position)
    if comment is None:
        return _NOTHING
    word, column = comment.word, position.column
    if word.start <= column <= word.end:
        about = {form.value: text for form, text in _FORMS.items()}
        return _items(position, word.start, about, "")
    if comment.inside is None or not comment.inside[0] <= column <= comment.inside[1]:
        return _NOTHING
    start = comment.inside[0]
    typed = document.lines[position.line][start:column].rpartition(",")[2].lstrip()
    listed = {each.name for each in comment.listed or () if not each.start <= column <= each.end}
    groups = groups_of_rules()
    return _items(
        position,
        column - len(typed),
        {name: f"rule about {groups[name]}" for name in sorted(groups.keys() - listed)},
        "rule ",
    )


def _items(position: Position, start: int, about: Mapping[str, str], data: str) -> Completions:
    area = Range(Position(position.line, start), position)
    return Completions(
        tuple(
            [
                CompletionItem(
                    name,
                    ItemKind.VALUE,
                    area,
                    name,
                    detail=text,
                    sort=f"{number:03}",
                    data=f"{data}{name}" if data else "",
                )
                for number, (name, text) in enumerate(about.items())
            ]
        )
    )
