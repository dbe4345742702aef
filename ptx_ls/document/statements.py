"""Finds statements in a document by position or line."""

from __future__ import annotations

from bisect import bisect_right
from operator import attrgetter
from typing import TYPE_CHECKING

from ptx_ls.document.coordinates import ChunkPosition, Extent, inwards, outwards
from ptx_ls.source import Position
from ptx_ls.syntax.offsets import RunPosition, shifted, slice_lines
from ptx_ls.syntax.record import MultiLine, Piece, Record
from ptx_ls.syntax.record_lines import run_start
from ptx_ls.syntax.statement import Statement, piece_of

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from ptx_ls.document.chunk import Chunk
    from ptx_ls.document.document import Document


def statement_at(document: Document, position: Position) -> Statement | None:
    """Returns the statement that contains a position or ends there; of two, the later one.

    A position outside of the text is clamped.
    """
    position = document.clamped(position)
    path = document.chunk_at(position)
    while path is not None:
        start = document.start_of_chunk(path)
        found = _in_chunk(document.chunk(path), start, position)
        if found is not None or position > (start.lines, start.columns):
            return found
        path = document.neighbour(path, -1)  # its last statement may end there
    return None


def statements_on(document: Document, line: int) -> Iterator[Statement]:
    """Yields the statements that touch a line, and those read together with them, in order."""
    if not 0 <= line < document.n_lines:
        return
    around = document.lines_around(line)
    lines, records = around.rows
    first = run_start(records, line - around.first)
    for piece in _pieces(records[first], lines[first]):
        yield _statement(lines, Extent(around.first, 0), first, piece)


def _in_chunk(chunk: Chunk, start: Extent, position: Position) -> Statement | None:
    """Returns the statement of a chunk that contains a position of the document, or None."""
    lines = chunk.lines
    row, column = inwards(position, start)
    if row >= len(lines):  # after the last line end
        return None
    first = run_start(chunk.records, row)
    pieces = _pieces(chunk.records[first], lines[first])
    within = RunPosition((row - first, column))
    index = bisect_right(pieces, within, key=attrgetter("start")) - 1
    if index < 0 or within > pieces[index].end:
        return None
    return _statement(lines, start, first, pieces[index])


def _pieces(read: Record, line: str) -> Sequence[Piece]:
    """Returns the statements of a record; `line` is the line if it is not a run."""
    if isinstance(read, MultiLine):
        return read.pieces
    alone = piece_of(read, line)
    return () if alone is None else (alone,)


def _statement(lines: Sequence[str], start: Extent, row: int, piece: Piece) -> Statement:
    run = ChunkPosition((row, 0))
    first, last = shifted(piece.start, run), shifted(piece.end, run)
    text = slice_lines(lines, first, last)
    begin, end = (Position(*outwards(place, start)) for place in (first, last))
    return Statement(piece.record, begin, end, text)
