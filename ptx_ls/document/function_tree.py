"""The tree of a document's functions, with methods to find functions, chunks and lines."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from ptx_ls.document.branch import InnerNode
from ptx_ls.document.chunk import LINE_ENDS
from ptx_ls.document.coordinates import Extent, FunctionPosition, inwards
from ptx_ls.document.function import Function
from ptx_ls.document.rows import Rows, WholeLines, rows_of
from ptx_ls.source import Position
from ptx_ls.source.named_tuple import NamedTuple
from ptx_ls.syntax.record import BLANK

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from ptx_ls.document.chunk import Chunk

_MAX_RECENT_LINES: Final = 4
"""Number of recently used groups of lines that are kept."""


class ChunkPath(NamedTuple):
    """The place of a chunk in a document: the number of its function, and its number in that."""

    function: int
    chunk: int


class FunctionTree(InnerNode[Function, Position]):
    """The functions of a document in order. It keeps recently used lines."""

    __slots__ = ("_recent_lines",)

    def __init__(self, children: tuple[Any, ...], height: int = 0) -> None:
        super().__init__(children, height)
        self._recent_lines: tuple[WholeLines, ...] = ()

    @property
    def n_lines(self) -> int:
        """The number of lines of the text; the last one has no line end, and may be empty."""
        return self.extent.lines + 1

    def function_at(self, position: Position) -> tuple[int, FunctionPosition]:
        """Returns the number of the function that contains a position, and the place within it.

        Between two functions, it is the later one.
        """
        number = self.number_at(position)
        return number, FunctionPosition(inwards(position, self.start(number)))

    def neighbour(self, path: ChunkPath, step: int) -> ChunkPath | None:
        """Returns the path of the chunk after (`step` 1) or before (-1) another one, or None."""
        function, chunk = path.function, path.chunk + step
        while not 0 <= chunk < self.leaf(function).n_leaves:
            function += step
            if not 0 <= function < self.n_leaves:
                return None
            chunk = 0 if step > 0 else self.leaf(function).n_leaves - 1
        return ChunkPath(function, chunk)

    def chunk(self, path: ChunkPath) -> Chunk:
        """Returns the chunk at a path."""
        return self.leaf(path.function).leaf(path.chunk)

    def start_of_chunk(self, path: ChunkPath) -> Extent:
        """Returns the extent of the text before a chunk."""
        return self.start(path.function).plus(self.leaf(path.function).start(path.chunk))

    def chunk_at(self, position: Position) -> ChunkPath | None:
        """Returns the path of the last chunk that starts at a position or before it."""
        number, place = self.function_at(position)
        path = ChunkPath(number, self.leaf(number).number_at(place))
        return path if path.chunk >= 0 else self.neighbour(ChunkPath(number, 0), -1)

    def lines_around(self, line: int) -> WholeLines:
        """Returns the lines, with their records, of the chunk that contains a line.

        If that shares a line with other chunks, their lines are included.
        """
        recent = self._recent_lines
        for found in recent:
            if found.first <= line < found.stop:
                return found
        found = self.lines_between(line, line + 1)
        self._recent_lines = (found, *recent[: _MAX_RECENT_LINES - 1])
        return found

    def lines_between(self, start: int, stop: int) -> WholeLines:
        """Returns at least the lines [start, stop), with their records."""
        path = self._path_of_whole(start)
        if path is None:
            return WholeLines(0, Rows([""], [BLANK]))
        chunks, end = [], self.start_of_chunk(path).lines
        for chunk in self._chunks_from(path):
            chunks.append(chunk)
            end += chunk.extent.lines
            if end >= stop and chunk.text.endswith(LINE_ENDS):
                break
        return self._whole_lines(path, chunks)

    def _path_of_whole(self, line: int) -> ChunkPath | None:
        """Returns the path of the last chunk that begins a line, at line `line` or before it."""
        path = self.chunk_at(Position(line, 0))
        while path is not None and self.start_of_chunk(path).columns:
            path = self.neighbour(path, -1)
        return path

    def _chunks_from(self, path: ChunkPath) -> Iterator[Chunk]:
        """Yields the chunks from one on."""
        first = path.chunk
        for function in self.leaves(path.function):
            yield from function.leaves(first)
            first = 0

    def _whole_lines(self, path: ChunkPath, chunks: Sequence[Chunk]) -> WholeLines:
        """Returns the lines of chunks from `path` on, with the empty line that may end the text."""
        rows, first = rows_of(chunks), self.start_of_chunk(path).lines
        if self.extent == (first + len(rows.lines), 0):
            rows = Rows([*rows.lines, ""], [*rows.records, BLANK])
        return WholeLines(first, rows)
