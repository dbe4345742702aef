"""Completion of labels that branches name and nobody has put anywhere yet."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

from ptx_ls.features.completion.complete_item import CompletionItem, ItemKind
from ptx_ls.syntax.names import NAME_BEGINS, NAME_CHARACTERS

if TYPE_CHECKING:
    from ptx_ls.features.completion.typing_place import TypingPlace
    from ptx_ls.semantics.analysis import Analysis

_MAX_LINES_AWAY: Final = 200
"""Lines of the function that are looked at, above and below."""
_MAX_LINE_LENGTH: Final = 1000
_TARGETS: Final = re.compile(rf"{NAME_BEGINS}bra(?:\.uni)?\s+({NAME_CHARACTERS})", re.ASCII).findall


def missing(analysis: Analysis, place: TypingPlace) -> list[str]:
    """The labels that are missing in the function at a place, the nearest above first."""
    document, line = analysis.document, place.range.start.line
    located = document.located_on(line)
    start = max(located.first_line, line - _MAX_LINES_AWAY)
    stop = min(located.stop_line, line + _MAX_LINES_AWAY)
    around = [*reversed(document.lines[start:line]), *document.lines[line + 1 : stop]]
    found: dict[str, None] = {}
    for text in around:
        if "bra" in text and len(text) < _MAX_LINE_LENGTH:
            found.update(dict.fromkeys(_TARGETS(text.partition("//")[0])))
    return [name for name in found if analysis.lookup(name, place.range.start) is None]


def declarations(analysis: Analysis, place: TypingPlace) -> list[CompletionItem]:
    """The missing labels with their colons, for the beginning of a statement."""
    return [
        CompletionItem(
            f"{name}:",
            ItemKind.LABEL,
            place.range,
            f"{name}:",
            detail="a branch goes here",
            sort=f"0{name}",
        )
        for name in missing(analysis, place)
    ]


def targets(analysis: Analysis, place: TypingPlace) -> list[CompletionItem]:
    """The missing labels that other branches name already, for one more branch."""
    return [
        CompletionItem(
            name,
            ItemKind.LABEL,
            place.range,
            name,
            detail="label of another branch, still missing",
            sort=f"1{number:04}",
        )
        for number, name in enumerate(missing(analysis, place))
    ]
