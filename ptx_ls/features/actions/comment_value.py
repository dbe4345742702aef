"""Writes the meaning of a number or a name as a comment at the end of its line."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from ptx_ls.features.actions.action import Action, ActionKind, edit_once
from ptx_ls.features.cursor import At, cursor
from ptx_ls.features.hover.numbers.immediates import meaning
from ptx_ls.features.hover.numbers.literals import short
from ptx_ls.semantics.demangle import demangled
from ptx_ls.source import Position, Range
from ptx_ls.source.lines import content_length
from ptx_ls.syntax.record import Kind

if TYPE_CHECKING:
    from collections.abc import Iterator

    from ptx_ls.features.cursor import Cursor
    from ptx_ls.semantics.analysis import Analysis

_MAX_VALUE_LENGTH: Final = 200


def actions(analysis: Analysis, selection: Range) -> Iterator[Action]:
    """Yields a comment on the number or name at the cursor, at the end of its line."""
    under = cursor(analysis, selection.start)
    text = _decoded(analysis, under) if under is not None else ""
    if (
        under is None
        or not text
        or len(text) > _MAX_VALUE_LENGTH
        or "*/" in text
        or not text.isprintable()
    ):
        return
    line = analysis.document.lines[under.range.end.line]
    end = Position(under.range.end.line, content_length(line))
    if text in line[under.range.end.column :]:
        return
    written = f", {text}" if "//" in line else f" // {text}"
    title = f"Insert as a comment: `{text}`"
    yield Action(title, ActionKind.REWRITE, edit_once(Range(end, end), written))


def _decoded(analysis: Analysis, under: Cursor) -> str:
    if under.at is At.NAME:
        return demangled(under.text) or ""
    if under.at is not At.NUMBER:
        return ""
    found = _operand(analysis, under) if under.statement.record.kind is Kind.INSTRUCTION else ""
    return found or short(under.text) or ""


def _operand(analysis: Analysis, under: Cursor) -> str:
    """Returns the meaning of a constant for its instruction; "" if that takes several lines."""
    judged = analysis.instruction(under.statement)
    if judged is None:
        return ""
    for number, operand in enumerate(judged.operands):
        place = under.statement.range(operand.start, operand.end)
        if place.start <= under.range.start and under.range.end <= place.end:
            found = meaning(judged, number).replace("`", "")
            return "" if "\n" in found else found
    return ""
