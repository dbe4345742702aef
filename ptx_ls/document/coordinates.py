"""Places in a function and in a chunk, each with its own type.

A node does not know where it is, so an edit elsewhere does not change it. Lines and columns start
at 0; columns are in code points. `source.Position` is a place in a document; `syntax/offsets.py`
has those in a run and in a statement.

Only a type checker sees these types: at run time they are pairs. `outwards` and `inwards` return
plain pairs, as only their callers know the type of the result.
"""

from __future__ import annotations

from typing import Final, NewType, TypeAlias

from ptx_ls.source.named_tuple import NamedTuple


class Extent(NamedTuple):
    """The size of a text: its number of line ends, and of characters after the last one."""

    lines: int
    columns: int

    def plus(self, further: Extent) -> Extent:
        """Returns the extent of a text of this extent followed by another one."""
        columns = further.columns if further.lines else self.columns + further.columns
        return Extent(self.lines + further.lines, columns)


NOTHING = Extent(0, 0)
"""The extent of an empty text."""


FunctionPosition = NewType("FunctionPosition", tuple[int, int])
"""A place between two characters: row and column, counted from the start of a function."""
ChunkPosition = NewType("ChunkPosition", tuple[int, int])
"""The same, counted from the start of a chunk, or of the first of several chunks."""
FunctionSpan: TypeAlias = tuple[FunctionPosition, FunctionPosition]
"""A start and an end in a function."""

FUNCTION_START: Final = FunctionPosition((0, 0))


def on_row(row: int, start: int, end: int) -> FunctionSpan:
    """Returns the span of the columns [start, end) of a row of a function."""
    return FunctionPosition((row, start)), FunctionPosition((row, end))


def outwards(place: tuple[int, int], start: Extent) -> tuple[int, int]:
    """Converts a place in a part to a place in the text that contains the part at `start`."""
    line, column = place
    return line + start.lines, column if line else column + start.columns


def inwards(place: tuple[int, int], start: Extent) -> tuple[int, int]:
    """Converts a place in a text to a place in the part at `start`, which must not be after it."""
    line, column = place
    within = line - start.lines
    return within, column if within else column - start.columns
