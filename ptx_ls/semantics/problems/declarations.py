"""Mismatches of directives, declarations and the header, as data without words."""

from __future__ import annotations

from enum import Enum, auto

from ptx_ls.document.coordinates import FunctionPosition
from ptx_ls.semantics.symbols.symbols import Symbol
from ptx_ls.source.named_tuple import NamedTuple


class HeaderFault(Enum):
    """Mistakes in a directive of the module header."""

    MISSING = auto()
    MISPLACED = auto()
    """The directive is after other statements, or repeated."""
    OPTION = auto()
    """A target option that conflicts with the architecture or with another option."""
    NARROW = auto()
    """The address size is 32, for which ptxas no longer generates code."""
    DEBUG = auto()
    """The option `debug` in a module without debug data."""
    APART = auto()
    """More than white space separates `.version` from its number."""
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

    `is_taken`: whether ptxas accepts it, as a synonym or until it generates code.
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
    """The number of registers needs more than 32 bits."""
    INITIALIZED = auto()
    """An initial value in a state space that does not allow one."""
    MODULE_SCOPE = auto()
    KERNEL_RESULT = auto()
    KERNEL_SPACE = auto()
    KERNEL_ARRAY = auto()
    RESULTS = auto()
    """Several return values, one of which is not a register."""
    FUNCTION_SPACE = auto()
    POINTER = auto()
    """`.ptr` on a parameter of a device function."""
    LATE_ALIGNMENT = auto()
    """The alignment of a device function's parameter is after its type."""
    PARAMETER_VECTOR = auto()
    LOCAL_LINKAGE = auto()
    """A linking directive inside a function."""
    COMMON = auto()
    """`.common` on something that is not plain data in .global."""
    EXTERN_BODY = auto()
    TYPE = auto()
    """A type that only instructions have."""
    DATA_TYPE = auto()
    """A type that only data in sections has."""
    TYPE_PARAMETER = auto()
    """A type that registers and variables may have, but not in .param."""
    TYPE_VECTOR = auto()
    POINTED = auto()
    """`.ptr` with an invalid state space."""
    POINTED_ALIGNMENT = auto()
    """`.ptr` with an invalid alignment."""
    PREDEFINED = auto()
    """The name of a special register, outside of functions."""
    NAME = auto()
    """A name with a dot, as components have."""
    SAMPLER = auto()
    """A sampler in a module with unified textures and samplers."""
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
    """A name that is declared again with another property; `is_near` as in `Duplicate`.

    `parts`: the parameters or return values that differ, in the first declaration and in this one.
    """

    symbol: Symbol
    first: Symbol
    what: Inconsistency
    start: FunctionPosition
    end: FunctionPosition
    is_near: bool = True
    parts: tuple[Symbol, Symbol] | None = None


class DirectiveFault(Enum):
    """Why a function cannot have a directive."""

    OWNER = auto()
    CONFLICT = auto()
    REQUIRED = auto()
    REPEATED = auto()
    ARGUMENTS = auto()
    NO_NUMBER = auto()
    """A number is missing, or there is one although the directive has none."""
    ZERO = auto()
    OVERFLOW = auto()
    """A number needs more than 32 bits."""
    LARGE = auto()
    """A number is larger than the maximum, which is in `others`."""
    WORD = auto()
    """A string that is not one of `others`."""
    ORDER = auto()
    """On a device function, the directive must be before those in `others`."""
    BODILESS = auto()
    """A function without a body cannot have the directive."""
    RESULT = auto()
    """A function with return values cannot have the directive."""
    PAIR = auto()
    """The directive requires two numbers in parentheses."""
    ATTRIBUTE = auto()
    """The attribute is unknown; `others` are the known ones."""
    SCOPE = auto()
    """The directive is in the wrong scope; `others`: the scopes where it may be."""
    NO_BODY = auto()
    """Neither a body nor `;` follows the header of a kernel."""


class BadDirective(NamedTuple):
    """A directive that its function cannot have; `others`: depends on the fault."""

    name: str
    fault: DirectiveFault
    others: tuple[str, ...]
    start: FunctionPosition
    end: FunctionPosition
