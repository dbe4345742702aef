"""Items of long answers as JSON that can be moved to other lines, to be kept across edits.

An edit that inserts a line moves everything below. Then only the numbers of lines are written
again, which takes a tenth of the time of encoding the items.
"""

from __future__ import annotations

import json
from array import array
from typing import TYPE_CHECKING, Any

from ptx_ls.document.parts import parts
from ptx_ls.source.columns import to_units
from ptx_ls.source.named_tuple import NamedTuple

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Sequence

    from ptx_ls.document.document import Document
    from ptx_ls.document.parts import Part
    from ptx_ls.source import Position, Range
    from ptx_ls.source.columns import ColumnUnit


class LineRows(NamedTuple):
    """Items of a list about a part of a document, as JSON without the numbers of lines.

    Attributes:
        layouts: the items, one in each line of text, with `%d` for each number of a line.
        lines: these numbers, counted from the first line of the part.
        marks: a property of each item, by which some are chosen.
        n_nested: the number of symbols within functions, as in `Outline`.
    """

    layouts: tuple[str, ...]
    lines: array[int]
    marks: tuple[Any, ...]
    n_nested: int


def joined(parts: Iterable[tuple[int, LineRows]]) -> LineRows:
    """Joins the items of parts, given with their first lines."""
    layouts, lines, marks = list[str](), array("L"), list[Any]()
    n_nested = 0
    for first_line, rows in parts:
        layouts += rows.layouts
        lines.extend(map(first_line.__add__, rows.lines))
        marks += rows.marks
        n_nested += rows.n_nested
    return LineRows(tuple(layouts), lines, tuple(marks), n_nested)


def items_of(rows: LineRows) -> list[str]:
    """Returns the items of a whole document as JSON."""
    return ("\n".join(rows.layouts) % tuple(rows.lines)).split("\n") if rows.layouts else []


def limited(
    document: Document, most: int, rows_of: Callable[[Part, int], LineRows]
) -> Iterator[tuple[int, LineRows]]:
    """Yields the items of the parts of a document, each with the first line of the part.

    Once `most` symbols within functions are listed, only those outside are. `rows_of` returns the
    items of a part, with at most the given number of symbols within functions. For one function,
    this number is 0 or 1, because the limit applies between functions; so it seldom changes.
    """
    left = most
    for group in parts(document):
        for part in group.divided() if left > 0 else (group,):
            rows = rows_of(part, int(left > 0) if part.is_single else max(0, left))
            yield part.first_line, rows
            left -= rows.n_nested


class RowWriter:
    """Writes items about a document, with `%d` for the numbers of lines."""

    def __init__(self, document: Document, unit: ColumnUnit) -> None:
        self._text, self._unit = document.lines, unit
        self._numbers = array("L")

    def line(self, number: int) -> str:
        """Writes the number of a line."""
        self._numbers.append(number)
        return "%d"

    def range(self, area: Range) -> str:
        """Writes a range."""
        return f'{{"start": {self._position(area.start)}, "end": {self._position(area.end)}}}'

    def _position(self, place: Position) -> str:
        column = to_units(self._text[place.line], place.column, self._unit)
        return f'{{"line": {self.line(place.line)}, "character": {column}}}'

    def rows(self, items: Iterable[str], marks: Sequence[Any] = (), n_nested: int = 0) -> LineRows:
        """Returns the items, which are all that has been written, in this order."""
        text = "\n".join(items)  # first, as items may be written only now
        return LineRows((text,) if text else (), self._numbers, tuple(marks), n_nested)


def constant(value: object) -> str:
    """Writes a value without numbers of lines."""
    return json.dumps(value).replace("%", "%%")
