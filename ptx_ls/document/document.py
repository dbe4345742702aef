"""A document: one version of a PTX text, as an immutable tree of functions and chunks.

An edit returns another document, which shares with this one all that the edit did not touch
(docs/architecture.md). Any thread may use any version at any time.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final, Self

from ptx_ls.document.branch import of_one_root
from ptx_ls.document.cutting import cut_into_chunks
from ptx_ls.document.function import Function, functions_of
from ptx_ls.document.function_tree import FunctionTree
from ptx_ls.document.views import Functions, Lines, Records
from ptx_ls.source import Position
from ptx_ls.source.lines import content_length, split_lines
from ptx_ls.source.steps import collected, finished
from ptx_ls.syntax.reader import Reader
from ptx_ls.syntax.record import run_start, run_stop

if TYPE_CHECKING:
    from collections.abc import Generator, Sequence

    from ptx_ls.document.located import LocatedFunction

_MAX_CHARACTERS_OF_STEP: Final = 1 << 18
"""Characters to split into lines in one step."""
_MAX_LINES_OF_STEP: Final = 2048
"""Lines to read in one step."""
_END_OF_LINE: Final = 1 << 62
"""A column that no line reaches."""


class Document(FunctionTree):
    """The functions of a text in order, beginning with what precedes the first head.

    Attributes:
        reader: reads the lines of this version, and of those that edits make of it.
    """

    __slots__ = ("reader",)

    def __init__(self, children: tuple[Any, ...], height: int, reader: Reader) -> None:
        super().__init__(children, height)
        self.reader = reader

    @classmethod
    def read(cls, text: str, reader: Reader | None = None) -> Self:
        """Reads a whole text."""
        return finished(cls.reading(text, reader))

    @classmethod
    def reading(cls, text: str, reader: Reader | None = None) -> Generator[None, None, Self]:
        """The same in steps of some milliseconds, which may be given up."""
        reader = reader or Reader()
        lines: list[str] = [""]
        start = 0
        while start < len(text):
            stop = text.find("\n", start + _MAX_CHARACTERS_OF_STEP) + 1 or len(text)
            lines[-1:] = split_lines(text[start:stop])
            start = stop
            yield
        if not lines[-1]:
            lines.pop()
        records = (yield from reader.reading(lines, _MAX_LINES_OF_STEP)) if lines else []
        chunks = yield from collected(cut_into_chunks(lines, records))
        functions = yield from collected(functions_of(chunks))
        if not functions or functions[0].head is not None:
            functions.insert(0, Function(()))
        return cls(*of_one_root(functions, 0), reader)

    def with_functions(self, first: int, stop: int, functions: Sequence[Function]) -> Self:
        """The document with the functions from `first` to before `stop` replaced."""
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
        """The functions, each where it is."""
        return Functions(self)

    @property
    def text(self) -> str:
        """The whole text; costs time in proportion to its size."""
        return "".join([function.text for function in self.leaves()])

    def located_at(self, position: Position) -> LocatedFunction:
        """The function that holds a position; where two meet, the later one."""
        return self.functions[self.number_at(position)]

    def located_on(self, line: int) -> LocatedFunction:
        """The last function that starts on a line or before it."""
        return self.functions[self.number_at(Position(line, _END_OF_LINE))]

    def run_at(self, line: int) -> range:
        """The lines of the run that holds a line; that line alone if it is not part of a run."""
        around = self.lines_around(line)
        records = around.rows.records
        start = run_start(records, line - around.first)
        stop = run_stop(records, start)
        return range(around.first + start, around.first + stop)

    def clamped(self, position: Position) -> Position:
        """The position, moved into the text and before the line end."""
        if position.line >= self.n_lines:
            return Position(*self.extent)
        line = max(0, position.line)
        column = min(max(0, position.column), content_length(self.lines[line]))
        return Position(line, column)
