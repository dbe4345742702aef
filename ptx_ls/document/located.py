"""A function with its place in a document, to convert places between the two."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ptx_ls.document.braces import braces
from ptx_ls.document.coordinates import Extent, FunctionPosition, inwards, outwards
from ptx_ls.source import Position, Range
from ptx_ls.source.named_tuple import NamedTuple

if TYPE_CHECKING:
    from collections.abc import Iterator

    from ptx_ls.document.chunk import Chunk
    from ptx_ls.document.function import Function
    from ptx_ls.syntax.record import Kind


class LocatedFunction(NamedTuple):
    """A function of a document with its number and its start.

    `stop_line`: the line on which the next function starts, or the line after the last one. So a
    line that functions share belongs to the last function that starts on it.
    """

    number: int
    function: Function
    start: Position
    stop_line: int

    @property
    def head(self) -> Kind | None:
        """The kind of its head; None for the lines before the first head."""
        return self.function.head

    @property
    def first_line(self) -> int:
        """The line on which it starts."""
        return self.start.line

    @property
    def last_line(self) -> int:
        """The last line with some of its text; other functions may share the line."""
        end = self.position(FunctionPosition(self.function.extent))
        return end.line if end.column or end == self.start else end.line - 1

    @property
    def close(self) -> int | None:
        """The line of the brace that ends its body; None if it is missing."""
        row = braces(self.function).close
        return None if row is None else self.start.line + row

    @property
    def n_lines(self) -> int:
        """The number of its lines, without a last line that it shares with the next function."""
        return self.stop_line - self.start.line

    def level(self, line: int) -> int:
        """Returns the number of its braces that are open at the start of a line of the document."""
        return braces(self.function).level(line - self.start.line)

    def chunks(self) -> Iterator[tuple[Position, Chunk]]:
        """Yields its chunks, each with its start in the document."""
        start = Extent(*self.start)
        for chunk in self.function.leaves():
            yield Position(*start), chunk
            start = start.plus(chunk.extent)

    def position(self, place: FunctionPosition) -> Position:
        """Converts a place in the function to a position in the document."""
        return Position(*outwards(place, Extent(*self.start)))

    def range(self, start: FunctionPosition, end: FunctionPosition) -> Range:
        """Converts two places in the function to a range in the document."""
        return Range(self.position(start), self.position(end))

    def place(self, position: Position) -> FunctionPosition:
        """Converts a position in the document to a place in the function."""
        return FunctionPosition(inwards(position, Extent(*self.start)))
