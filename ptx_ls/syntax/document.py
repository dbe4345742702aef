"""A PTX document: two parallel lists, lines and records, and an outline over them.

No absolute offset is stored, so nothing shifts on an edit; an edit reads its lines again and
runs on until an old boundary between statements is reached (docs/architecture.md).
"""

from __future__ import annotations

from bisect import bisect_right
from typing import TYPE_CHECKING, Final, NamedTuple

from ptx_ls.source.lines import content_length, split_lines
from ptx_ls.source.position import Position
from ptx_ls.syntax.offsets import shifted, slice_lines
from ptx_ls.syntax.outline import Outline
from ptx_ls.syntax.reader import Reader
from ptx_ls.syntax.record import MultiLine, Piece, Record, run_start
from ptx_ls.syntax.statement import Statement, piece_of
from ptx_ls.syntax.statements import LONGEST_STRING

if TYPE_CHECKING:
    from collections.abc import Generator, Iterator


_CHARACTERS: Final = 1 << 18
_LINES: Final = 2048
"""What is split into lines, and what is read, in one step."""
_FEW: Final = 50
"""Lines that are read one by one rather than scanned."""


class ListChange(NamedTuple):
    """What an edit did to the lists: lines [first, old_stop) became [first, new_stop)."""

    first: int
    old_stop: int
    new_stop: int
    is_structural: bool


def _start_of(piece: Piece) -> tuple[int, int]:
    return piece.start


