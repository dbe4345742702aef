"""Go to the source that PTX was compiled from: the files that `.loc` and `.file` name.

Nothing here checks whether a file exists; a caller may fall back to the `.file` directive.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from ptx_ls.features.cursor import At, cursor
from ptx_ls.features.navigation import source_files
from ptx_ls.source import Position, Range
from ptx_ls.source.lines import content_length
from ptx_ls.syntax.record import Kind
from ptx_ls.syntax.written.source_locations import file_in, locations

if TYPE_CHECKING:
    from ptx_ls.document.document import Document
    from ptx_ls.features.cursor import Cursor
    from ptx_ls.semantics.analysis import Analysis


@dataclass(frozen=True, slots=True)
class SourcePlace:
    """A place in a source file. `name` is the file as PTX has it, relative or absolute.

    `line` and `column` start at 0. `origin` is the text that names it; `directive` is the `.file`
    that gives the file its number, None for that directive itself or if it was not found.
    """

    origin: Range
    name: str
    line: int
    column: int
    directive: Range | None = None


def source_place(analysis: Analysis, position: Position) -> SourcePlace | None:
    """Returns the place that the `.loc` or `.file` at a position names; None if there is none."""
    under = cursor(analysis, position)
    if under is None or under.at not in (At.NUMBER, At.STRING, At.DOTTED, At.WORD):
        return None
    if under.statement.record.kind is Kind.LOCATION:
        return _of_location(analysis, under)
    file = file_in(under.statement.text)
    return SourcePlace(under.range, file.name, 0, 0) if file is not None else None


def _of_location(analysis: Analysis, under: Cursor) -> SourcePlace | None:
    """Returns the place of the numbers at or before the cursor, or else of the first numbers."""
    statement = under.statement
    found = list(locations(statement.text))
    if not found:
        return None
    offset = under.range.start.column - statement.start.column
    before = [each for each in found if each.start <= offset] or found[:1]
    if under.text == "inlined_at":
        before = found
    named = before[-1]
    directive = source_files.directive_of(analysis.document, named.file)
    if directive is None:
        return None
    at, name = directive
    text = analysis.document.lines[at]
    place = Range(Position(at, 0), Position(at, content_length(text)))
    origin = under.range
    is_on_line = statement.start.line == under.range.start.line
    if is_on_line and named.start <= offset < named.stop:
        base = statement.start.column
        origin = Range.on_line(statement.start.line, base + named.start, base + named.stop)
    return SourcePlace(origin, name, max(0, named.line - 1), max(0, named.column - 1), place)


def location_above(document: Document, line: int) -> SourcePlace | None:
    """Returns the source of a line: the place of the nearest `.loc` above, or on it.

    Returns None if the function has no `.loc` there, or if no `.file` has its number.
    """
    start = document.located_on(line).first_line
    for number in range(min(line, len(document.lines) - 1), start - 1, -1):
        text = document.lines[number]
        if ".loc" not in text or document.records[number].kind is not Kind.LOCATION:
            continue
        named = next(locations(text), None)
        directive = source_files.directive_of(document, named.file) if named is not None else None
        if named is None or directive is None:
            return None
        origin = Range.on_line(number, named.start, named.stop)
        line, column = max(0, named.line - 1), max(0, named.column - 1)
        return SourcePlace(origin, directive[1], line, column)
    return None
