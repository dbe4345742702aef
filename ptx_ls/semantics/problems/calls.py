"""Mismatches of calls, as data without words."""

from enum import Enum, auto
from typing import NamedTuple

from ptx_ls.document.coordinates import FUNCTION_START, FunctionPosition
from ptx_ls.semantics.symbols.symbols import Symbol


class CallFault(Enum):
    """Why a call does not fit its function."""

    RESULTS = auto()
    ARGUMENTS = auto()
    AT_LEAST = auto()
    """Too few arguments before the variable ones."""
    SIZE = auto()
    TYPE = auto()
    SHAPE = auto()
    """An array for a single value, or the other way round."""
    ALIGNMENT = auto()
    OPERAND = auto()
    """Not an argument at all: a variable of another state space, a label."""
    HANDED_ON = auto()
    """The caller's own parameter in .param, passed on."""
    IGNORED = auto()
    """`_` for an argument; only a result may be ignored."""
    TABLE = auto()
    """A table of functions without any in it."""
    PREDICATE = auto()
    """A predicate, which the calling convention cannot pass. ptxas generates no code."""


class BadCall(NamedTuple):
    """A call that does not fit.

    `found` and `wanted`: counts, or sizes and alignments in bytes, of `argument`; of TYPE and
    SHAPE the types are in `found_type` and `wanted_type`. `symbol` is the function, or the
    parameter that does not fit; `is_near`: it is in this function. `operands`: where those of the
    call begin.
    """

    symbol: Symbol
    fault: CallFault
    start: FunctionPosition
    end: FunctionPosition
    found: int = 0
    wanted: int = 0
    argument: str = ""
    found_type: str = ""
    wanted_type: str = ""
    is_near: bool = False
    operands: FunctionPosition = FUNCTION_START
