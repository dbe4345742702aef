"""Statements with their places in a document."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from ptx_ls.source.lines import split_lines
from ptx_ls.source.named_tuple import NamedTuple
from ptx_ls.source.position import Position, Range
from ptx_ls.syntax import parser
from ptx_ls.syntax.offsets import RunPosition, StatementPosition, shifted
from ptx_ls.syntax.parsing import instruction_parts
from ptx_ls.syntax.record import Kind, Piece, Record
from ptx_ls.syntax.statements import BLANKS, Cutter
from ptx_ls.syntax.tokens import MAX_STATEMENT_LENGTH

if TYPE_CHECKING:
    from ptx_ls.syntax.operands import Identifier, OperandSyntax

_END_WITH_SEMICOLON: Final = (Kind.INSTRUCTION, Kind.DECLARATION)
"""Kinds of statements that end with `;`; one that is alone on a line is found without a cutter."""
MAX_ANALYSED: Final = 1 << 14
"""Maximum length, in characters, of a statement to parse for a request; this takes 70 ms."""


class Statement(NamedTuple):
    """A statement of a document: its record, its range and its text."""

    record: Record
    start: Position
    end: Position
    text: str

    @property
    def is_instruction(self) -> bool:
        """Whether it is an instruction, even one with a syntax error."""
        return self.record.kind in (Kind.INSTRUCTION, Kind.BROKEN)

    @property
    def parsed(self) -> parser.Parsed:
        """The tree of the text, or of its beginning if it is long, and its first problem."""
        return parser.parse(self.text[:MAX_ANALYSED])

    @property
    def is_long(self) -> bool:
        """Whether the tree covers only the beginning of the statement."""
        return len(self.text) > MAX_ANALYSED

    def offset(self, position: Position) -> int:
        """Converts a position in the document to an offset in `text`."""
        below = position.line - self.start.line
        if not below:
            return position.column - self.start.column
        return sum(map(len, split_lines(self.text)[:below])) + position.column

    def position(self, place: StatementPosition) -> Position:
        """Converts a place in `text` to a position in the document."""
        return Position(*shifted(place, self.start))

    def range(self, start: StatementPosition, end: StatementPosition) -> Range:
        """Converts a range in `text` to a range in the document."""
        return Range(self.position(start), self.position(end))

    def parts(self) -> tuple[tuple[OperandSyntax, ...], tuple[Identifier, ...]]:
        """Returns the operands and identifiers of an instruction, with their places in `text`."""
        return instruction_parts.of_instruction(self.parsed.tree)


def piece_of(read: Record, line: str) -> Piece | None:
    """Returns the statement of a line that is not in a run; None if it has none.

    `line` may also be the beginning or the rest of a line.
    """
    if read.kind in (Kind.BLANK, Kind.COMMENT):
        return None
    if read.kind in _END_WITH_SEMICOLON and (plain := _plain(read, line)):
        return plain
    cutter = Cutter()
    cutter.feed(line)
    cutter.close()
    return next((Piece(read, cut.start, cut.end) for cut in cutter.cuts), None)


def _plain(read: Record, line: str) -> Piece | None:
    """Returns a statement that is alone on a line; None if there may be more, such as a comment."""
    if "/" in line or '"' in line or len(line) > MAX_STATEMENT_LENGTH:
        return None
    text = line.rstrip(BLANKS)
    if text.find(";") != len(text) - 1:
        return None
    start = len(text) - len(text.lstrip(BLANKS))
    return Piece(read, RunPosition((0, start)), RunPosition((0, len(text))))
