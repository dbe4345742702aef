"""Positions in a document, as lines and columns of code points."""

from __future__ import annotations

from typing import Self, TypeAlias

from ptx_ls.source.named_tuple import NamedTuple

LineSpan: TypeAlias = tuple[int, int]
"""The numbers of the first line, and of the line after the last one."""


class Position(NamedTuple):
    """A place between two characters.

    Attributes:
        line: index of the line, from 0.
        column: number of code points before the place in its line, from 0.
    """

    line: int
    column: int


class Range(NamedTuple):
    """A stretch of text, without its end: the character at `end` is not part of it."""

    start: Position
    end: Position

    @classmethod
    def on_line(cls, line: int, start: int, end: int) -> Self:
        """Returns the range of the columns `start` to `end` of one line."""
        return cls(Position(line, start), Position(line, end))
