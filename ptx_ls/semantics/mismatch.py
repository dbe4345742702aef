"""Where a region disagrees with its declarations and with the ISA: facts, in no words.

All positions are (line, column), lines relative to the region. Named tuples, for every run imports
these classes, and those of dataclasses take ten times as long to make.
"""

from __future__ import annotations

from enum import Enum, auto
from typing import TYPE_CHECKING, NamedTuple

from ptx_ls.semantics.array_index import BadIndex
from ptx_ls.semantics.constant_pointers import ConstantPointer
from ptx_ls.semantics.constants import BadConstant
from ptx_ls.semantics.matrix_waits import MissingWait
from ptx_ls.semantics.memory_limits import TooMuchMemory
from ptx_ls.semantics.mismatch_calls import BadCall
from ptx_ls.semantics.mismatch_module import ModuleMismatch
from ptx_ls.semantics.mismatch_values import BadBank, BadInitialValue, BadOpaqueValue, BadValue
from ptx_ls.semantics.names import BadSize, ReservedName
from ptx_ls.semantics.parameter_access import BadAccess
from ptx_ls.semantics.register_pragmas import RegisterPragma
from ptx_ls.semantics.return_address import ReturnAddress
from ptx_ls.semantics.samplers import BadSampler, IgnoredField
from ptx_ls.semantics.signature_check import BadSignature

if TYPE_CHECKING:
    from ptx_ls.isa import Operand, Violation
    from ptx_ls.semantics.attempt import Attempt
    from ptx_ls.semantics.symbols import Facts, Symbol
    from ptx_ls.syntax.parser import SyntaxProblem
    from ptx_ls.syntax.places import Place


class InstructionMismatch(NamedTuple):
    """An instruction that the ISA does not have so.

    `opcode` is the opcode with its modifiers as written, `opcode_start` and `opcode_end` where
    they stand, `operand` the offending operand's text, `form` the nearest form in the manual's
    notation, `operands` all operands as they were judged. `uses` are further places with the same
    mismatch, where the declaration seems to be wrong.
    """

    violation: Violation
    start: Place
    end: Place
    opcode: str
    opcode_start: Place
    opcode_end: Place
    operand: str = ""
    form: str = ""
    operands: tuple[Operand, ...] = ()
    uses: tuple[tuple[Place, Place], ...] = ()


class Unavailable(NamedTuple):
    """A directive, type or special register that the module's version or target does not have."""

    name: str
    violation: Violation
    start: Place
    end: Place


class UnknownOpcode(NamedTuple):
    """An opcode that is none; `is_label`: a label of that name is wanted in the region."""

    opcode: str
    start: Place
    end: Place
    modifiers: tuple[str, ...] = ()
    is_label: bool = False


class Undeclared(NamedTuple):
    """A name that means nothing where it stands.

    `wants` is "label" where only a label may stand. `elsewhere` is a symbol of that name that is
    declared behind or in another scope, `near` the range whose numbers do not reach it. `is_near`:
    that declaration stands in this region; otherwise its place counts from another one. `attempt`
    is the instruction that uses the name; `uses` are further places in the region where the name,
    or `others` of its bank, are used.
    """

    name: str
    start: Place
    end: Place
    wants: str = ""
    elsewhere: Symbol | None = None
    near: Symbol | None = None
    is_near: bool = True
    attempt: Attempt | None = None
    others: tuple[str, ...] = ()
    uses: tuple[tuple[Place, Place], ...] = ()


class MisplacedInstruction(NamedTuple):
    """The first instruction of several that stand outside of a function.

    `behind` is where the brace stands that closes the function before, None if there is none;
    `stop` is where the whole statement ends. `in_section`: it stands among data for a debugger.
    """

    start: Place
    end: Place
    behind: tuple[Place, Place] | None = None
    stop: Place = (0, 0)
    in_section: bool = False


class BadGuard(NamedTuple):
    """A guard that is no predicate register."""

    name: str
    facts: Facts
    start: Place
    end: Place


class Duplicate(NamedTuple):
    """A name declared twice in one scope.

    `is_near`: both stand in this region; otherwise the place of `first` counts from another one.
    `others` are further names of the same statement that are declared twice.
    """

    symbol: Symbol
    first: Symbol
    start: Place
    end: Place
    is_near: bool = True
    others: tuple[str, ...] = ()


class BadSyntax(NamedTuple):
    """A statement that cannot be read; `before` is what its line has before the problem."""

    problem: SyntaxProblem
    start: Place
    end: Place
    before: str = ""


class LooseBrace(NamedTuple):
    """A brace without its partner.

    Of a brace that is never closed, the place is where the search for its partner ended, and
    `opened` where it stands itself: before the next function, or with `ends_file` at the end,
    which with `in_statement` is within a statement.
    """

    is_opening: bool
    start: Place
    end: Place
    opened: tuple[tuple[Place, Place], ...] = ()
    ends_file: bool = False
    in_statement: bool = False


