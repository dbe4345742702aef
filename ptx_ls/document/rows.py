"""Rows: the lines of neighbouring chunks with their records, as one text."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ptx_ls.document.chunk import LINE_ENDS
from ptx_ls.source.named_tuple import NamedTuple
from ptx_ls.syntax.offsets import RUN_START, RunPosition, shifted
from ptx_ls.syntax.record import BROKEN, SHARED, MultiLine, Piece, Record
from ptx_ls.syntax.record_lines import run_start, run_stop
from ptx_ls.syntax.statement import piece_of

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

    from ptx_ls.document.chunk import Chunk
    from ptx_ls.syntax.parser import RunProblem


class Rows(NamedTuple):
    """Lines with their line ends, and their records.

    The first line may be the rest of a line, and the last the beginning of one. A line that chunks
    share is a single line here; its record is a run with the statements of all these chunks.
    """

    lines: list[str]
    records: list[Record]


class WholeLines(NamedTuple):
    """Whole lines of a document, from line `first` on."""

    first: int
    rows: Rows

    @property
    def stop(self) -> int:
        """The line after the last one."""
        return self.first + len(self.rows.lines)


def rows_of(chunks: Iterable[Chunk]) -> Rows:
    """Returns the rows of neighbouring chunks."""
    rows = Rows([], [])
    shared: _SharedLine | None = None
    for chunk in chunks:
        lines, records = chunk.lines, chunk.records
        n_first = 0
        if rows.lines and not rows.lines[-1].endswith(LINE_ENDS):
            shared = shared or _SharedLine(rows)
            n_first = run_stop(records, 0)
            shared.add(lines[:n_first], records[0])
            if n_first == len(lines) and not lines[-1].endswith(LINE_ENDS):
                continue  # the next chunk may share the line as well
            shared.close()
            shared = None
        rows.lines.extend(lines[n_first:])
        rows.records.extend(records[n_first:] if n_first else records)
    if shared is not None:
        shared.close()
    return rows


def rows_where(chunks: Iterable[Chunk], search: Callable[[Chunk], Iterable[int]]) -> list[int]:
    """Returns the lines of neighbouring chunks that a search of each chunk finds.

    Each is there once, in order, also a line that chunks share.
    """
    found: dict[int, None] = {}
    first = 0
    for chunk in chunks:
        found.update(dict.fromkeys([first + row for row in search(chunk)]))
        first += chunk.extent.lines
    return list(found)


class _SharedLine:
    """The last lines of some rows, to join with further chunks on the same line."""

    def __init__(self, rows: Rows) -> None:
        self._rows = rows
        self._start = run_start(rows.records, len(rows.records) - 1)
        self._pieces: list[Piece] = []
        self._problems: list[RunProblem] = []
        self._looks_ahead = 0
        self._take(rows.lines[self._start :], rows.records[-1], RUN_START)

    def add(self, lines: Sequence[str], read: Record) -> None:
        """Adds the lines of a chunk's first record, the first of which continues the last line."""
        own = self._rows.lines
        start = RunPosition((len(own) - 1 - self._start, len(own[-1])))
        self._take(lines, read, start)
        own[-1:] = [own[-1] + lines[0], *lines[1:]]

    def _take(self, lines: Sequence[str], read: Record, start: RunPosition) -> None:
        pieces = read.pieces if isinstance(read, MultiLine) else (piece_of(read, lines[0]),)
        row, column = start
        for each in pieces:  # there may be thousands, so this avoids function calls
            if each is not None:
                (first, begin), (last, end) = each.start, each.end
                begins = first + row, begin if first else begin + column
                ends = last + row, end if last else end + column
                read_as = each.record
                if read_as.problems:  # `_problems` has them
                    read_as = SHARED.get(read_as.kind, BROKEN)
                self._pieces.append(
                    Piece(read_as, begins, ends)  # type: ignore[arg-type]  # see above
                )
        self._problems += [
            each._replace(start=shifted(each.start, start), end=shifted(each.end, start))
            for each in read.problems
        ]
        self._looks_ahead = read.looks_ahead if isinstance(read, MultiLine) else 0

    def close(self) -> None:
        """Replaces the records of the lines with one run."""
        run = MultiLine(tuple(self._pieces), tuple(self._problems), looks_ahead=self._looks_ahead)
        n_lines = len(self._rows.lines) - self._start
        self._rows.records[self._start :] = [run] * n_lines
