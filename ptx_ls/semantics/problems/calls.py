"""Mismatches of calls, as data without words."""

from __future__ import annotations

from enum import Enum, auto

from ptx_ls.document.coordinates import FUNCTION_START, FunctionPosition
from ptx_ls.semantics.symbols.symbols import Symbol
from ptx_ls.source.named_tuple import NamedTuple


class CallFault(Enum):
    """Why a call does not match the signature of its function."""

    RESULTS = auto()
    ARGUMENTS = auto()
    AT_LEAST = auto()
    """Too few arguments before the unsized array, which takes any number of them."""
    SIZE = auto()
    TYPE = auto()
    SHAPE = auto()
    """An array instead of a single value, or the other way round."""
    ALIGNMENT = auto()
    OPERAND = auto()
    """A name that cannot be an argument, such as a label or a variable in .global."""
    HANDED_ON = auto()
    """A parameter of the caller is passed on as an argument."""
    IGNORED = auto()
    """`_` in place of an argument; only return values may be ignored."""
    TABLE = auto()
    """A table that does not consist of functions."""
    PREDICATE = auto()
    """A predicate, which the ABI cannot pass. ptxas generates no code."""


class BadCall(NamedTuple):
    """A call that does not match a signature.

    `symbol`: the function, or the parameter that `argument` does not fit; `is_near`: whether it is
    declared in this function. `found` and `wanted`: numbers of arguments, or sizes or alignments in
    bytes; for TYPE and SHAPE, the types in `found_type` and `wanted_type` instead. `operands`: the
    start of the call's operands.
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
