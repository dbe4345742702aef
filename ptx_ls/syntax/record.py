"""Records: the results of reading the lines of a document.

Lines of the same shape share one record, so a decision that depends on the shape is made once
(docs/decisions/reading.md).
"""

from __future__ import annotations

import re
from enum import Enum, auto
from itertools import accumulate
from typing import TYPE_CHECKING, Final

from ptx_ls.source.named_tuple import NamedTuple
from ptx_ls.syntax.offsets import RunPosition

if TYPE_CHECKING:
    from parso.tree import BaseNode

    from ptx_ls.syntax.operands import Identifier, OperandSyntax, Parts
    from ptx_ls.syntax.parser import RunProblem

_PLAIN_PIECES: Final = re.compile(r"[ \t]*+([{}]|[^;]*+;)").finditer


class Kind(Enum):
    """The kind of a statement, or of a line without a statement."""

    BLANK = auto()
    COMMENT = auto()
    INSTRUCTION = auto()
    LABEL = auto()
    DECLARATION = auto()
    FUNCTION = auto()
    """A function with a body: `.entry k(...) {`, including the brace."""
    FUNCTION_DECLARATION = auto()
    SECTION = auto()
    """`.section .debug_info {`, including the brace."""
    OPEN = auto()
    CLOSE = auto()
    DIRECTIVE = auto()
    LOCATION = auto()
    DATA = auto()
    LINE = auto()
    EMPTY = auto()
    """A `;` without a statement, or several in a row."""
    BROKEN = auto()
    """An instruction with a syntax error."""
    RUN = auto()


INSTRUCTIONS: Final = (Kind.INSTRUCTION, Kind.BROKEN)
"""Instructions with and without a syntax error."""
FUNCTION_HEADS: Final = (Kind.FUNCTION, Kind.FUNCTION_DECLARATION)
"""Heads of functions with and without a body."""
WITHOUT_STATEMENT: Final = (Kind.BLANK, Kind.COMMENT)
"""Lines without a statement."""
_STRUCTURAL: Final = frozenset({Kind.FUNCTION, Kind.SECTION, Kind.OPEN, Kind.CLOSE})
_DECLARING: Final = _STRUCTURAL | {
    Kind.LABEL,
    Kind.DECLARATION,
    Kind.FUNCTION_DECLARATION,
    Kind.DIRECTIVE,
}


class Record:
    """The result of reading a line; lines with the same result share one, see `Shape`.

    `problems`: the syntax errors, with places relative to the start of the line or run. Heads,
    sections and braces are structural; these, and others that may declare names, are declaring.
    """

    __slots__ = ("is_declaring", "is_structural", "kind", "problems")

    def __init__(self, kind: Kind, problems: tuple[RunProblem, ...] = ()) -> None:
        self.kind = kind
        self.problems = problems
        self.is_structural = kind in _STRUCTURAL
        self.is_declaring = kind in _DECLARING

    def __repr__(self) -> str:
        return f"{type(self).__name__}({self.kind.name}, {self.problems!r})"


class Arguments:
    """The guard and operands of a shape, read once for all shapes that differ only in the opcode.

    `text` is a statement of one of these shapes; places of operands are relative to its start.
    """

    def __init__(self, text: str, parts: Parts | None = None, tree: BaseNode | None = None) -> None:
        self.text, self._parts = text, parts
        self._tree = tree  # kept until the operands are first used

    @property
    def parts(self) -> Parts:
        """The operands and identifiers, read on first use."""
        from ptx_ls.syntax import parser  # noqa: PLC0415  they import records
        from ptx_ls.syntax.parsing import instruction_parts  # noqa: PLC0415

        if self._parts is None:
            tree = self._tree or parser.parse(self.text).tree
            self._parts = instruction_parts.of_instruction(tree)
            self._tree = None
        return self._parts

    @property
    def operands(self) -> tuple[OperandSyntax, ...]:
        """Operands of the representative statement."""
        return (self._parts or self.parts)[0]

    @property
    def identifiers(self) -> tuple[Identifier, ...]:
        """Registers and names in the order of the text, guard predicate first."""
        return (self._parts or self.parts)[1]


class Shape(Record):
    """An instruction without its names and numbers: the guard, the opcode, and kinds of operands.

    `text` is a statement of this shape with every register's digits as one `0`, every other
    name as `n` and every number as a zero of its kind. `gaps` are the indices of modifiers that
    white space separates from the text before them: 0 in `mul .lo.u32`. `read` is shared by all
    shapes that differ only in the opcode.
    """

    read: Arguments

    def __init__(self, guard: str, opcode: str, arguments: str) -> None:
        super().__init__(Kind.INSTRUCTION)
        self.has_gap = " ." in arguments
        """Whether white space separates a component from its name: `%tid .x`."""
        self.guard = guard
        self.gaps: tuple[int, ...] = ()
        if " " in opcode:
            parts = opcode.split(" ")
            self.gaps = tuple(accumulate(part.count(".") for part in parts[:-1]))
            opcode = "".join(parts)
        self.opcode = opcode
        self.name = opcode.partition(".")[0]
        """The opcode without its modifiers."""
        self.text = f"{guard} {opcode} {arguments};" if guard else f"{opcode} {arguments};"

    def __repr__(self) -> str:
        return f"Shape({self.text!r})"

    @property
    def operands(self) -> tuple[OperandSyntax, ...]:
        """The operands, with their places in `read.text`."""
        return self.read.operands

    @property
    def identifiers(self) -> tuple[Identifier, ...]:
        """The names in the order of the text, the guard predicate first."""
        return self.read.identifiers


