"""What is wrong with a module as such: parameters, places in sources, foreign lines. Facts only."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum, auto
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from ptx_ls.semantics.symbols import Symbol
    from ptx_ls.syntax.places import Place


@dataclass(frozen=True, slots=True)
class LargeParameters:
    """A kernel whose parameters take more bytes (`size`) than there are (`largest`)."""

    symbol: Symbol
    size: int
    largest: int
    start: Place
    end: Place


class LocationFault(Enum):
    """What is wrong with a `.loc`."""

    OVERFLOW = auto()
    """A number needs more than 32 bits."""
    CALLER = auto()
    """`inlined_at` names a place that no `.loc` before it has."""
    FORM = auto()
    """It has not both `function_name` and `inlined_at`, in that order, or may have neither."""
    NO_FILE = auto()
    """The module has no `.file` at all. ptxas warns."""


@dataclass(frozen=True, slots=True)
class BadLocation:
    """A `.loc` with a fault; `value` is what of it is wrong."""

    value: str
    fault: LocationFault
    start: Place
    end: Place


class LineFault(Enum):
    """What is wrong with a line for another tool."""

    MARKER = auto()
    """It begins with `#` and is no line marker of a preprocessor."""
    REMOVED = auto()
    """`@@DWARF` in a version that has `.section` instead."""
    BODY = auto()
    """`@@DWARF` in a function."""
    DATA = auto()
    """What follows `@@DWARF` is no data."""
    NO_SECTION = auto()
    """Data before the first `.section`."""
    RANGE = auto()
    """A number does not fit into the data's type."""


@dataclass(frozen=True, slots=True)
class BadLine:
    """A line for another tool that ptxas refuses; `text` is what of it is wrong."""

    text: str
    fault: LineFault
    start: Place
    end: Place


ModuleMismatch = LargeParameters | BadLocation | BadLine
