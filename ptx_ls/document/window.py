"""A window: the lines and records of neighbouring chunks, for reading an edit."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ptx_ls.document.chunk import LINE_ENDS, ends_certainly
from ptx_ls.document.coordinates import ChunkPosition, inwards
from ptx_ls.syntax.long_tokens import MAX_STRING_LINES
from ptx_ls.syntax.record import BLANK, MultiLine, Record
from ptx_ls.syntax.record_lines import run_start, run_stop

if TYPE_CHECKING:
    from ptx_ls.document.chunk import Chunk
    from ptx_ls.document.function_tree import ChunkPath, FunctionTree
    from ptx_ls.source import Position


class Window:
    """The chunks from `first` to `last`, which can be extended at both ends.

    A line that two chunks share is a single line here. Its record is unknown, as are those of the
    lines in a run with it, so they have an empty run instead. At the end of the document, the last
    line is included even if it is empty.
    """

    def __init__(self, document: FunctionTree, first: ChunkPath) -> None:
        self._document = document
        self.first = self.last = self._edited = first
        self._start = document.start_of_chunk(first)
        chunk = document.chunk(first)
        self.lines = chunk.lines
        self.records: list[Record] = list(chunk.records)
        self.starts = [0]
        """The row on which each chunk starts."""
        self.is_certain_end = ends_certainly(chunk.lines, chunk.records)
        """Whether the last statement certainly ends in the window, even if more text follows."""
        self.known_from = 0
        """The first row from which on all records are known."""
        self._close()

    def row(self, position: Position) -> ChunkPosition:
        """Converts a position of the document to a row and column of the window."""
        return ChunkPosition(inwards(position, self._start))

    @property
    def after(self) -> Chunk | None:
        """The chunk after the window; None at the end of the document."""
        path = self._document.neighbour(self.last, 1)
        return None if path is None else self._document.chunk(path)

    @property
    def before(self) -> Chunk | None:
        """The chunk before the window; None at the beginning of the document."""
        path = self._document.neighbour(self.first, -1)
        return None if path is None else self._document.chunk(path)

    @property
    def _is_after_certain_end(self) -> bool:
        """Whether no edit of the window can change where the statement before it ends.

        False if the window begins with the edited chunk, as a `;` may be typed after a `;`.
        """
        before = self.before
        is_first = self.first == self._edited
        return not is_first and before is not None and ends_certainly(before.lines, before.records)

    @property
    def is_within_line(self) -> bool:
        """Whether the window begins within a line."""
        return self._start.columns > 0

    def append(self) -> None:
        """Adds the chunk after the window."""
        path = self._document.neighbour(self.last, 1)
        if path is None:
            return
        self.last = path
        chunk = self._document.chunk(path)
        lines, records = chunk.lines, list(chunk.records)
        self.is_certain_end = ends_certainly(lines, records)
        if self.lines[-1].endswith(LINE_ENDS):
            self.starts.append(len(self.lines))
            self.lines += lines
            self.records += records
        else:
            self.starts.append(len(self.lines) - 1)
            self.lines[-1:] = [self.lines[-1] + lines[0], *lines[1:]]
            n_unknown = run_stop(records, 0)
            self.known_from = len(self.records) - 1 + n_unknown
            self.records = _joined(self.records, records, n_unknown)
        self._close()

    def prepend(self) -> None:
        """Adds the chunk before the window."""
        path = self._document.neighbour(self.first, -1)
        if path is None:
            return
        self.first = path
        self._start = self._document.start_of_chunk(path)
        chunk = self._document.chunk(path)
        lines, records = chunk.lines, list(chunk.records)
        if lines[-1].endswith(LINE_ENDS):
            n_added = len(lines)
            self.lines[:0] = lines
            self.records[:0] = records
        else:
            n_added = len(lines) - 1
            self.lines[:1] = [*lines[:-1], lines[-1] + self.lines[0]]
            self.records = _joined(records, self.records, run_stop(self.records, 0))
        self.known_from += n_added
        self.starts = [0, *[start + n_added for start in self.starts]]

    def _close(self) -> None:
        if self.after is None and self.lines[-1].endswith(LINE_ENDS):
            self.lines.append("")
            self.records.append(BLANK)

    def start_of_reading(self, row: int) -> int | None:
        """Returns the first row to read again after an edit of `row`; None if before the window."""
        records = self.records
        first = start = run_start(records, row)
        before = records[max(0, start - MAX_STRING_LINES) : start][::-1]
        for distance, read in enumerate(before, 1):
            if isinstance(read, MultiLine) and read.looks_ahead >= distance:
                first = start - distance
        first = run_start(records, first)
        if self.before is None:
            return first
        is_within = not first and self.is_within_line and not self._is_after_certain_end
        return None if is_within or self._reach_before() > first else first

    def _reach_before(self) -> int:
        """Returns the number of rows that may affect how the text before the window is read."""
        reach = n_lines = 0
        path = self._document.neighbour(self.first, -1)
        while path is not None and n_lines < MAX_STRING_LINES:
            chunk = self._document.chunk(path)
            reach = max(reach, chunk.reach - n_lines)
            n_lines += chunk.n_lines
            path = self._document.neighbour(path, -1)
        return reach

    def stop_of_run(self, stop: int) -> int:
        """Returns `stop`, or the end of the run that contains both rows, stop-1 and stop."""
        records = self.records
        while stop < len(records) and isinstance(records[stop], MultiLine):
            if records[stop] is not records[stop - 1]:
                break
            stop += 1
        return stop


def _joined(one: list[Record], other: list[Record], n_unknown: int) -> list[Record]:
    """Joins the records of two chunks that share a line; records around that line become unknown.

    These are the records of the last run of `one`, and the first `n_unknown` records of `other`.
    """
    unknown = MultiLine((), (), looks_ahead=MAX_STRING_LINES)
    start = run_start(one, len(one) - 1)
    return one[:start] + [unknown] * (len(one) - start + n_unknown - 1) + other[n_unknown:]
