"""Mismatches of instructions and syntax, as data without words.

All positions are (line, column), relative to the function. These are named tuples because every run
imports these classes, and dataclasses take ten times as long to create.
"""

from typing import Final, NamedTuple

from ptx_ls.document.coordinates import FUNCTION_START, FunctionPosition, FunctionSpan
from ptx_ls.isa import Operand, Violation
from ptx_ls.semantics.instructions.attempt import UnresolvedInstruction
from ptx_ls.semantics.symbols.symbols import Facts, Symbol
from ptx_ls.syntax.offsets import before
from ptx_ls.syntax.parser import RunProblem

_STATEMENT: Final = ".version"
"""Expected only where a statement begins."""
_TYPE_ALONE: Final = (";",)
"""Expected after a type where a statement begins: half a declaration has a name there."""


class InstructionMismatch(NamedTuple):
    """An instruction form that the ISA does not have.

    `opcode` is the opcode with its modifiers as written, `opcode_start` and `opcode_end` where
    they stand, `operand` the offending operand's text, `form` the nearest form in the manual's
    notation, `operands` all operands as they were judged. `uses` are further places with the same
    mismatch, where the declaration seems to be wrong. `alike` are further mismatches that the same
    version or target would mend.
    """

    violation: Violation
    start: FunctionPosition
    end: FunctionPosition
    opcode: str
    opcode_start: FunctionPosition
    opcode_end: FunctionPosition
    operand: str = ""
    form: str = ""
    operands: tuple[Operand, ...] = ()
    uses: tuple[FunctionSpan, ...] = ()
    alike: tuple["InstructionMismatch", ...] = ()


class Unavailable(NamedTuple):
    """A directive, type or special register that the module's version or target does not have."""

    name: str
    violation: Violation
    start: FunctionPosition
    end: FunctionPosition


class UnknownOpcode(NamedTuple):
    """An opcode that does not exist; `is_label`: it is a label without its colon."""

    opcode: str
    start: FunctionPosition
    end: FunctionPosition
    modifiers: tuple[str, ...] = ()
    is_label: bool = False


class Undeclared(NamedTuple):
    """A name that is not declared where it is used.

    `wants` is "label" where only a label may be, and "function" if it is declared as something else
    where only a function may be. `elsewhere` is a symbol of that name that is
    declared later or in another scope, `near` the range whose numbers do not reach it. `is_near`:
    that declaration is in this function; otherwise its place counts from another one. `attempt`
    is the instruction that uses the name; `uses` are further places in the function where the name,
    or `others` of its bank, are used.
    """

    name: str
    start: FunctionPosition
    end: FunctionPosition
    wants: str = ""
    elsewhere: Symbol | None = None
    near: Symbol | None = None
    is_near: bool = True
    attempt: UnresolvedInstruction | None = None
    others: tuple[str, ...] = ()
    uses: tuple[FunctionSpan, ...] = ()


class MisplacedInstruction(NamedTuple):
    """The first of several instructions outside of a function.

    `closing_brace` is the place of the one that closes the function before, None without one;
    `stop` is where the whole statement ends. `in_section`: it is among data for a debugger.
    """

    start: FunctionPosition
    end: FunctionPosition
    closing_brace: FunctionSpan | None = None
    stop: FunctionPosition = FUNCTION_START
    in_section: bool = False


class BadGuard(NamedTuple):
    """A guard that is not a predicate register."""

    name: str
    facts: Facts
    start: FunctionPosition
    end: FunctionPosition


class Duplicate(NamedTuple):
    """A name declared twice in one scope.

    `is_near`: both are in this function; otherwise the place of `first` counts from another one.
    `others` are further names of the same statement that are declared twice.
    """

    symbol: Symbol
    first: Symbol
    start: FunctionPosition
    end: FunctionPosition
    is_near: bool = True
    others: tuple[str, ...] = ()


class BadSyntax(NamedTuple):
    """A statement that cannot be read; `line` is the text of the line where the problem begins.

    `statement` is where the statement begins and ends. `is_rest`: the problem is in what an earlier
    one leaves of a statement. `is_stray`: a `}` is in place of the `;`.
    """

    problem: RunProblem
    start: FunctionPosition
    end: FunctionPosition
    line: str = ""
    statement: FunctionSpan = (FUNCTION_START, FUNCTION_START)
    is_rest: bool = False
    is_stray: bool = False

    @property
    def lacks_semicolon(self) -> bool:
        """Whether nothing but the `;` of the statement is missing."""
        problem = self.problem
        is_end = not problem.found and ";" in problem.expected
        return self.is_stray or (is_end and _STATEMENT not in problem.expected)

    @property
    def begins_nothing(self) -> bool:
        """Whether no statement can begin this way."""
        found, expected = self.problem.found, self.problem.expected
        if expected == _TYPE_ALONE:
            return True
        is_odd = _STATEMENT in expected or (found == ";" and not expected)
        return is_odd and not found.startswith(".")

    @property
    def before(self) -> str:
        """The end of the line's text before the problem."""
        return before(self.line, self.start[1])

    @property
    def first_column(self) -> int:
        """The column where `before` begins."""
        return self.start[1] - len(self.before)

    @property
    def last_column(self) -> int:
        """The end column of the text in `before`, without trailing white space."""
        return self.first_column + len(self.before.rstrip())


class LooseBrace(NamedTuple):
    """A brace without its partner.

    Of a brace that is never closed, the place is where the search for its partner ended, and
    `opened` where it stands itself: before the next function, or with `ends_file` at the end,
    which with `in_statement` is within a statement.
    """

    is_opening: bool
    start: FunctionPosition
    end: FunctionPosition
    opened: tuple[FunctionSpan, ...] = ()
    ends_file: bool = False
    in_statement: bool = False
