"""Cuts text into statements, line by line, and recovers from missing terminators.

Line ends are white space in PTX, so tokens determine where a statement ends. But text in an editor
is often incomplete, so a line that clearly begins a new statement ends the one before it
(boundaries.py).
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final, TypeAlias

from ptx_ls.syntax.boundaries import begins_statement
from ptx_ls.syntax.cut import INSTRUCTION_MODES, Cut, Follower, kind_of
from ptx_ls.syntax.long_tokens import (
    CLOSERS,
    COMMENT_BEGIN,
    MAX_STRING_LINES,
    RAW_BEGIN,
    RAW_END,
    begins_raw,
    end_in,
    is_begun_marker,
    last_of_marker,
    line_of_end,
    line_of_string_end,
)
from ptx_ls.syntax.names import IDENTIFIER
from ptx_ls.syntax.offsets import RUN_START, RunPosition, along
from ptx_ls.syntax.progress import TARGET, StatementProgress, TokenState, directive_mode
from ptx_ls.syntax.record import Kind
from ptx_ls.syntax.tokens import (
    ESCAPE,
    MAX_STATEMENT_LENGTH,
    TOKEN,
    is_begun_string,
    is_marker,
    is_over_lines,
)

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

_SINGLE: Final = {";": Kind.EMPTY, "{": Kind.OPEN, "}": Kind.CLOSE}
_BEFORE_OPCODE: Final = ("@", ESCAPE)
_OPENING_KINDS: Final = ("error", "dotted", "line")
"""Groups of tokens that may continue on the next line."""
BLANKS: Final = " \t\r\n\f\x1a"
"""White space around a statement on its line."""
_UNDOTTED: Final = re.compile(rf"(?P<word>{IDENTIFIER})", re.ASCII).match

ReadPlain: TypeAlias = "Callable[[str, int, int], list[Cut]]"
"""Reads the plain statements of a line from a column on; the last argument is the line number."""


class Cutter:
    """Finds the statements in lines that are fed in order; `cuts` has the complete ones.

    `read_plain` reads several plain statements at once, without looking at their tokens.
    """

    __slots__ = (
        "_at",
        "_jump",
        "_marker",
        "_read_plain",
        "_row",
        "_until",
        "cuts",
        "looked_ahead",
        "opened",
    )

    def __init__(self, read_plain: ReadPlain | None = None) -> None:
        self.cuts: list[Cut] = []
        self.looked_ahead = 0
        """The number of lines after the last cut that determined where it ends."""
        self.opened = RUN_START
        """The start of the last block comment, raw text or string over several lines."""
        self._row = -1
        self._jump = 0
        self._at: StatementProgress | None = None
        self._until = ""
        self._marker: Follower | None = None
        self._read_plain = read_plain

    @property
    def is_open(self) -> bool:
        """Whether a statement, a block comment, raw text or a string is unfinished."""
        return self._at is not None or bool(self._until)

    @property
    def n_lines(self) -> int:
        """The number of lines read so far, including skipped ones."""
        return self._row + 1

    @property
    def is_in_string(self) -> bool:
        """Whether a string is unfinished, and may continue on the next line."""
        return self._until == '"'

    @property
    def is_in_comment(self) -> bool:
        """Whether a block comment, raw text or a string is unfinished."""
        return self._until not in ("", "\n")

    @property
    def awaited(self) -> tuple[str, str]:
        """The texts that begin and end the unfinished comment or raw text."""
        begin = RAW_BEGIN if self._until == RAW_END else COMMENT_BEGIN
        return begin, CLOSERS[begin]

    def feed(self, line: str) -> bool:
        """Reads a line with its line end; returns whether it was read.

        A line is not read if it begins a new statement after one without terminator; then `n_lines`
        is the number of the line at which to begin again.
        """
        start = self._start(line)
        self._row = row = self._row + 1
        if start is None:
            return True
        place = self._after_plain(line, start)
        is_first = place == 0
        while (match := self._token(line, place)) is not None:
            kind, token, at = str(match.lastgroup), match[0], self._at
            if kind in _OPENING_KINDS and self._opens(token, kind, match):
                break
            if at is not None and kind == "error" and is_begun_string(token):
                kind = "string"
                self._await('"', match)
            if at is not None and begins_statement(at, token, kind, match, is_first=is_first):
                self._finish_unterminated(at, match, is_first=is_first)
                if is_first and self.n_lines <= row:
                    return False
                at = None
            if at is None:
                self._begin(token, kind, match)
            else:
                self._continue(at, token, kind, match, is_first=is_first)
            is_first = False
            place = self._jump or match.end()
            if self._at is None:
                place = self._after_plain(line, place)
        self._end_line()
        return True

    def _after_plain(self, line: str, place: int) -> int:
        """Takes the plain statements at a column, if none is open; returns the column after."""
        if self._at is not None or self._read_plain is None:
            return place
        found = self._read_plain(line, place, self._row)
        self.cuts += found
        return found[-1].end[1] if found else place

    def _finish_unterminated(
        self, at: StatementProgress, match: re.Match[str], *, is_first: bool
    ) -> None:
        """Ends a statement before the token that begins another one.

        If that token begins a line, the line is not read. If the statement ends with a `{` that
        begins a line, that opens a block instead of an operand, and the statement ends before it.
        """
        follower = Follower(self._place(match.start()), self._place(match.end()), match[0])
        is_on_new_line = is_first and self._row > 0
        is_instruction = at.mode is TokenState.INSTRUCTION
        if is_on_new_line and is_instruction and at.previous == "{" and at.brace is not None:
            start, at.end = at.brace
            follower = Follower(start, along(start, 1), "{")
        self._finish(at, follower=follower)
        if is_on_new_line:
            self._look_ahead(self._row - follower.start[0] + 1)
            self._row = follower.start[0] - 1

    def _opens(self, token: str, kind: str, match: re.Match[str]) -> bool:
        """Whether the rest of the line is in a comment, raw text or line marker that continues."""
        if token in CLOSERS and (token == COMMENT_BEGIN or begins_raw(match.string, match.start())):
            self._await(CLOSERS[token], match)
            return True
        if kind != "line" or is_begun_marker(token) is None:
            return False
        self._await('"', match)
        self._marker = Follower(self.opened, self._place(match.end()), token)
        return True

    def _await(self, closer: str, match: re.Match[str]) -> None:
        """Begins to skip lines up to a text that closes a token."""
        self._until = closer
        self._marker = None
        self.opened = self._place(match.start())

    def pass_over(self, lines: Sequence[str], row: int) -> int:
        """Skips the lines from `row` on that a comment or raw text fills; returns the next line.

        Without its end, a comment extends to the end of the file.
        """
        end = line_of_end(lines, row, self._until)
        self._row += end - row
        return end

    def pass_over_string(self, lines: Sequence[str], row: int) -> int:
        """Skips the lines from `row` on that a string fills; returns the next line.

        A string without an end nearby is taken to end with its first line. The string of a line
        marker then also ends the statement that contains the marker.
        """
        marker = self._marker
        last = line_of_string_end(lines, row, is_marker=marker is not None)
        if last is not None:
            self._row += last - row
            return last
        self._until = ""
        if marker is not None:
            if self._at is not None:
                self._finish(self._at, follower=marker)
            self.cuts.append(Cut(Kind.LINE, marker.start, marker.end))
        self._look_ahead(MAX_STRING_LINES)
        self._end_line()
        return row

    def _place(self, column: int) -> RunPosition:
        return RunPosition((self._row, column))

    def _look_ahead(self, n_lines: int) -> None:
        self.looked_ahead = max(self.looked_ahead, n_lines)

    def _is_passed_over(self, at: StatementProgress, match: re.Match[str]) -> bool:
        """Whether to ignore a token, because its instruction is already longer than the maximum.

        Keeps the first token beyond the maximum, but skips the text after it, up to a `;` or the
        next line.
        """
        is_over = match.end() - at.start[1] > MAX_STATEMENT_LENGTH and at.start[0] == self._row
        if not is_over or at.mode not in INSTRUCTION_MODES:
            return False
        if at.end[1] - at.start[1] > MAX_STATEMENT_LENGTH:
            return True
        line = match.string
        stop = line.find(";", match.start())
        self._jump = stop if stop >= match.end() else len(line) if stop < 0 else 0
        return False

    def _token(self, line: str, place: int) -> re.Match[str] | None:
        """Returns the next token of a line from a column on; target names have no dotted parts.

        Skips white space, and line markers within a statement.
        """
        self._jump = 0
        while (match := TOKEN.match(line, place)) is not None:
            kind = match.lastgroup
            if kind == "space":
                if is_over_lines(match[0]):
                    self._until = "\n"
            elif kind == "word" and self._at is not None and self._at.first == TARGET:
                return _UNDOTTED(line, place) or match
            elif kind != "line" or self._at is None or not is_marker(match[0]):
                return match
            place = match.end()
        return None

    def _start(self, line: str) -> int | None:
        """Returns the column where a line's tokens begin; None if they begin on a later line."""
        if not self._until:
            return 0
        end = end_in(line, self._until)
        if not end:
            return None
        if self._until == '"':
            end = self._end_string(line, end)
        elif self._until == RAW_END and self._at is None:  # an error outside a section
            self.cuts.append(Cut(Kind.DIRECTIVE, self.opened, RunPosition((self._row + 1, end))))
        self._until = ""
        return end

    def _end_string(self, line: str, end: int) -> int:
        """Ends a string over several lines, or its line marker; returns the column of the end."""
        marker = self._marker
        if marker is None:
            if self._at is not None:
                self._at.end = RunPosition((self._row + 1, end))
            return end
        match = last_of_marker(line)
        end = match.end() if match is not None else end
        if self._at is None:
            self.cuts.append(Cut(Kind.LINE, marker.start, RunPosition((self._row + 1, end))))
        return end

    def close(self) -> None:
        """Ends a statement that is open at the end of the text."""
        if self._at is not None:
            self._finish(self._at)
        self._look_ahead(1)

    def _begin(self, token: str, kind: str, match: re.Match[str]) -> None:
        start, end = self._place(match.start()), self._place(match.end())
        if kind == "operator" and token in _SINGLE:
            if token == ";":
                start = self._start_of_empty(match, start)
            self.cuts.append(Cut(_SINGLE[token], start, end))
            return
        if kind == "line":
            self.cuts.append(Cut(Kind.LINE, start, end))
            return
        if kind in ("word", "reg"):
            mode = TokenState.WORD
        elif kind == "dotted":
            mode = directive_mode(token)
        else:
            mode = TokenState.GUARD if token in _BEFORE_OPCODE else TokenState.INSTRUCTION
        self._at = StatementProgress(mode, start, token, kind, end)
        if kind == "operator":
            self._at.count(token)

    def _start_of_empty(self, match: re.Match[str], start: RunPosition) -> RunPosition:
        """Joins several `;` on one line to one empty statement, and returns its start."""
        last = self.cuts[-1] if self.cuts else None
        is_beside = last is not None and last.kind is Kind.EMPTY and last.end[0] == start[0]
        if last is None or not is_beside or match.string[last.end[1] : start[1]].strip(BLANKS):
            return start
        self.cuts.pop()
        return last.start

    def _continue(
        self, at: StatementProgress, token: str, kind: str, match: re.Match[str], *, is_first: bool
    ) -> None:
        was_complete, end = token == "{" and at.is_complete, at.end
        if match.end() <= MAX_STATEMENT_LENGTH or not self._is_passed_over(at, match):
            at.end = RunPosition((self._row, match.end()))
        if (
            at.mode is TokenState.WORD
            and token == ":"
            and not match.string.startswith(":", match.end())
        ):
            self._finish(at, Kind.LABEL)
            return
        at.advance(token, kind)
        if kind == "operator":
            at.brace = (self._place(match.start()), end) if token == "{" and is_first else None
            is_body = is_first or (was_complete and at.start[0] == self._row)
            self._operator(at, token, is_body=is_body)

    def _operator(self, at: StatementProgress, token: str, *, is_body: bool) -> None:
        """Takes an operator; `is_body`: whether a `{` begins a body even if a `)` is missing."""
        if token == ";":
            if at.mode is TokenState.FUNCTION and at.in_pragma:
                at.in_pragma = False
            elif at.mode is not TokenState.RAW:
                self._finish(at)
            return
        at.count(token)
        if token == "{" and at.mode is TokenState.FUNCTION and (at.brackets <= 0 or is_body):
            self._finish(at, Kind.FUNCTION)
        elif token == "{" and at.mode is TokenState.SECTION:
            self._finish(at, Kind.SECTION)
        elif token == "}" and at.mode is TokenState.RAW and at.braces <= 0:
            self._finish(at)

    def _end_line(self) -> None:
        """Ends a directive that has no terminator and is complete at the end of the line."""
        if self._at is not None and not self._until and self._at.ends_with_line:
            self._finish(self._at)

    def _finish(
        self, at: StatementProgress, kind: Kind | None = None, follower: Follower | None = None
    ) -> None:
        self.cuts.append(Cut(kind or kind_of(at), at.start, at.end, follower))
        self._at = None
