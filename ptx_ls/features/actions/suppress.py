"""Suppresses a diagnostic by a comment; see docs/rules."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from ptx_ls.document.statements import statements_on
from ptx_ls.features.actions.action import margin
from ptx_ls.lint.suppression import comment, extended
from ptx_ls.source import Position, Range, TextEdit
from ptx_ls.source.lines import content_length

if TYPE_CHECKING:
    from ptx_ls.semantics.analysis import Analysis
    from ptx_ls.source import Diagnostic

_MAX_LINE_WIDTH: Final = 100


def suppression(analysis: Analysis, found: Diagnostic) -> TextEdit:
    """Returns the edit that suppresses a diagnostic.

    A comment that already suppresses rules gets one more. Otherwise, a comment goes to the end of
    the line, or above it if the line would become long and begins with a statement.
    """
    lines = analysis.document.lines
    number = min(found.range.start.line, len(lines) - 1)
    for near in (number, number - 1):
        if near < 0 or (near < number and not lines[near].lstrip().startswith("//")):
            continue
        longer = extended(lines[near], found.rule)
        if longer is not None:
            start, end, names = longer
            return TextEdit(Range.on_line(near, start, end), names)
    text, note = lines[number], comment(found.rule)
    end = content_length(text)
    if len(text[:end].expandtabs()) + len(note) >= _MAX_LINE_WIDTH and _begins_with_statement(
        analysis, number
    ):
        place = Position(number, 0)
        ending = text[end:] or "\n"
        return TextEdit(Range(place, place), f"{margin(text)}{note}{ending}")
    place = Position(number, end)
    return TextEdit(Range(place, place), f" {note}" if text[:end].strip() else note)


def _begins_with_statement(analysis: Analysis, line: int) -> bool:
    """Whether a statement begins on a line, at its indentation."""
    first = next(statements_on(analysis.document, line), None)
    place = Position(line, len(margin(analysis.document.lines[line])))
    return first is not None and first.start == place
