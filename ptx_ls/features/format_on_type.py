"""Formats while the user types: the statement just finished, the line just begun."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from ptx_ls.formatting.changes import LineReplacement
from ptx_ls.formatting.formatter import format_around
from ptx_ls.formatting.window import level_at
from ptx_ls.semantics.recognition import begins_as_ptx
from ptx_ls.source.lines import content_length
from ptx_ls.syntax.record import Kind, MultiLine
from ptx_ls.syntax.statements import Cutter

if TYPE_CHECKING:
    from ptx_ls.document.document import Document
    from ptx_ls.formatting import FormatStyle
    from ptx_ls.source import Position

TRIGGERS: Final = (";", "}", "\n")
"""The characters after which an editor requests formatting."""
_MAX_LEVELS: Final = 40
_MAX_STATEMENT_LINES: Final = 500
"""A new line is not indented if the statement began more lines above."""


def format_on_type(
    document: Document, position: Position, typed: str, style: FormatStyle
) -> list[LineReplacement]:
    """Returns the changes for a character of `TRIGGERS` that was typed just before a position.

    They are in the line that is finished and in the new one, which is indented. There are none in
    a text that does not begin as PTX. The time does not depend on the size of the file.
    """
    if not begins_as_ptx(document.lines, document.records):
        return []
    line = min(max(0, position.line), len(document.lines) - 1)
    if typed != "\n":
        return _finished(document, line, style)
    above = _finished(document, line - 1, style) if line else []
    return above + _begun(document, line, style)


def _finished(document: Document, line: int, style: FormatStyle) -> list[LineReplacement]:
    """Formats a line that is a run of its own and stays one line."""
    record = document.records[line]
    if document.run_at(line).start != line:
        return []
    if record.kind is Kind.BLANK:
        return _emptied(document, line)
    if isinstance(record, MultiLine) and _last_line(record) != 0:
        return []
    found = []
    for change in format_around(document, [(line, line + 1)], style):
        if change.first == line and change.stop == line + 1 and len(change.lines) == 1:
            found += _with_own_end(change, document.lines[line])
    return found


def _with_own_end(change: LineReplacement, before: str) -> list[LineReplacement]:
    """Keeps the line end of a changed line: adding one to the last line would move the cursor."""
    laid_out = change.lines[0]
    after = laid_out[: content_length(laid_out)] + before[content_length(before) :]
    return [] if after == before else [LineReplacement(change.first, change.stop, [after])]


def _emptied(document: Document, line: int) -> list[LineReplacement]:
    """Removes the white space of a blank line."""
    text = document.lines[line]
    stop = content_length(text)
    if not stop or text.strip():  # a comment
        return []
    return [LineReplacement(line, line + 1, [text[stop:]])]


def _last_line(record: MultiLine) -> int:
    """Returns the row on which the last statement of a run ends; -1 if it has none."""
    return record.pieces[-1].end[0] if record.pieces else -1


def _begun(document: Document, line: int, style: FormatStyle) -> list[LineReplacement]:
    """Indents a new line; formats it if it has text."""
    text = document.lines[line]
    stop = content_length(text)
    if text[:stop].strip():
        return _finished(document, line, style)
    level = _level(document, line)
    if level is None:
        return []
    margin = style.margin(min(level, _MAX_LEVELS))
    if text[:stop] == margin:
        return []
    return [LineReplacement(line, line + 1, [margin + text[stop:]])]


def _level(document: Document, line: int) -> int | None:
    """Returns the level of a blank line; None in a comment, or deep in a long statement."""
    start = document.run_at(line).start
    record = document.records[line]
    if not isinstance(record, MultiLine) or start == line:
        return level_at(document, line)
    if line - start > _MAX_STATEMENT_LINES or _is_in_comment(document.lines[start:line]):
        return None
    if not record.problems and line - start > _last_line(record):
        return level_at(document, document.run_at(line).stop)
    return level_at(document, start) + 1


def _is_in_comment(lines: list[str]) -> bool:
    """Whether a comment or raw text is still open after the first lines of a run."""
    cutter = Cutter()
    while cutter.n_lines < len(lines):
        cutter.feed(lines[cutter.n_lines])
    return cutter.is_in_comment
