"""Mismatches of a module as such, as data without words."""

from enum import Enum, auto
from typing import NamedTuple

from ptx_ls.document.coordinates import FunctionPosition
from ptx_ls.semantics.symbols.symbols import Symbol


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
    LABEL = auto()
    """`function_name` names no label of a section. ptxas makes no code of it."""


class BadLocation(NamedTuple):
    """A `.loc` with a fault; `value` is what of it is wrong."""

    value: str
    fault: LocationFault
    start: FunctionPosition
    end: FunctionPosition


class IgnoredFault(Enum):
    """Why ptxas passes over a directive, or changes its number."""

    NO_BLOCK = auto()
    """Nothing says how large a block is."""
    THREADS = auto()
    """So many threads are more than a multiprocessor has."""
    BLOCKS = auto()
    """So many blocks are more than a multiprocessor has."""
    MOST_REGISTERS = auto()
    FEWEST_REGISTERS = auto()
    PRAGMA = auto()
    """An unknown pragma."""
    MASK = auto()
    """A pragma without the mask that it takes."""


class IgnoredDirective(NamedTuple):
    """A directive without effect, or not with the number that it has.

    `value` is that number or what follows from it, `limit` what there is on `target`.
    """

    name: str
    fault: IgnoredFault
    start: FunctionPosition
    end: FunctionPosition
    value: int = 0
    limit: int = 0
    target: str = ""


class RefusedPragma(NamedTuple):
    """A pragma of the module that ptxas does not know, with which it compiles nothing."""

    name: str
    start: FunctionPosition
    end: FunctionPosition


class ExcessiveRelease(NamedTuple):
    """A `setmaxnreg.dec` that is to keep more registers, `kept`, than the thread has."""

    kept: int
    available: int
    start: FunctionPosition
    end: FunctionPosition


class BudgetFault(Enum):
    """Why the number of a thread's registers cannot change."""

    NO_COUNT = auto()
    """The kernel does not say how many there are when it begins."""
    DEBUG = auto()
    """The module is one to debug."""
    INDIRECT = auto()
    """The kernel calls a function through a pointer whose value is unknown."""


class IgnoredBudget(NamedTuple):
    """A `setmaxnreg` that ptxas leaves out of the code of a kernel.

    `fault` says why; `callee` is the function that has it, "" where it is the kernel itself.
    """

    fault: BudgetFault
    callee: str
    start: FunctionPosition
    end: FunctionPosition


class UnknownStack(NamedTuple):
    """A place because of which the stack size of a kernel is unknown.

    `name` is a function that may call itself if `is_recursive`, else one with an instruction that
    takes stack, or that instruction itself.
    """

    kernel: str
    name: str
    is_recursive: bool
    start: FunctionPosition
    end: FunctionPosition


class NeedsLinking(NamedTuple):
    """A directive of which ptxas makes code only in a module that is linked with others."""

    name: str
    start: FunctionPosition
    end: FunctionPosition


class Unresolved(NamedTuple):
    """The first function that is called, or variable, that the module does not define.

    `n_others`: how many others it does not define.
    """

    symbol: Symbol
    n_others: int
    start: FunctionPosition
    end: FunctionPosition
