"""Mismatches of values of variables and directives, as data without words."""

from __future__ import annotations

from enum import Enum, auto

from ptx_ls.document.coordinates import FunctionPosition, FunctionSpan
from ptx_ls.semantics.symbols.symbols import Symbol
from ptx_ls.source.named_tuple import NamedTuple


class InitialValueFault(Enum):
    """The kind of an error in an initial value."""

    TOO_MANY = auto()
    SHAPE = auto()
    """The nesting of braces differs from the dimensions of the array or vector."""
    TYPE = auto()
    SPACE = auto()
    """The address of a variable in a state space whose addresses are not known in advance."""
    FORM = auto()
    """The value is more than the sum of an address and a constant."""
    ADDRESS = auto()
    """The type of the variable cannot hold an address."""
    BYTE = auto()
    """The type of the variable cannot hold a byte of an address."""
    MASK = auto()
    """The mask selects something other than one byte of an address."""
    OFFSET = auto()
    FUNCTION = auto()
    """Arithmetic on the address of a function."""


class BadInitialValue(NamedTuple):
    """An initial value that `symbol` cannot have; `value` as written.

    `n_values`: for TOO_MANY, the number of values and the maximum number.
    """

    symbol: Symbol
    fault: InitialValueFault
    start: FunctionPosition
    end: FunctionPosition
    value: str = ""
    n_values: tuple[int, int] = (0, 0)


class OpaqueFault(Enum):
    """The kind of an error in an initial value of a texture, sampler or surface."""

    BRACES = auto()
    """A single value without braces."""
    UNNAMED = auto()
    FIELD = auto()
    VALUE = auto()


class BadOpaqueValue(NamedTuple):
    """An initial value that `symbol` cannot have; `text` as written, `legal` the valid choices."""

    symbol: Symbol
    fault: OpaqueFault
    text: str
    legal: tuple[str, ...]
    start: FunctionPosition
    end: FunctionPosition


class BankFault(Enum):
    """The kind of an error in a bank of constant memory."""

    NUMBER = auto()
    """The number is larger than that of the last bank."""
    RESERVED = auto()
    """The bank is reserved for unsized external arrays."""
    OPEN = auto()
    """The bank must not contain unsized external arrays."""


class BadBank(NamedTuple):
    """A bank of constant memory that does not exist, or cannot contain the variable."""

    bank: int
    fault: BankFault
    start: FunctionPosition
    end: FunctionPosition


class ValueFault(Enum):
    """Why a directive cannot take a value."""

    RANGE = auto()
    ADDRESS = auto()
    """A name in data that is too narrow for an address."""
    DATA_TYPE = auto()
    OVERFLOW = auto()
    FILE_TWICE = auto()
    SECTION_TWICE = auto()
    """A second metadata section in a module."""
    NODE_TWICE = auto()
    """A second metadata node with the same index."""
    NO_LABEL = auto()
    NUMBER = auto()
    PROTOTYPE = auto()
    """A prototype with a name."""
    ALIAS = auto()
    """The alias has a body, or is not a function."""
    ALIAS_TWICE = auto()
    ALIASED = auto()
    """The aliased symbol is not a function, or is weak or external."""
    ALIAS_OF_ITSELF = auto()
    ALIAS_PARAMETERS = auto()
    ALIAS_SPACES = auto()
    ALIAS_TYPES = auto()
    ALIAS_ALIGNMENTS = auto()
    ALIAS_RETURN = auto()
    """Only one of the two functions is `.noreturn`."""
    COUNT = auto()
    """A pragma without the positive number that it requires."""


class BadValue(NamedTuple):
    """A `value` that the directive or type `name` cannot take.

    `before`: the earlier place with the same value.
    """

    name: str
    value: str
    fault: ValueFault
    start: FunctionPosition
    end: FunctionPosition
    before: FunctionSpan | None = None
