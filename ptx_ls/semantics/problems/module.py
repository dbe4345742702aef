"""Mismatches of a module as a whole, as data without words."""

from __future__ import annotations

from enum import Enum, auto

from ptx_ls.document.coordinates import FunctionPosition
from ptx_ls.semantics.symbols.symbols import Symbol
from ptx_ls.source.named_tuple import NamedTuple


class LocationFault(Enum):
    """The kind of an error in a `.loc`."""

    OVERFLOW = auto()
    """A number needs more than 32 bits."""
    CALLER = auto()
    """`inlined_at` refers to a location that no earlier `.loc` has."""
    FORM = auto()
    """An extra number, or attributes other than `function_name` followed by `inlined_at`."""
    NO_FILE = auto()
    """The module has no `.file`, about which ptxas only warns."""
    LABEL = auto()
    """`function_name` is followed by a name that is not a label in a section."""


class BadLocation(NamedTuple):
    """An invalid `.loc`; `value` is the invalid part."""

    value: str
    fault: LocationFault
    start: FunctionPosition
    end: FunctionPosition


class IgnoredFault(Enum):
    """Why ptxas ignores a directive, or changes its value."""

    NO_BLOCK = auto()
    """The block size is missing."""
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
    """A directive that ptxas ignores, or whose value it changes.

    `value`: the given value, or a number that follows from it; `limit`: the limit of `target`.
    """

    name: str
    fault: IgnoredFault
    start: FunctionPosition
    end: FunctionPosition
    value: int = 0
    limit: int = 0
    target: str = ""


class RefusedPragma(NamedTuple):
    """An unknown pragma at module scope, which keeps ptxas from compiling anything."""

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
    """Why ptxas ignores an instruction that changes the number of registers per thread."""

    NO_COUNT = auto()
    """The kernel's head does not set the initial number of registers."""
    DEBUG = auto()
    """The module is compiled for debugging."""
    INDIRECT = auto()
    """The kernel calls functions through registers."""


class IgnoredBudget(NamedTuple):
    """A `setmaxnreg` that ptxas ignores in a kernel.

    `callee`: the called function through which it is reached; "" if it is in the kernel itself.
    """

    fault: BudgetFault
    callee: str
    start: FunctionPosition
    end: FunctionPosition


class UnknownStack(NamedTuple):
    """An instruction or call that makes the stack size of a kernel unknown.

    `name`: the opcode, or the called function. `is_recursive`: whether that reaches a recursive
    function, rather than one that allocates stack.
    """

    kernel: str
    name: str
    is_recursive: bool
    start: FunctionPosition
    end: FunctionPosition


class NeedsLinking(NamedTuple):
    """A directive that ptxas supports only in a module to be linked with others."""

    name: str
    start: FunctionPosition
    end: FunctionPosition


class Unresolved(NamedTuple):
    """The first called function or used variable that the module does not define.

    `n_others`: the number of further ones.
    """

    symbol: Symbol
    n_others: int
    start: FunctionPosition
    end: FunctionPosition
