"""Where something is in a function or a chunk; each has a type of its own.

A node does not know where it is, so an edit elsewhere moves nothing. Lines and columns count
from 0, columns in code points. `source.Position` is the place in a document,
`syntax/offsets.py` has those in a run and in a statement.

Only a type checker sees these types: at run time they are pairs. `outwards` and `inwards` are
for the nodes that know what a place counts from, and so of which kind the result is.
"""

from __future__ import annotations

from typing import Final, NamedTuple, NewType, TypeAlias


class Extent(NamedTuple):
    """How far a text reaches: its line ends, and the characters after the last one.

    A text may begin and end within a line, so extents are added as places are.
    """

    lines: int
    columns: int

    def plus(self, further: Extent) -> Extent:
        """Returns the extent of a text of this extent and one that follows it."""
        columns = further.columns if further.lines else self.columns + further.columns
        return Extent(self.lines + further.lines, columns)


NOTHING = Extent(0, 0)
"""The extent of an empty text."""


FunctionPosition = NewType("FunctionPosition", tuple[int, int])
"""A place between two characters, from the start of a function: its row and its column."""
ChunkPosition = NewType("ChunkPosition", tuple[int, int])
"""A place between two characters, from the start of a chunk, or of several read together."""
FunctionSpan: TypeAlias = tuple[FunctionPosition, FunctionPosition]
"""Where something in a function begins and ends."""

FUNCTION_START: Final = FunctionPosition((0, 0))


def on_row(row: int, start: int, end: int) -> FunctionSpan:
    """Returns the span of the columns `start` to `end` of one row of a function."""
    return FunctionPosition((row, start)), FunctionPosition((row, end))


def outwards(place: tuple[int, int], start: Extent) -> tuple[int, int]:
    """Returns a place within a part, from where the part's `start` counts."""
    line, column = place
    return line + start.lines, column if line else column + start.columns


def inwards(place: tuple[int, int], start: Extent) -> tuple[int, int]:
    """Returns a place, from the start of a part that begins at or before it."""
    line, column = place
    within = line - start.lines
    return within, column if within else column - start.columns