class Document:
    """Lines (each with its line end; the last has none), their records and the outline."""

    __slots__ = ("_gap", "_last", "_reader", "lines", "outline", "records")

    def __init__(self, text: str, reader: Reader | None = None) -> None:
        self._reader = reader or Reader()
        self._gap = 0, 0
        self._last: tuple[int, str, Record, Statement] | None = None
        self.lines = split_lines(text)
        self.records = self._reader.read_all(self.lines)
        self.outline = Outline(self.records)

    @classmethod
    def of(
        cls,
        lines: list[str],
        records: list[Record],
        reader: Reader,
        gap: tuple[int, int] = (0, 0),
    ) -> Document:
        """The document of lines that a reader has read already.

        `gap`: in front of that line, so many lines of a text are left out.
        """
        found = cls("", reader)
        found.lines, found.records, found.outline = lines, records, Outline(records)
        found._gap = gap
        return found

    @classmethod
    def in_steps(cls, text: str, reader: Reader | None = None) -> Generator[None, None, Document]:
        """Reads a large text; yields every few milliseconds, to be gone on with or given up."""
        lines: list[str] = []
        start = 0
        while start < len(text):
            stop = text.find("\n", start + _CHARACTERS) + 1 or len(text)
            lines[-1:] = split_lines(text[start:stop])  # in place of the empty one behind the end
            start = stop
            yield
        reader = reader or Reader()
        records = yield from reader.reading(lines or [""], _LINES)
        return cls.of(lines or [""], records, reader)

    def number(self, line: int) -> int:
        """The number of a line of this document in the whole text, from 0."""
        first, n_left_out = self._gap
        return line + n_left_out if line >= first else line

    def line_of(self, number: int) -> int:
        """The opposite of `number`."""
        first, n_left_out = self._gap
        return number - n_left_out if number >= first + n_left_out else number

    @property
    def text(self) -> str:
        """The whole text; costs time in proportion to its size."""
        return "".join(self.lines)

    def edit(self, start: Position, end: Position, text: str) -> ListChange:
        """Replaces a range by `text` and reads what changed. Positions out of range are clamped.

        Costs time in proportion to the lines of the range, of `text` and of statements touched.
        """
        first, last, joined = self._joined(start, end, text)
        new_lines = split_lines(joined)
        if last + 1 < len(self.lines):
            new_lines.pop()
        old_first = self._start_of_reading(first)
        old_stop = self.stop_of_run(last + 1)
        self.lines[first : last + 1] = new_lines
        delta = len(new_lines) - (last + 1 - first)
        return self._read_again(old_first, old_stop, delta)

    def _joined(self, start: Position, end: Position, text: str) -> tuple[int, int, str]:
        """First and last line touched, and what shall stand in their place."""
        start = self.clamped(start)
        end = max(start, self.clamped(end))
        first, last = start.line, end.line
        head = self.lines[first][: start.column]
        tail = self.lines[last][end.column :]
        joined = head + text + tail
        if first and joined[:1] == "\n" and self.lines[first - 1].endswith("\r"):
            first -= 1
            joined = self.lines[first] + joined
        if last + 1 < len(self.lines) and not joined.endswith(("\n", "\r")):
            last += 1
            joined += self.lines[last]
        if (
            last + 1 < len(self.lines)
            and joined.endswith("\r")
            and self.lines[last + 1][:1] == "\n"
        ):
            last += 1
            joined += self.lines[last]
        return first, last, joined

    def clamped(self, position: Position) -> Position:
        """The position, moved into the document and before the line end."""
        number, column = position
        if number >= len(self.lines):
            return Position(len(self.lines) - 1, len(self.lines[-1]))
        line = self.lines[max(0, number)]
        if number >= 0 and 0 <= column <= len(line) - len("\r\n"):
            return position
        return Position(max(0, number), min(max(0, column), content_length(line)))

    def _start_of_reading(self, line: int) -> int:
        """Where the first run begins whose end an edit of a line may move."""
        start = first = self.start_of_run(line)
        near = self.records[max(0, start - LONGEST_STRING) : start]
        if not any(issubclass(kind, MultiLine) for kind in set(map(type, near))):
            return start
        for distance, before in enumerate(reversed(near), 1):
            if isinstance(before, MultiLine) and before.looks_ahead >= distance:
                first = start - distance
        return self.start_of_run(first)

    def start_of_run(self, line: int) -> int:
        """First line of the run that holds `line`; `line` itself if it is not part of a run."""
        return run_start(self.records, line)

    def stop_of_run(self, stop: int) -> int:
        """`stop`, moved behind the run that lines stop-1 and stop share."""
        records = self.records
        if stop >= len(records):
            return len(records)
        run = records[stop - 1]
        if not isinstance(run, MultiLine) or records[stop] is not run:
            return stop
        step = 1
        while stop + step < len(records) and records[stop + step] is run:
            stop += step
            step *= 2
        bound = min(stop + step, len(records))
        while stop + 1 < bound:
            middle = (stop + bound) // 2
            if records[middle] is run:
                stop = middle
            else:
                bound = middle
        return bound

    def _read_again(self, first: int, old_stop: int, delta: int) -> ListChange:
        new: list[Record] = []
        stop = first
        while True:
            stop = self._read_until(old_stop + delta, new, stop)
            further = self.stop_of_run(stop - delta)
            if further == stop - delta:
                break
            old_stop = further
        old_stop = stop - delta
        touched = {*self.records[first:old_stop], *new}
        is_structural = any(read.is_structural for read in touched)
        is_declaring = any(read.is_declaring for read in touched)
        self.outline.touched(first, old_stop, delta, is_declaring=is_declaring)
        self.records[first:old_stop] = new
        if is_structural:
            self.outline.replaced(first, old_stop, delta)
        elif delta:
            self.outline.lines_inserted(first, delta)
        return ListChange(first, old_stop, stop, is_structural)

    def _read_until(self, stop: int, new: list[Record], line: int) -> int:
        """Appends records from `line` on up to `stop`, or to where the last run ends."""
        if stop - line > _FEW:
            read_now = self._reader.read_lines(self.lines, line, stop)
            new += read_now
            return line + len(read_now)
        while line < stop:
            read, behind = self._reader.read(self.lines, line)
            new.extend([read] * (behind - line))
            line = behind
        return line

    def statements(self, line: int) -> Iterator[Statement]:
        """Statements of the line, or of the whole run that holds it, in order."""
        start = self.start_of_run(line)
        read = self.records[start]
        if isinstance(read, MultiLine):
            for piece in read.pieces:
                yield self._statement(start, piece)
        elif (alone := piece_of(read, self.lines[start])) is not None:
            yield self._statement(start, alone)

    def statement_at(self, position: Position) -> Statement | None:
        """The statement that holds a position, ends included; the later one where two meet."""
        position = self.clamped(position)
        start = self.start_of_run(position.line)
        line, read = self.lines[start], self.records[start]
        if self._last is not None:  # a statement may declare thousands of names
            last_start, last_line, last_read, last = self._last
            is_same = last_start == start and last_line is line and last_read is read
            if is_same and last.start <= position < last.end:
                return last
        if isinstance(read, MultiLine):
            place = position.line - start, position.column
            index = bisect_right(read.pieces, place, key=_start_of) - 1
            found = self._statement(start, read.pieces[index]) if index >= 0 else None
        else:
            found = next(self.statements(start), None)
        if found is None or not found.start <= position <= found.end:
            return None
        self._last = start, line, read, found
        return found

    def _statement(self, start: int, piece: Piece) -> Statement:
        first = Position(*shifted(piece.start, (start, 0)))
        last = Position(*shifted(piece.end, (start, 0)))
        text = slice_lines(self.lines, (first.line, first.column), (last.line, last.column))
        return Statement(piece.record, first, last, text)
