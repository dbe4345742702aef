"""A function where it is in a document, and what follows from that for places in it."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from ptx_ls.document.braces import braces
from ptx_ls.document.coordinates import Extent, FunctionPosition, inwards, outwards
from ptx_ls.source import Position, Range

if TYPE_CHECKING:
    from collections.abc import Iterator

    from ptx_ls.document.chunk import Chunk
    from ptx_ls.document.function import Function
    from ptx_ls.syntax.record import Kind


class LocatedFunction(NamedTuple):
    """A function of a document with its number and where it starts.

    `stop_line`: the line on which the next one starts, or the one after the last of the document.
    A line that functions share is thus of the last one that starts on it.
    """

    number: int
    function: Function
    start: Position
    stop_line: int

    @property
    def head(self) -> Kind | None:
        """The kind of its head; None for what precedes the first head."""
        return self.function.head

    @property
    def first_line(self) -> int:
        """The line on which it starts."""
        return self.start.line

    @property
    def last_line(self) -> int:
        """The last line that it has text on, which others may share."""
        end = self.position(FunctionPosition(self.function.extent))
        return end.line if end.column or end == self.start else end.line - 1

    @property
    def close(self) -> int | None:
        """The line of the brace that ends its body; None while it is missing."""
        row = braces(self.function).close
        return None if row is None else self.start.line + row

    @property
    def n_lines(self) -> int:
        """How many lines it has, but for one that it shares with the next one."""
        return self.stop_line - self.start.line

    def level(self, line: int) -> int:
        """How many of its braces are open where a line of the document begins."""
        return braces(self.function).level(line - self.start.line)

    def chunks(self) -> Iterator[tuple[Position, Chunk]]:
        """Its chunks, each with its start in the document."""
        start = Extent(*self.start)
        for chunk in self.function.leaves():
            yield Position(*start), chunk
            start = start.plus(chunk.extent)

    def position(self, place: FunctionPosition) -> Position:
        """The position in the document of a place in the function."""
        return Position(*outwards(place, Extent(*self.start)))

    def range(self, start: FunctionPosition, end: FunctionPosition) -> Range:
        """The range in the document between two places in the function."""
        return Range(self.position(start), self.position(end))

    def place(self, position: Position) -> FunctionPosition:
        """The place in the function of a position in the document."""
        return FunctionPosition(inwards(position, Extent(*self.start)))
