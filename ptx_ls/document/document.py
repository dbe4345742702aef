"""A document: one version of a PTX text, as an immutable tree of functions and chunks.

An edit makes another document, which shares all parts that the edit did not touch
(docs/architecture.md). Any thread may use any version at any time.
"""

from __future__ import annotations

from itertools import compress
from typing import TYPE_CHECKING, Any, Final, Self

from ptx_ls.document.branch import of_one_root
from ptx_ls.document.cancellation import check_cancelled
from ptx_ls.document.chunk import head_of
from ptx_ls.document.cutting import cut_into_chunks
from ptx_ls.document.function import Function, functions_of
from ptx_ls.document.function_tree import FunctionTree
from ptx_ls.document.views import Functions, Lines, Records
from ptx_ls.source import Position
from ptx_ls.source.lines import content_length
from ptx_ls.source.text_lines import TextLines
from ptx_ls.syntax.long_tokens import MAX_STRING_LINES
from ptx_ls.syntax.reader import Reader
from ptx_ls.syntax.record import MultiLine, Record
from ptx_ls.syntax.record_lines import run_start, run_stop
from ptx_ls.syntax.scanner import cut_lines

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from ptx_ls.document.chunk import Chunk
    from ptx_ls.document.located import LocatedFunction

_PORTION: Final = 1 << 18
"""Number of characters to read at a time, up to the end of a line."""
_MAX_UNCUT_LINES: Final = 1 << 14
"""If more lines than this have no head, they are cut into chunks before more lines are read."""
_END_OF_LINE: Final = 1 << 62
"""A column after the end of any line."""


class Document(FunctionTree):
    """The functions of a text in order; the first one has the lines before the first head.

    Attributes:
        reader: the reader of this version, and of all versions that edits make of it.
    """

    __slots__ = ("reader",)

    def __init__(self, children: tuple[Any, ...], height: int, reader: Reader) -> None:
        super().__init__(children, height)
        self.reader = reader

    @classmethod
    def read(cls, text: str, reader: Reader | None = None) -> Self:
        """Reads a whole text."""
        reader = reader or Reader()
        return cls.of_functions(functions_of(chunks_from(text, 0, reader)), reader)

    @classmethod
    def of_functions(cls, functions: Iterable[Function], reader: Reader) -> Self:
        """Returns the document of functions in order; adds the first one if its text is empty."""
        found = list(functions)
        if not found or found[0].head is not None:
            found.insert(0, Function(()))
        return cls(*of_one_root(found, 0), reader)

    def with_functions(self, first: int, stop: int, functions: Sequence[Function]) -> Self:
        """Returns the document with the functions [first, stop) replaced."""
        root = self.spliced_root(first, stop, functions)
        return type(self)(*root, self.reader).replacing(self)

    @property
    def lines(self) -> Lines:
        """The lines, each with its line end; the last one has none, and may be empty."""
        return Lines(self)

    @property
    def records(self) -> Records:
        """The record of each line."""
        return Records(self)

    @property
    def functions(self) -> Functions:
        """The functions, each with its place."""
        return Functions(self)

    @property
    def text(self) -> str:
        """The whole text; costs time in proportion to its size."""
        return "".join([function.text for function in self.leaves()])

    def located_at(self, position: Position) -> LocatedFunction:
        """Returns the function that contains a position; at a boundary, the later one."""
        return self.functions[self.number_at(position)]

    def located_on(self, line: int) -> LocatedFunction:
        """Returns the last function that starts on a line or before it."""
        return self.functions[self.number_at(Position(line, _END_OF_LINE))]

    def run_at(self, line: int) -> range:
        """Returns the lines of the run that contains a line, or that line alone."""
        around = self.lines_around(line)
        records = around.rows.records
        start = run_start(records, line - around.first)
        stop = run_stop(records, start)
        return range(around.first + start, around.first + stop)

    def clamped(self, position: Position) -> Position:
        """Returns the nearest position in the text, before the line end of its line."""
        if position.line >= self.n_lines:
            return Position(*self.extent)
        line = max(0, position.line)
        column = min(max(0, position.column), content_length(self.lines[line]))
        return Position(line, column)


def chunks_from(text: str, start: int, reader: Reader) -> Iterator[Chunk]:
    """Yields the chunks of a text from an offset on, at which a line and a statement begin.

    It is read in portions: all lines at once take three times its memory.
    """
    records: list[Record] = []  # of the first lines after `begin`; the others are unread
    begin, stop, size = start, start, _PORTION
    while stop < len(text):
        check_cancelled()
        stop = text.find("\n", stop + size) + 1 or len(text)
        lines = cut_lines(text[begin:stop])
        found = reader.read_all(TextLines.part_of(lines, len(records), len(lines)))
        if stop < len(text):
            del found[_first_uncertain(found) :]
        size = _PORTION if found else 2 * size  # else a long run takes quadratic time
        records += found
        n_cut = _last_cut(records, len(found)) if stop < len(text) else len(records)
        yield from cut_into_chunks(TextLines.part_of(lines, 0, n_cut), records[:n_cut])
        begin += lines.starts[n_cut]
        del records[:n_cut]


def _first_uncertain(records: Sequence[Record]) -> int:
    """Returns the first line that might be read differently if more lines followed."""
    first = stop = len(records)
    while stop and stop >= len(records) - MAX_STRING_LINES:
        row = run_start(records, stop - 1)
        read = records[row]
        if isinstance(read, MultiLine) and stop + read.looks_ahead >= len(records):
            first = row
        stop = row
    return first


def _last_cut(records: Sequence[Record], n_new: int) -> int:
    """Returns the number of lines to cut into chunks: those before the last head.

    Returns the number of all lines if there are many without a head. `n_new`: the number of the
    last lines, before which no head is but perhaps on the first line.
    """
    last = records[: -n_new - 1 : -1]
    heads = {read for read in set(last) if head_of(read) is not None}
    rows = compress(range(len(records) - 1, 0, -1), map(heads.__contains__, last))
    row = next((row for row in rows if records[row] is not records[row - 1]), 0)
    return len(records) if not row and len(records) > _MAX_UNCUT_LINES else row
