"""Mismatches of directives, declarations and the header, as data without words."""

from enum import Enum, auto
from typing import NamedTuple

from ptx_ls.document.coordinates import FunctionPosition
from ptx_ls.semantics.symbols.symbols import Symbol


class HeaderFault(Enum):
    """Mistakes in a directive of the module header."""

    MISSING = auto()
    MISPLACED = auto()
    """It is after other statements, or there twice."""
    OPTION = auto()
    """An option of the platform that does not go with the architecture, or with another one."""
    NARROW = auto()
    """The size is 32, for which ptxas no longer generates code."""
    DEBUG = auto()
    """The option announces debugging data, but the module has none."""
    APART = auto()
    """More than blanks separate `.version` from its number."""
    VALUE = auto()


class BadHeader(NamedTuple):
    """An invalid `.version`, `.target` or `.address_size`."""

    directive: str
    fault: HeaderFault
    start: FunctionPosition
    end: FunctionPosition


class UnknownVersion(NamedTuple):
    """A PTX ISA version that does not exist, or that is newer than the database."""

    version: tuple[int, int]
    newest: tuple[int, int]
    is_newer: bool
    start: FunctionPosition
    end: FunctionPosition


class UnknownTarget(NamedTuple):
    """A name in `.target` that is neither an architecture nor an option.

    `is_taken`: ptxas reads it as another one, or does not look at it before it compiles.
    """

    name: str
    start: FunctionPosition
    end: FunctionPosition
    is_taken: bool = False


class DeclarationFault(Enum):
    """Mistakes in a single declaration."""

    ALIGNMENT = auto()
    PREDICATE_IN_MEMORY = auto()
    PREDICATE_VECTOR = auto()
    VECTOR_TOO_LARGE = auto()
    REGISTER_ARRAY = auto()
    NEGATIVE_SIZE = auto()
    NO_SIZE = auto()
    COUNT = auto()
    """The range has more registers than 32 bits can count."""
    INITIALIZED = auto()
    """An initial value in a state space that allows none."""
    MODULE_SCOPE = auto()
    KERNEL_RESULT = auto()
    KERNEL_SPACE = auto()
    KERNEL_ARRAY = auto()
    RESULTS = auto()
    """Several results, one of which is not a register."""
    FUNCTION_SPACE = auto()
    POINTER = auto()
    """`.ptr` on a parameter of a device function."""
    LATE_ALIGNMENT = auto()
    """A parameter of a device function has its alignment after its type."""
    PARAMETER_VECTOR = auto()
    LOCAL_LINKAGE = auto()
    """It has a linking directive inside of a function."""
    COMMON = auto()
    """`.common` on something that is not plain data in .global."""
    EXTERN_BODY = auto()
    TYPE = auto()
    """The type is for instructions only."""
    DATA_TYPE = auto()
    """The type is for the data of a section."""
    TYPE_PARAMETER = auto()
    """The type declares registers and variables, but nothing in .param."""
    TYPE_VECTOR = auto()
    POINTED = auto()
    """`.ptr` with a state space or an alignment that it does not take."""
    PREDEFINED = auto()
    """Outside of functions, the name of a special register."""
    NAME = auto()
    """A name with a dot, as components have."""
    SAMPLER = auto()
    """A sampler in a module where textures have their own."""
    RESERVED_SPACE = auto()
    """A state space in which nothing can be declared."""
    OPAQUE_SPACE = auto()
    OPAQUE_VECTOR = auto()
    OPAQUE_SCOPE = auto()
    """A texture, sampler or surface that is neither a module variable nor a kernel parameter."""


class BadDeclaration(NamedTuple):
    """A declaration that is illegal by itself."""

    symbol: Symbol
    fault: DeclarationFault
    start: FunctionPosition
    end: FunctionPosition


class Inconsistency(Enum):
    """The property in which two declarations of a name differ."""

    KIND = auto()
    COUNT = auto()
    TYPE = auto()
    SIZE = auto()
    SPACE = auto()
    ALIGNMENT = auto()
    LINKAGE = auto()
    NO_RETURN = auto()


class Inconsistent(NamedTuple):
    """A name declared again, differently; `is_near` as in `Duplicate`.

    `parts` are the parameters or results that differ, that of the first declaration first.
    """

    symbol: Symbol
    first: Symbol
    what: Inconsistency
    start: FunctionPosition
    end: FunctionPosition
    is_near: bool = True
    parts: tuple[Symbol, Symbol] | None = None


class DirectiveFault(Enum):
    """Why a directive cannot belong to a function."""

    OWNER = auto()
    CONFLICT = auto()
    REQUIRED = auto()
    REPEATED = auto()
    ARGUMENTS = auto()
    NO_NUMBER = auto()
    """It wants a number and has none, or wants none and has one."""
    ZERO = auto()
    OVERFLOW = auto()
    """A number needs more than 32 bits."""
    LARGE = auto()
    """A number is larger than the largest, which is in `others`."""
    WORD = auto()
    """A string that is not one of `others`."""
    ORDER = auto()
    """On a device function, it must come after those in `others`."""
    BODILESS = auto()
    """A function without a body cannot have it."""
    RESULT = auto()
    """A function with a result cannot have it."""
    PAIR = auto()
    """It wants two numbers in parentheses."""
    ATTRIBUTE = auto()
    """The attribute is unknown; `others` are the known ones."""
    SCOPE = auto()
    """Inside of a function, or outside, where it may not be; `others`: where it may be."""
    NO_BODY = auto()
    """A kernel's head is followed by neither a body nor `;`."""


class BadDirective(NamedTuple):
    """A directive that does not go with its function; `others`: owners, or other directives."""

    name: str
    fault: DirectiveFault
    others: tuple[str, ...]
    start: FunctionPosition
    end: FunctionPosition
