"""Mismatches of a module as a whole, as data without words."""

from enum import Enum, auto
from typing import NamedTuple

from ptx_ls.document.coordinates import FunctionPosition
from ptx_ls.semantics.symbols.symbols import Symbol


class LocationFault(Enum):
    """What is wrong with a `.loc`."""

    OVERFLOW = auto()
    """A number needs more than 32 bits."""
    CALLER = auto()
    """`inlined_at` refers to a location that no earlier `.loc` has."""
    FORM = auto()
    """It has not both `function_name` and `inlined_at`, in that order, or may have neither."""
    NO_FILE = auto()
    """The module has no `.file` at all. ptxas warns."""
    LABEL = auto()
    """`function_name` names no label in a section. ptxas generates no code for it."""


class BadLocation(NamedTuple):
    """An invalid `.loc`; `value` is the invalid part."""

    value: str
    fault: LocationFault
    start: FunctionPosition
    end: FunctionPosition


class IgnoredFault(Enum):
    """Why ptxas ignores a directive, or changes its number."""

    NO_BLOCK = auto()
    """The block size is not given."""
    THREADS = auto()
    """More threads than a multiprocessor supports."""
    BLOCKS = auto()
    """More blocks than a multiprocessor supports."""
    MOST_REGISTERS = auto()
    FEWEST_REGISTERS = auto()
    PRAGMA = auto()
    """An unknown pragma."""
    MASK = auto()
    """A pragma without its mask."""


class IgnoredDirective(NamedTuple):
    """A directive without effect, or with another number than the given one.

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
    """A module-level pragma that ptxas does not know; it then compiles nothing."""

    name: str
    start: FunctionPosition
    end: FunctionPosition


class ExcessiveRelease(NamedTuple):
    """A `setmaxnreg.dec` to `kept` registers, more than the thread has."""

    kept: int
    available: int
    start: FunctionPosition
    end: FunctionPosition


class BudgetFault(Enum):
    """Why the number of a thread's registers cannot change."""

    NO_COUNT = auto()
    """The kernel does not say how many there are when it begins."""
    DEBUG = auto()
    """The module is compiled for debugging."""
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
    """A directive for which ptxas generates code only in a module to be linked with others."""

    name: str
    start: FunctionPosition
    end: FunctionPosition


class Unresolved(NamedTuple):
    """The first called function, or used variable, that the module does not define.

    `n_others`: how many others it does not define.
    """

    symbol: Symbol
    n_others: int
    start: FunctionPosition
    end: FunctionPosition
