"""Chunks: the leaves of a document, each of which has some lines with whole statements."""

from __future__ import annotations

from functools import lru_cache
from itertools import compress
from typing import TYPE_CHECKING, Final, Self

from ptx_ls.document.coordinates import Extent
from ptx_ls.document.node import Node
from ptx_ls.source.lines import split_lines
from ptx_ls.syntax.long_tokens import MAX_STRING_LINES
from ptx_ls.syntax.record import Kind, MultiLine, Pattern, Record, pattern_of
from ptx_ls.syntax.scanner import cut_lines, numbered

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Sequence

    from ptx_ls.source.text_lines import TextLines

HEADS: Final = (Kind.FUNCTION, Kind.SECTION)
"""Kinds of statements with which a function of the document begins."""
LINE_ENDS: Final = ("\n", "\r")
_MAX_CUT_CHUNKS: Final = 64
"""Number of recently used chunks whose lines and records are kept."""
_MAX_OF_BYTE: Final = 256
"""Number of values of a byte, for each of which `bytes.translate` needs the result."""
_CERTAIN: Final = (Kind.FUNCTION, Kind.SECTION, Kind.OPEN, Kind.CLOSE, Kind.LABEL)
"""Kinds of statements that are always terminated."""


class Chunk(Node):
    """Some lines of a document and their records. A statement is never in two chunks.

    A chunk may begin or end within a line of the document. `head`: the kind of a head at its start,
    or None. `distinct`: its distinct records, and `patterns` their patterns; `numbers`: the number
    of the record of each line.
    """

    __slots__ = ("distinct", "extent", "head", "numbers", "patterns", "text")

    def __init__(self, text: str, records: list[Record]) -> None:
        super().__init__()
        self.text = text
        self.distinct, self.numbers = numbered(records)
        patterns = tuple(map(pattern_of, self.distinct))
        self.patterns: tuple[Pattern, ...] = (
            self.distinct if patterns == self.distinct else patterns  # without runs, they are equal
        )
        self.head = head_of(records[0])
        self.extent = extent_of(text, len(records))

    def replacing(self, node: Node) -> Self:
        """Returns this chunk; records that it replaces another one after an edit."""
        self.replaced, node.replaced = node, None
        return super().replacing(node)

    @property
    def reach(self) -> int:
        """The number of lines after the chunk that affected how its end was read."""
        return reach_of(self.records)

    @property
    def lines(self) -> list[str]:
        """A new list of the lines with their line ends, parallel to the records."""
        return [*_lines_of_chunk(self)] if self.extent.lines else [self.text]

    @property
    def lines_on_demand(self) -> TextLines:
        """The lines, each cut out when it is asked for, which takes a fourth of the memory."""
        return cut_lines(self.text)

    @property
    def records(self) -> tuple[Record, ...]:
        """The record of each line."""
        return _records_of_chunk(self)

    def rows_where(self, is_wanted: Callable[[Record], bool]) -> Iterable[int]:
        """Returns the rows of the lines whose records fulfil `is_wanted`, in order."""
        flags, numbers = bytes(map(is_wanted, self.distinct)), self.numbers
        if 1 not in flags:
            return ()
        if not isinstance(numbers, bytes):
            return compress(range(self.n_lines), map(flags.__getitem__, numbers))
        return compress(range(self.n_lines), numbers.translate(flags.ljust(_MAX_OF_BYTE, b"\0")))

    def flags(self, flag_of: Callable[[Record], int]) -> bytes:
        """Returns a number below 256 for each line, which only depends on its record."""
        flags, numbers = bytes(map(flag_of, self.distinct)), self.numbers
        if not isinstance(numbers, bytes):
            return bytes(map(flags.__getitem__, numbers))
        return numbers.translate(flags.ljust(_MAX_OF_BYTE, b"\0"))

    def records_where(self, is_wanted: Callable[[Record], bool]) -> list[tuple[int, Record]]:
        """Returns the row and the record of each line whose record fulfils `is_wanted`."""
        numbers, distinct = self.numbers, self.distinct
        return [(row, distinct[numbers[row]]) for row in self.rows_where(is_wanted)]

    def made_records(self) -> Iterator[Record]:
        """Yields the record of each line, looked up by the number that is stored for it."""
        return map(self.distinct.__getitem__, self.numbers)

    @property
    def n_lines(self) -> int:
        """The number of lines, including parts of lines."""
        return len(self.numbers)

    def joined(self, further: Chunk) -> Chunk:
        """Joins this chunk, which must end with a whole line, and the next one."""
        return Chunk(self.text + further.text, [*self.records, *further.records])


@lru_cache(maxsize=_MAX_CUT_CHUNKS)
def _lines_of_chunk(chunk: Chunk) -> tuple[str, ...]:
    return tuple(lines_of(chunk.text))


@lru_cache(maxsize=_MAX_CUT_CHUNKS)
def _records_of_chunk(chunk: Chunk) -> tuple[Record, ...]:
    return tuple(chunk.made_records())


def lines_of(text: str) -> list[str]:
    """Returns the lines of a text with their line ends, without an empty last line."""
    lines = split_lines(text)
    if not lines[-1]:
        lines.pop()
    return lines


def extent_of(text: str, n_lines: int) -> Extent:
    """Returns the extent of a text that has some lines."""
    if text.endswith(LINE_ENDS):
        return Extent(n_lines, 0)
    last = max(map(text.rfind, LINE_ENDS)) + 1
    return Extent(n_lines - 1, len(text) - last)


def reach_of(records: Sequence[Record]) -> int:
    """Returns the number of following lines that affected how the last of these lines were read."""
    last = records[: -MAX_STRING_LINES - 1 : -1]
    reaches = [
        read.looks_ahead - distance
        for distance, read in enumerate(last)
        if isinstance(read, MultiLine)
    ]
    return max(0, *reaches, 0)


def head_of(read: Record) -> Kind | None:
    """Returns the kind of the head with which a record begins, or None."""
    if isinstance(read, MultiLine):
        pieces = read.records[:1]
        return pieces[0].kind if pieces and pieces[0].kind in HEADS else None
    return read.kind if read.kind in HEADS else None


def is_certain_end(read: Record, line: str, column: int) -> bool:
    """Whether a statement ends at a column of a line, whatever the rest of the line is."""
    return read.kind in _CERTAIN or (line[column - 1] == ";" and read.kind is not Kind.LINE)


def ends_certainly(lines: Sequence[str], records: Sequence[Record]) -> bool:
    """Whether the last statement certainly ends on these lines, even if more text is appended."""
    if not lines or not lines[-1] or lines[-1].endswith(LINE_ENDS):
        return False
    line, read = lines[-1], records[-1]
    if isinstance(read, MultiLine):
        if not read.pieces:
            return False
        last = read.pieces[-1]
        return last.end[1] == len(line) and is_certain_end(last.record, line, len(line))
    is_silent = read.kind in (Kind.BLANK, Kind.COMMENT)
    return not is_silent and "/" not in line and is_certain_end(read, line, len(line.rstrip()))