class HeaderFault(Enum):
    """What is wrong with a directive that a module begins with."""

    MISSING = auto()
    MISPLACED = auto()
    """It stands behind other statements, or is there twice."""
    OPTION = auto()
    """An option of the platform that does not go with the architecture, or with another one."""
    NARROW = auto()
    """It is 32, for which ptxas generates no code any more."""
    DEBUG = auto()
    """It promises debugging data, and the module has no section."""
    APART = auto()
    """More than blanks stand between `.version` and its number."""
    VALUE = auto()


class BadHeader(NamedTuple):
    """`.version`, `.target` or `.address_size` is not as a module begins."""

    directive: str
    fault: HeaderFault
    start: Place
    end: Place


class UnknownVersion(NamedTuple):
    """A PTX ISA version that there is not, or that is newer than the database."""

    version: tuple[int, int]
    newest: tuple[int, int]
    is_newer: bool
    start: Place
    end: Place


class UnknownTarget(NamedTuple):
    """A name in `.target` that is neither an architecture nor an option.

    `is_further`: it looks like an architecture behind the first, which ptxas reads when compiling.
    """

    name: str
    start: Place
    end: Place
    is_further: bool = False


class DeclarationFault(Enum):
    """What is wrong with a declaration by itself."""

    ALIGNMENT = auto()
    PREDICATE_IN_MEMORY = auto()
    PREDICATE_VECTOR = auto()
    VECTOR_TOO_LARGE = auto()
    REGISTER_ARRAY = auto()
    NEGATIVE_SIZE = auto()
    NO_SIZE = auto()
    COUNT = auto()
    """It is a range of more registers than 32 bits count."""
    INITIALIZED = auto()
    """It has an initial value where its state space has none."""
    MODULE_SCOPE = auto()
    KERNEL_RESULT = auto()
    KERNEL_SPACE = auto()
    KERNEL_ARRAY = auto()
    RESULTS = auto()
    """Several results, one of which is no register."""
    FUNCTION_SPACE = auto()
    POINTER = auto()
    """A parameter of a device function says with `.ptr` where it points to."""
    PARAMETER_VECTOR = auto()
    LOCAL_LINKAGE = auto()
    """It has a linking directive inside of a function."""
    COMMON = auto()
    """It is `.common`, but neither in .global nor plain data."""
    EXTERN_BODY = auto()
    TYPE = auto()
    """The type stands in instructions only."""
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
    """A sampler where textures have their own."""
    RESERVED_SPACE = auto()
    """A state space that nothing is declared in."""
    OPAQUE_SPACE = auto()
    OPAQUE_VECTOR = auto()
    OPAQUE_SCOPE = auto()
    """A texture, sampler or surface that is neither the module's nor a kernel's parameter."""


class BadDeclaration(NamedTuple):
    """A declaration that is illegal by itself."""

    symbol: Symbol
    fault: DeclarationFault
    start: Place
    end: Place


class Inconsistency(Enum):
    """In what two declarations of a name differ."""

    KIND = auto()
    COUNT = auto()
    TYPE = auto()
    SIZE = auto()
    SPACE = auto()
    ALIGNMENT = auto()
    LINKAGE = auto()
    NO_RETURN = auto()


class Inconsistent(NamedTuple):
    """A name declared again in another way; `is_near` as in `Duplicate`.

    `parts` are the parameters or results that differ, that of the first declaration first.
    """

    symbol: Symbol
    first: Symbol
    what: Inconsistency
    start: Place
    end: Place
    is_near: bool = True
    parts: tuple[Symbol, Symbol] | None = None


class DirectiveFault(Enum):
    """Why a directive cannot stand at a function."""

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
    """A string that is none of `others`."""
    ORDER = auto()
    """On a device function it comes before those in `others`."""
    BODILESS = auto()
    """A function without a body cannot have it."""
    RESULT = auto()
    """A function with a result cannot have it."""
    PAIR = auto()
    """It wants two numbers in parentheses."""
    ATTRIBUTE = auto()
    """It is no attribute; `others` are."""
    SCOPE = auto()
    """It stands inside of a function, or outside; `others`: where it may stand."""
    NO_BODY = auto()
    """A kernel's head is followed by neither a body nor `;`."""


class BadDirective(NamedTuple):
    """A directive that does not go with its function; `others`: owners, or other directives."""

    name: str
    fault: DirectiveFault
    others: tuple[str, ...]
    start: Place
    end: Place


Mismatch = (
    InstructionMismatch
    | Unavailable
    | UnknownOpcode
    | Undeclared
    | MisplacedInstruction
    | BadGuard
    | Duplicate
    | BadSyntax
    | LooseBrace
    | BadHeader
    | UnknownVersion
    | UnknownTarget
    | BadDeclaration
    | Inconsistent
    | BadBank
    | BadInitialValue
    | BadDirective
    | BadValue
    | BadAccess
    | BadIndex
    | BadSampler
    | IgnoredField
    | BadCall
    | BadConstant
    | TooMuchMemory
    | ConstantPointer
    | RegisterPragma
    | ReturnAddress
    | MissingWait
    | BadOpaqueValue
    | BadSignature
    | BadSize
    | ReservedName
    | ModuleMismatch
)
