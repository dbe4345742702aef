"""Mismatches of values of variables and directives, as data without words."""

from enum import Enum, auto
from typing import NamedTuple

from ptx_ls.document.coordinates import FunctionPosition, FunctionSpan
from ptx_ls.semantics.symbols.symbols import Symbol


class InitialValueFault(Enum):
    """What is wrong with an initial value."""

    TOO_MANY = auto()
    SHAPE = auto()
    """Its braces are not nested as its dimensions and vectors are."""
    TYPE = auto()
    SPACE = auto()
    """It is the address of a variable that has none before the module runs."""
    FORM = auto()
    """It computes more than an address plus a constant."""
    ADDRESS = auto()
    """The variable's type holds no address."""
    MASK = auto()
    """Its mask takes something other than one byte of an address."""
    OFFSET = auto()
    FUNCTION = auto()
    """Arithmetic on the address of a function."""


class BadInitialValue(NamedTuple):
    """An initial value that `symbol` cannot have; `value` as written.

    `n_values`: of values that are too many, how many there are and how many there may be.
    """

    symbol: Symbol
    fault: InitialValueFault
    start: FunctionPosition
    end: FunctionPosition
    value: str = ""
    n_values: tuple[int, int] = (0, 0)


class OpaqueFault(Enum):
    """What is wrong with an initial value of a texture, sampler or surface."""

    BRACES = auto()
    """It is a single value without braces."""
    UNNAMED = auto()
    FIELD = auto()
    VALUE = auto()


class BadOpaqueValue(NamedTuple):
    """An initial value that `symbol` cannot have; `text` as written, `legal` what may be there."""

    symbol: Symbol
    fault: OpaqueFault
    text: str
    legal: tuple[str, ...]
    start: FunctionPosition
    end: FunctionPosition


class BankFault(Enum):
    """What is wrong with a bank of constant memory."""

    NUMBER = auto()
    """The number exceeds that of the last bank."""
    RESERVED = auto()
    """The bank is reserved for unsized external arrays."""
    OPEN = auto()
    """An unsized external array must not be in such a bank."""


class BadBank(NamedTuple):
    """A bank of constant memory that does not exist, or is not for what is declared."""

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
    """It has a body, or is not a function."""
    ALIAS_TWICE = auto()
    ALIASED = auto()
    """It is not a function, or is weak or external."""
    ALIAS_OF_ITSELF = auto()
    ALIAS_PARAMETERS = auto()
    ALIAS_SPACES = auto()
    ALIAS_TYPES = auto()
    ALIAS_ALIGNMENTS = auto()
    ALIAS_RETURN = auto()
    """Only one of the two returns."""
    COUNT = auto()
    """A pragma without the number it takes."""


class BadValue(NamedTuple):
    """A `value` that the directive or type `name` cannot take.

    `before`: where it is taken already.
    """

    name: str
    value: str
    fault: ValueFault
    start: FunctionPosition
    end: FunctionPosition
    before: FunctionSpan | None = None
