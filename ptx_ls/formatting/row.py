"""Rows: lines of the result, in parts that are aligned later."""

from __future__ import annotations

from enum import Enum, auto
from typing import Final

from ptx_ls.source.named_tuple import NamedTuple

WHITE_SPACE: Final = " \t\r\n\f\v"


class Role(Enum):
    """The role of a row among others, for blank lines and alignment."""

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
    """An unchanged line, including its margin."""


class LayoutRow(NamedTuple):
    """A line without its end.

    `guard` and `head` precede the operands if these are aligned; otherwise both are
    empty, and `operands` is all of the code. `comment` follows the code, `n_blank` is the
    number of blank lines before the line in its unit.
    """

    level: int
    role: Role
    operands: str
    head: str = ""
    guard: str = ""
    comment: str = ""
    n_blank: int = 0
