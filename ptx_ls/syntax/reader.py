"""Reads lines into records.

A line is first looked up by its text without digits, so nearly every line of a large
file costs one lookup. Other plain lines are read by regular expressions, and all others
by the cutter and the statement parser.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

from ptx_ls.source.patterns import LazyPattern
from ptx_ls.source.text_lines import TextLines
from ptx_ls.syntax import parser, record, tokens
from ptx_ls.syntax.cut import Cut
from ptx_ls.syntax.digit_safety import is_digit_safe
from ptx_ls.syntax.names import NAME_CHARACTERS, NAME_PATTERN
from ptx_ls.syntax.normalize import canonical_statement, with_zero_registers
from ptx_ls.syntax.offsets import STATEMENT_START, place_of, slice_lines
from ptx_ls.syntax.parser import SyntaxProblem
from ptx_ls.syntax.parsing.expected import expected_after
from ptx_ls.syntax.plain.calls import read_call
from ptx_ls.syntax.plain.declarations import plain_declaration
from ptx_ls.syntax.plain.directives import is_plain_directive
from ptx_ls.syntax.plain.heads import plain_head
from ptx_ls.syntax.plain.lines import END, read_plain
from ptx_ls.syntax.plain.runs import read_declaration, read_head
from ptx_ls.syntax.plain.statements import plain_statements
from ptx_ls.syntax.problems import (
    at_follower,
    moved,
    odd_modifier,
    problem_of_head,
    unclosed,
)
from ptx_ls.syntax.record import (
    SHARED,
    InlineAsmLine,
    InlineAsmPattern,
    Kind,
    MultiLine,
    Piece,
    Record,
    Shape,
)
from ptx_ls.syntax.scanner import known_lines
from ptx_ls.syntax.shapes import Shapes, is_final
from ptx_ls.syntax.statements import Cutter
from ptx_ls.syntax.tokens import MAX_STATEMENT_LENGTH

if TYPE_CHECKING:
    from collections.abc import Sequence

    from ptx_ls.syntax.parser import RunProblem, StatementProblem

INSTRUCTION: Final = re.compile(
    rf"[ \t]*+(@[ \t]*+!?+[ \t]*+{NAME_CHARACTERS}[ \t]++)?"
    rf"([a-z]\w*+{tokens.SUFFIX}*)"
    rf"(?:[ \t]++([^;\"/\r\n]*+))?;{END}",
    re.ASCII,
).match
"""Matches an instruction alone on its line, without strings; a comment may follow it."""
_PIECE: Final = LazyPattern(
    rf"[ \t]*+(?:(?P<brace>[{{}}])|(?P<register>\.reg[ \t]++"
    rf"\.(?:pred|[bus]8|[busf](?:16|32|64))[ \t]++{NAME_PATTERN};)"
    rf"|(?P<guard>@!?+{NAME_CHARACTERS}[ \t]++)?(?P<opcode>[a-z]\w*+{tokens.SUFFIX}*)"
    rf"(?:[ \t]++(?P<arguments>[^;\"/\r\n]*+))?;)",
    re.ASCII,
).match
"""Matches one of several plain statements on a line."""
_ENDS: Final = ";{}"
"""The characters that end a plain statement."""
_REST: Final = re.compile(END, re.ASCII).match
_MAX_FORM_LENGTH: Final = 2_000
"""Maximum length, in characters, of a line for which a pattern of inline assembly is made."""
_MAX_REMEMBERED: Final = 100_000
"""Maximum number of lines whose records are stored, and of patterns of inline assembly."""


class Reader:
    """Reads lines. It keeps the shapes, so several documents should share one. Not thread-safe."""

    __slots__ = ("_forms", "_lines", "_shapes")

    def __init__(self) -> None:
        self._shapes = Shapes()
        self._lines = known_lines()
        self._forms: dict[str, InlineAsmPattern] = {}

    def read_all(self, lines: Sequence[str]) -> list[Record]:
        """Returns the records of a whole text, parallel to `lines` (with line ends)."""
        return self.read_lines(lines, 0, len(lines))

    def read_lines(self, lines: Sequence[str], first: int, stop: int) -> list[Record]:
        """Returns the records of the lines [first, stop), and of later lines in a run with them."""
        stop = min(stop, len(lines))
        stop_of_run = first

        def read(number: int) -> tuple[Record, int, bool]:
            nonlocal stop_of_run
            row = first + number
            found, stop_of_run = self.read(lines, row)
            return found, min(stop_of_run, stop) - first, self._is_shared(found, lines[row])

        part = TextLines.part_of(lines, first, stop)
        records = self._lines.scan(part.text, part.starts, read)
        if stop_of_run > stop:
            records += [records[-1]] * (stop_of_run - stop)
        return records

    def _is_shared(self, read: Record, line: str) -> bool:
        """Whether to keep the record of a line for all lines that differ from it in digits."""
        is_single = not isinstance(read, MultiLine)
        return is_single and len(self._lines) < _MAX_REMEMBERED and is_digit_safe(read, line)

    def read(self, lines: Sequence[str], row: int) -> tuple[Record, int]:
        """Returns the record of a line, or of the run that begins there, and the line after it."""
        plain = self._read_ordinary(lines[row])
        if plain is not None:
            return plain, row + 1
        found = read_head(lines, row) or read_declaration(lines, row)
        return found or self._read_call(lines, row) or self._read_cut(lines, row)

    def _read_call(self, lines: Sequence[str], row: int) -> tuple[MultiLine, int] | None:
        """Returns the plain call that begins on a line, and the line after it."""
        call = read_call(lines, row)
        shape = None if call is None else self._shapes.of(None, call.opcode, call.operands)
        if call is None or shape is None:
            return None
        run = MultiLine((Piece(shape, call.start, call.end),), (), looks_ahead=0)
        return run, row + call.end[0] + 1

    def read_line(self, line: str) -> Record | None:
        """Returns the record of a single line; None if a statement or comment stays open."""
        plain = self._read_ordinary(line)
        if plain is not None:
            return plain
        cutter = Cutter(self._plain_statements)
        cutter.feed(line)
        return None if cutter.is_open else self._read_alone(line, cutter)

    def _read_ordinary(self, line: str) -> Record | None:
        """Returns the record of a line that a regular expression matches, or None."""
        shape = self._read_instruction(line)
        if shape is not None:
            return shape
        bare = with_zero_registers(line) if len(line) <= _MAX_FORM_LENGTH else ""
        form = self._forms.get(bare)
        if form is not None:
            return InlineAsmLine(line, form)
        read = read_plain(line)
        if read is None and bare:
            read = self._plain_run(line, bare)
        return read

    def _read_instruction(self, line: str) -> Shape | None:
        """Returns the shape of an instruction that `INSTRUCTION` matches, or None."""
        match = INSTRUCTION(line)
        if match is None or len(line) > MAX_STATEMENT_LENGTH:
            return None
        return self._shapes.of(*match.groups())

    def _read_any_instruction(self, text: str) -> Shape | None:
        """Returns the shape of an instruction in any spelling; None if it has a syntax error."""
        match = INSTRUCTION(text)
        if match is not None:
            key = self._shapes.key(*match.groups())
            shape = self._shapes.intern(key)
            if shape is not None or is_final(key):
                return shape
        return self._shapes.intern(canonical_statement(text))

    def _read_plain(self, lines: list[str]) -> list[Record]:
        """Returns the records of the first lines, up to one that is not plain.

        The line that is not plain has the record of a blank line.
        """
        n_read = len(lines)

        def read(number: int) -> tuple[Record, int, bool]:
            nonlocal n_read
            line = lines[number]
            found = self._read_instruction(line) or read_plain(line)
            if found is None:
                n_read = number + 1
                return record.BLANK, len(lines), False
            return found, number + 1, self._is_shared(found, line)

        cut = TextLines.of(lines)
        records = self._lines.scan(cut.text, cut.starts, read)
        return records[:n_read]

    def _plain_statements(self, line: str, place: int, row: int) -> list[Cut]:
        return plain_statements(line, place, row, self._read_plain)

    def _read_cut(self, lines: Sequence[str], start: int) -> tuple[Record, int]:
        """Returns the record of a line or run that the cutter reads, and the line after it."""
        cutter = Cutter(self._plain_statements)
        row = start
        while row < len(lines):
            if not cutter.feed(lines[row]):
                row = start + cutter.n_lines
                break
            row += 1
            if cutter.is_in_string:
                row = cutter.pass_over_string(lines, row)
            if not cutter.is_open:
                break
            if cutter.is_in_comment:
                row = cutter.pass_over(lines, row)
        if row == start + 1 and not cutter.is_open and not cutter.looked_ahead:
            return self._read_alone(lines[start], cutter), row
        problems: tuple[RunProblem, ...] = ()
        if cutter.is_in_comment:
            problems = (unclosed(cutter),)
        if cutter.is_open:
            cutter.close()
        return self._run(lines[start:row], cutter, problems), row

    def _read_alone(self, line: str, cutter: Cutter) -> Record:
        """Returns the record of a line that was fed to the cutter, if nothing in it is open."""
        if not cutter.cuts:
            return record.COMMENT
        if len(cutter.cuts) == 1:
            return self._single(line, cutter.cuts[0])
        return self._run([line], cutter)

    def _plain_run(self, line: str, bare: str) -> InlineAsmLine | None:
        """Returns the run of several plain statements on a line, as in inline assembly, or None.

        `bare`: the line with 0 for the numbers of registers.
        """
        if sum(map(line.count, _ENDS)) < 2:  # noqa: PLR2004  one is not a run
            return None
        found: list[Record] = []
        at = 0
        while (match := _PIECE(line, at)) is not None:
            brace, register, guard, opcode, arguments = match.groups()
            if match.end() - at > MAX_STATEMENT_LENGTH:
                return None
            read: Record | None
            if opcode:
                read = self._shapes.of(guard, opcode, arguments)
            elif register:
                read = record.DECLARATION
            else:
                read = record.OPEN if brace == "{" else record.CLOSE
            if read is None:
                return None
            found.append(read)
            at = match.end()
        if len(found) < 2 or _REST(line, at) is None:  # noqa: PLR2004  one is not a run
            return None
        form = InlineAsmPattern(bare, tuple(found))
        if len(self._forms) < _MAX_REMEMBERED:
            self._forms[bare] = form
        return InlineAsmLine(line, form)

    def _single(self, line: str, cut: Cut) -> Record:
        if cut.read is not None:
            return cut.read
        problem, shape = self._check(cut.kind, line[cut.start[1] : cut.end[1]])
        if problem is None:
            return shape or SHARED.get(cut.kind, record.BROKEN)
        kind = Kind.BROKEN if cut.kind is Kind.INSTRUCTION else cut.kind
        return Record(kind, (moved(problem, cut.start),))

    def _check(self, kind: Kind, text: str) -> tuple[StatementProblem | None, Shape | None]:
        """Returns the syntax problem of a statement, or the shape of a correct instruction."""
        if kind is Kind.EMPTY:
            return SyntaxProblem(STATEMENT_START, place_of(text, len(text)), ";", ()), None
        if (
            kind in (Kind.OPEN, Kind.CLOSE, Kind.LABEL)
            or (kind is Kind.LINE and text.startswith("#"))
            or (kind is Kind.DECLARATION and plain_declaration(text))
            or (kind in (Kind.DIRECTIVE, Kind.SECTION) and is_plain_directive(text))
        ):
            return None, None
        if kind is Kind.INSTRUCTION and text.endswith(";") and len(text) <= MAX_STATEMENT_LENGTH:
            shape = self._read_any_instruction(text)
            if shape is not None:
                return None, shape
        return self._problem(kind, text), None

    def _problem(self, kind: Kind, text: str) -> StatementProblem | None:
        """Returns the syntax problem of a statement that has no shape."""
        if kind in (Kind.FUNCTION, Kind.FUNCTION_DECLARATION):
            is_plain = plain_head(text) is not None and "\v" not in text
            return None if is_plain else problem_of_head(text)
        problem = parser.problem_of(text)
        if problem is not None and kind is Kind.DATA:
            # `;` is expected only because it may follow a type alone, so it is not missing.
            expected = tuple(one for one in problem.expected if one != ";")
            problem = problem._replace(expected=expected)
        if problem is None and kind is Kind.INSTRUCTION:
            problem = odd_modifier(text)
        if problem is None and text.startswith("#"):
            problem = SyntaxProblem(STATEMENT_START, place_of(text, 1), "#", expected_after(()))
        return problem

    def _run(
        self, lines: Sequence[str], cutter: Cutter, problems: tuple[RunProblem, ...] = ()
    ) -> MultiLine:
        pieces = []
        found = list(problems)
        for cut in cutter.cuts:
            if cut.read is not None:
                pieces.append(Piece(cut.read, cut.start, cut.end))
                continue
            text = slice_lines(lines, cut.start, cut.end)
            problem, shape = self._check(cut.kind, text)
            if problem is not None:
                found.append(at_follower(moved(problem, cut.start), cut, text))
            shared = SHARED.get(cut.kind, record.BROKEN)
            pieces.append(Piece(shape or shared, cut.start, cut.end))
        return MultiLine(tuple(pieces), tuple(found), looks_ahead=cutter.looked_ahead)
