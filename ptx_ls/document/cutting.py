"""Cuts lines with their records into chunks: before each head, and elsewhere after a statement."""

from __future__ import annotations

from bisect import bisect_left
from itertools import compress
from operator import attrgetter
from typing import TYPE_CHECKING, Final

from ptx_ls.document.chunk import HEADS, Chunk, head_of, is_certain_end, lines_of
from ptx_ls.document.coordinates import Extent, inwards
from ptx_ls.source.text_lines import TextLines
from ptx_ls.syntax.offsets import RUN_START, RunPosition, after, slice_lines
from ptx_ls.syntax.record import Kind, MultiLine, Piece, Record
from ptx_ls.syntax.statements import BLANKS

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from ptx_ls.source import LineSpan
    from ptx_ls.syntax.parser import RunProblem


CHUNK_LINES: Final = 256
"""Maximum number of lines, or of statements on the same lines, of a new chunk."""
MAX_CHUNK_LINES: Final = 384
"""Maximum number of lines of a chunk; an edit that exceeds it cuts the chunk in two."""
_UNCUT: Final = (Kind.LINE, Kind.EMPTY)
"""Kinds of statements that may depend on the text before them on the line."""


def chunks_of(
    lines: Sequence[str], records: list[Record], max_lines: int = CHUNK_LINES
) -> list[Chunk]:
    """Cuts lines into chunks of limited size, with heads only at their starts.

    The first line may be the rest of a line of the document.
    """
    return list(cut_into_chunks(TextLines.of(lines), records, max_lines))


def cut_into_chunks(
    lines: TextLines, records: list[Record], max_lines: int = CHUNK_LINES
) -> Iterator[Chunk]:
    """Yields the chunks that `chunks_of` returns."""
    start = 0
    for row, stop in _boundaries(records):
        yield from _evenly_cut(lines, records, start, row, max_lines)
        start = row
        read = records[row]
        if isinstance(read, MultiLine) and (at := _cuts_within(lines[row:stop], read)):
            yield from _parts(lines[row:stop], read, at)
            start = stop
    yield from _evenly_cut(lines, records, start, len(lines), max_lines)


def _boundaries(records: Sequence[Record]) -> Iterator[LineSpan]:
    """Yields the rows [start, stop) of each line or run that has a head or must be cut.

    A new chunk may begin at each start.
    """
    special = {
        read
        for read in set(records)
        if head_of(read) is not None or (isinstance(read, MultiLine) and _has_cuts(read))
    }
    previous: Record | None = None
    for row in compress(range(len(records)), map(special.__contains__, records)):
        read = records[row]
        if read is previous and isinstance(read, MultiLine):
            continue
        stop = row + 1
        while isinstance(read, MultiLine) and stop < len(records) and records[stop] is read:
            stop += 1
        previous = read
        yield row, stop


def _has_cuts(run: MultiLine) -> bool:
    """Whether a chunk boundary may be within a run."""
    read = run.records
    return len(read) > CHUNK_LINES or any(one.kind in HEADS for one in read[1:])


def _cuts_within(lines: Sequence[str], run: MultiLine) -> list[int]:
    """Returns the numbers of the statements of a run before which to cut it.

    These are heads, and others whose text cannot affect the statement before them.
    """
    found: list[int] = []
    if not _has_cuts(run):
        return found
    n_pieces = len(run.pieces)
    size = -(-n_pieces // -(-n_pieces // CHUNK_LINES))
    last = 0
    for number, piece in enumerate(run.pieces[1:], 1):
        kind = piece.record.kind
        if kind in HEADS:
            found.append(number)
        elif number - last >= size and kind not in _UNCUT:
            before = run.pieces[number - 1]
            row, column = before.end
            if is_certain_end(before.record, lines[row], column):
                found.append(number)
        last = found[-1] if found else 0
    return found


def _parts(lines: Sequence[str], run: MultiLine, at: list[int]) -> Iterator[Chunk]:
    """Yields the chunks of a run that is cut before some of its statements."""
    lines = [*lines, ""]
    numbers = [0, *at, len(run.pieces)]
    ends = [_place_after(lines, run.pieces[number - 1].end) for number in at]
    places = [RUN_START, *ends, RunPosition((len(lines) - 1, 0))]
    for index in range(len(at) + 1):
        yield _part(lines, run, numbers[index : index + 2], places[index : index + 2])


def _part(
    lines: Sequence[str], run: MultiLine, numbers: list[int], places: list[RunPosition]
) -> Chunk:
    start, stop = places
    origin = Extent(*start)
    pieces = tuple(
        Piece(piece.record, _inwards(piece.start, origin), _inwards(piece.end, origin))
        for piece in run.pieces[numbers[0] : numbers[1]]
    )
    first, last = (bisect_left(run.problems, place, key=attrgetter("start")) for place in places)
    problems = tuple(_problem_inwards(problem, origin) for problem in run.problems[first:last])
    part = MultiLine(pieces, problems, looks_ahead=run.looks_ahead)
    own = slice_lines(lines, start, stop)
    return Chunk(own, [part] * len(lines_of(own)))


def _problem_inwards(problem: RunProblem, origin: Extent) -> RunProblem:
    return problem._replace(
        start=_inwards(problem.start, origin), end=_inwards(problem.end, origin)
    )


def _inwards(place: RunPosition, origin: Extent) -> RunPosition:
    """Converts a place in a run to a place in the part of the run that begins at `origin`."""
    return RunPosition(inwards(place, origin))


def _place_after(lines: Sequence[str], end: RunPosition) -> RunPosition:
    """Returns the place after a statement, or after its line if it is the last one there."""
    row, column = end
    near = after(lines[row], column)  # fast even if a line has thousands of statements
    is_last = not near.strip(BLANKS) and not lines[row][column:].strip(BLANKS)
    return RunPosition((row + 1, 0)) if is_last else end


def _evenly_cut(
    lines: TextLines, records: list[Record], start: int, stop: int, max_lines: int
) -> Iterator[Chunk]:
    """Yields chunks with about the same number of lines each; a head is only at `start`."""
    while start < stop:
        n_left = stop - start
        n_chunks = -(-n_left // max_lines)
        end = start + -(-n_left // n_chunks)
        while (
            end < stop and isinstance(records[end], MultiLine) and records[end] is records[end - 1]
        ):
            end += 1
        yield Chunk(lines.joined(start, end), records[start:end])
        start = end
