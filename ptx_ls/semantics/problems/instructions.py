"""Mismatches of instructions and syntax, as data without words.

All positions are relative to the start of the function. These are named tuples because every run
imports these classes, and dataclasses take ten times as long to create.
"""

from __future__ import annotations

from typing import Final

from ptx_ls.document.coordinates import FUNCTION_START, FunctionPosition, FunctionSpan
from ptx_ls.isa import Operand, Violation
from ptx_ls.semantics.instructions.unresolved_instruction import UnresolvedInstruction
from ptx_ls.semantics.symbols.symbols import Facts, Symbol
from ptx_ls.source.named_tuple import NamedTuple
from ptx_ls.syntax.offsets import before
from ptx_ls.syntax.parser import RunProblem

_STATEMENT: Final = ".version"
"""A word that is expected only where a statement begins."""
_TYPE_ALONE: Final = (";",)
"""The expected words after a type at the start of a statement, where no name is required."""


class InstructionMismatch(NamedTuple):
    """An instruction that the ISA does not allow.

    `opcode`: the opcode with its modifiers as written, from `opcode_start` to `opcode_end`.
    `operand`: the text of the invalid operand. `form`: the closest form in the manual's notation.
    `operands`: all operands as they were judged. `uses`: other places of the same mismatch, if the
    declaration seems wrong. `alike`: mismatches that the same version or target would fix.
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
    alike: tuple[InstructionMismatch, ...] = ()


class Unavailable(NamedTuple):
    """A directive, type or special register that the module's version or target does not have."""

    name: str
    violation: Violation
    start: FunctionPosition
    end: FunctionPosition


class UnknownOpcode(NamedTuple):
    """An opcode that does not exist; `is_label`: whether it is a label without its colon."""

    opcode: str
    start: FunctionPosition
    end: FunctionPosition
    modifiers: tuple[str, ...] = ()
    is_label: bool = False


class Undeclared(NamedTuple):
    """A name that is not declared where it is used.

    `wants`: "label" if only a label is allowed, "function" if only a function is and the name is
    declared as something else. `elsewhere`: a symbol of that name that is declared later or in
    another scope. `near`: the range that is too small to include the name. `is_near`: whether that
    declaration is in this function; if not, its place is relative to another function. `attempt`:
    the instruction that uses the name. `uses`: other places in the function that use it, or one of
    `others`, undeclared registers of the same bank.
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

    `closing_brace`: the `}` directly before them, which ends the previous body, or None. `stop`:
    the end of the whole statement. `in_section`: whether it is in a section of debug data.
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
    """A name that is declared twice in one scope.

    `is_near`: whether both are in this function; if not, the place of `first` is relative to
    another function. `others`: other names in the same statement that are declared twice.
    """

    symbol: Symbol
    first: Symbol
    start: FunctionPosition
    end: FunctionPosition
    is_near: bool = True
    others: tuple[str, ...] = ()


class BadSyntax(NamedTuple):
    """A syntax error; `line` is the text of the line where it begins.

    `statement`: the start and end of the statement. `is_rest`: whether it only follows from an
    earlier error in the statement. `is_stray`: whether a `}` is in place of the `;`.
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
        """Whether only the `;` of the statement is missing."""
        problem = self.problem
        is_end = not problem.found and ";" in problem.expected
        return self.is_stray or (is_end and _STATEMENT not in problem.expected)

    @property
    def begins_nothing(self) -> bool:
        """Whether no statement can begin with the text at the error."""
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
    """An unmatched brace.

    For braces that are never closed, the place is the end of the function, and `opened` has the
    places of the braces. `ends_file`: whether the function is the last one; `in_statement`: whether
    the text ends within a statement.
    """

    is_opening: bool
    start: FunctionPosition
    end: FunctionPosition
    opened: tuple[FunctionSpan, ...] = ()
    ends_file: bool = False
    in_statement: bool = False
