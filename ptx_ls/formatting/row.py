"""Rows: lines as they are to be, in parts that are still to be aligned."""

from __future__ import annotations

from enum import Enum, auto
from typing import NamedTuple


class Role(Enum):
    """What a row is among others, for blank lines and alignment."""

    CODE = auto()
    HEAD = auto()
    """The first row of a function that has a body."""
    LABEL = auto()
    OPEN = auto()
    CLOSE = auto()
    END = auto()
    """The brace that ends a function or section."""
    COMMENT = auto()
    KEPT = auto()
    """A line that stays as it is, margin included."""


class LayoutRow(NamedTuple):
    """A line without its end.

    `guard` and `head` are what stands before the operands, where those are aligned; else both are
    empty and `operands` is all. `comment` is what stands behind the code, `n_blank` the number of
    blank lines before it in its unit.
    """

    level: int
    role: Role
    operands: str
    head: str = ""
    guard: str = ""
    comment: str = ""
    n_blank: int = 0