class Piece(NamedTuple):
    """A statement of a run: its record, and its range in the run, including the terminator."""

    record: Record
    start: RunPosition
    end: RunPosition


class MultiLine(Record):
    """A run: lines that are read together, with one statement or several.

    Each of its lines has this record, and its problems are in order. `looks_ahead`: the number of
    lines after it that determine where the run ends, if a terminator or a quote is missing.
    """

    __slots__ = ("looks_ahead", "pieces")

    def __init__(
        self, pieces: tuple[Piece, ...], problems: tuple[RunProblem, ...], *, looks_ahead: int
    ) -> None:
        super().__init__(Kind.RUN, tuple(sorted(problems, key=_start)))
        self.pieces = pieces
        self.looks_ahead = looks_ahead
        self.is_structural = any(piece.record.is_structural for piece in pieces)
        self.is_declaring = any(piece.record.is_declaring for piece in pieces)

    @property
    def records(self) -> tuple[Record, ...]:
        """The records of the statements."""
        return tuple([piece.record for piece in self.pieces])


def _start(part: Piece | RunProblem) -> RunPosition:
    return part.start


def _is_balanced(records: tuple[Record, ...]) -> bool:
    """Whether the braces among the records are balanced."""
    depth = 0
    for read in records:
        depth += (read.kind is Kind.OPEN) - (read.kind is Kind.CLOSE)
        if depth < 0:
            return False
    return depth == 0


class InlineAsmPattern:
    """The common part of runs on one line that differ only in the numbers of registers.

    `text` is the line with 0 for these numbers. It is structural if its braces are not balanced.
    """

    __slots__ = ("is_declaring", "is_structural", "records", "text")

    def __init__(self, text: str, records: tuple[Record, ...]) -> None:
        self.text = text
        self.records = records
        self.is_structural = not _is_balanced(records)
        self.is_declaring = any(read.is_declaring for read in records)


class InlineAsmLine(MultiLine):
    """A run of several plain statements on one line, as in inline assembly."""

    __slots__ = ("_line", "form")

    def __init__(self, line: str, form: InlineAsmPattern) -> None:
        Record.__init__(self, Kind.RUN)
        self.looks_ahead = 0
        self.is_structural = form.is_structural
        self.is_declaring = form.is_declaring
        self.form = form
        self._line = line

    @property
    def records(self) -> tuple[Record, ...]:
        """The records of the statements."""
        return self.form.records

    @property
    def pieces(self) -> tuple[Piece, ...]:  # type: ignore[override]  # made on demand
        """The statements with their places, which take ten times the memory of the line."""
        return tuple(
            [
                Piece(read, RunPosition((0, match.start(1))), RunPosition((0, match.end())))
                for read, match in zip(self.form.records, _PLAIN_PIECES(self._line), strict=False)
            ]
        )


Pattern = Record | InlineAsmPattern | tuple[Record, ...]
"""A record, or the part of a run that others share: see `pattern_of`."""


def pattern_of(read: Record) -> Pattern:
    """Returns what a record has in common with those of lines that differ only in their names.

    That is the pattern of inline assembly, and the records of the statements of any other run.
    Results that depend on nothing else are kept by pattern, because a file has few of them.
    """
    if isinstance(read, InlineAsmLine):
        return read.form
    return read.records if isinstance(read, MultiLine) else read


def records_in(pattern: Pattern) -> tuple[Record, ...]:
    """Returns the records of the statements with a pattern."""
    if isinstance(pattern, InlineAsmPattern):
        return pattern.records
    return pattern if isinstance(pattern, tuple) else (pattern,)


BLANK: Final = Record(Kind.BLANK)
COMMENT: Final = Record(Kind.COMMENT)
LABEL: Final = Record(Kind.LABEL)
DECLARATION: Final = Record(Kind.DECLARATION)
FUNCTION: Final = Record(Kind.FUNCTION)
FUNCTION_DECLARATION: Final = Record(Kind.FUNCTION_DECLARATION)
SECTION: Final = Record(Kind.SECTION)
OPEN: Final = Record(Kind.OPEN)
CLOSE: Final = Record(Kind.CLOSE)
DIRECTIVE: Final = Record(Kind.DIRECTIVE)
LOCATION: Final = Record(Kind.LOCATION)
DATA: Final = Record(Kind.DATA)
LINE: Final = Record(Kind.LINE)
EMPTY: Final = Record(Kind.EMPTY)
BROKEN: Final = Record(Kind.BROKEN)

SHARED: Final[dict[Kind, Record]] = {
    record.kind: record
    for record in (
        BLANK,
        COMMENT,
        LABEL,
        DECLARATION,
        FUNCTION,
        FUNCTION_DECLARATION,
        SECTION,
        OPEN,
        CLOSE,
        DIRECTIVE,
        LOCATION,
        DATA,
        LINE,
        EMPTY,
        BROKEN,
    )
}
"""The shared record of each kind whose records have no further data."""
