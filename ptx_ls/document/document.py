"""A document: one version of a PTX text, as an immutable tree of functions and chunks.

An edit returns another document, which shares with this one all that the edit did not touch
(docs/architecture.md). Any thread may use any version at any time.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, NamedTuple

from ptx_ls.document.branch import InnerNode
from ptx_ls.document.chunk import LINE_ENDS, Chunk, lines_of
from ptx_ls.document.coordinates import Extent, FunctionPosition, inwards, outwards
from ptx_ls.document.cutting import chunks_of
from ptx_ls.source import Position
from ptx_ls.source.lines import content_length
from ptx_ls.source.steps import finished

if TYPE_CHECKING:
    from collections.abc import Generator, Iterator, Sequence

    from ptx_ls.syntax.reader import Reader
    from ptx_ls.syntax.record import Kind

_MAX_LINES_OF_STEP: Final = 2048
"""Lines to read in one step."""


class ChunkPath(NamedTuple):
    """Which chunk of a document: the number of its function, and its number within that."""

    function: int
    chunk: int


class Function(InnerNode[Chunk]):
    """A function or section, from its head to the next one; the first of a document has no head.

    Functions do not nest, so braces are matched within each.
    """

    __slots__ = ()

    @property
    def head(self) -> Kind | None:
        """The kind of its head; None for what precedes the first head."""
        return self.leaf(0).head if self.n_leaves else None

    @property
    def text(self) -> str:
        """Its text; costs time in proportion to its size."""
        return "".join([chunk.text for chunk in self.leaves()])


class Document(InnerNode[Function]):
    """The functions of a text in order, beginning with what precedes the first head."""

    __slots__ = ()

    @classmethod
    def read(cls, text: str, reader: Reader) -> Document:
        """Reads a whole text."""
        return finished(cls.reading(text, reader))

    @classmethod
    def reading(cls, text: str, reader: Reader) -> Generator[None, None, Document]:
        """The same in steps of some milliseconds."""
        lines = lines_of(text)
        records = (yield from reader.reading(lines, _MAX_LINES_OF_STEP)) if lines else []
        return cls.of_chunks(chunks_of(lines, records))

    @classmethod
    def of_chunks(cls, chunks: Sequence[Chunk]) -> Document:
        """The document of chunks in order."""
        functions = functions_of(chunks)
        if not functions or functions[0].head is not None:
            functions.insert(0, Function(()))
        return cls.of(functions)

    @property
    def text(self) -> str:
        """The whole text; costs time in proportion to its size."""
        return "".join([function.text for function in self.leaves()])

    @property
    def n_lines(self) -> int:
        """How many lines the text has; the last one has no line end, and may be empty."""
        return self.extent.lines + 1

    def function_at(self, position: Position) -> tuple[int, FunctionPosition]:
        """The number of the function that holds a position, and the place within it.

        Where two meet, the later one.
        """
        number = self.number_at(position)
        return number, FunctionPosition(*inwards(position, self.start(number)))

    def neighbour(self, path: ChunkPath, step: int) -> ChunkPath | None:
        """Returns the path of the chunk after (1) or before (-1) another one; None without one."""
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
        """Returns how far the text before a chunk reaches."""
        return self.start(path.function).plus(self.leaf(path.function).start(path.chunk))

    def chunk_at(self, position: Position) -> ChunkPath | None:
        """Returns the path of the last chunk that starts at a position or before it."""
        number, place = self.function_at(position)
        path = ChunkPath(number, self.leaf(number).number_at(place))
        return path if path.chunk >= 0 else self.neighbour(ChunkPath(number, 0), -1)

    def position(self, number: int, place: FunctionPosition) -> Position:
        """The position of a place within the function with that number."""
        return Position(*outwards(place, self.start(number)))

    def line(self, number: int) -> str:
        """A line with its line end; IndexError if there is none."""
        if not 0 <= number < self.n_lines:
            raise IndexError(number)
        return next(self.lines(number))

    def lines(self, first: int = 0) -> Iterator[str]:
        """The lines from one on, each with its line end, cut out as they are asked for."""
        begun = ""
        index, (row, _) = self.function_at(Position(first, 0))
        for function in self.leaves(index):
            number = max(0, function.number_at((row, 0)))
            row -= function.start(number).lines
            for chunk in function.leaves(number):
                for line in chunk.lines[row:]:
                    begun += line
                    if begun.endswith(LINE_ENDS):
                        yield begun
                        begun = ""
                row = 0
        yield begun

    def clamped(self, position: Position) -> Position:
        """The position, moved into the text and before the line end."""
        if position.line >= self.n_lines:
            return Position(*self.extent)
        line = max(0, position.line)
        column = min(max(0, position.column), content_length(self.line(line)))
        return Position(line, column)


def functions_of(chunks: Sequence[Chunk]) -> list[Function]:
    """Functions of chunks in order, each beginning with a head, but perhaps the first."""
    functions: list[Function] = []
    own: list[Chunk] = []
    for chunk in chunks:
        if chunk.head is not None and own:
            functions.append(Function.of(own))
            own = []
        own.append(chunk)
    if own:
        functions.append(Function.of(own))
    return functions
