"""The tree of a module: a facade whose children are statement trees, made on demand."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ptx_ls.source import Position
from ptx_ls.syntax import parser
from ptx_ls.syntax.nodes import code_of
from ptx_ls.syntax.places import slice_lines
from ptx_ls.syntax.record import Run

if TYPE_CHECKING:
    from collections.abc import Iterator

    from ptx_ls.syntax.document import Document
    from ptx_ls.syntax.statement import Statement


class ModuleTree:
    """The statements of a document in order, with the text between them; nothing is lost.

    Nothing is parsed before it is asked for.
    """

    __slots__ = ("_document",)

    def __init__(self, document: Document) -> None:
        self._document = document

    @property
    def statements(self) -> Iterator[Statement]:
        """The statements in the order of the text."""
        records = self._document.records
        previous: object = None
        for line, read in enumerate(records):
            if not isinstance(read, Run) or read is not previous:
                yield from self._document.statements(line)
            previous = read

    @property
    def children(self) -> Iterator[str | Statement]:
        """Statements, and the white space and comments between them; joined, the document."""
        at = Position(0, 0)
        for statement in self.statements:
            yield self._between(at, statement.start)
            yield statement
            at = statement.end
        last = len(self._document.lines) - 1
        yield self._between(at, Position(last, len(self._document.lines[last])))

    def get_code(self) -> str:
        """The text that the tree stands for, put together from its leaves."""
        return "".join(
            child if isinstance(child, str) else code_of(parser.parse(child.text).tree)
            for child in self.children
        )

    def _between(self, start: Position, end: Position) -> str:
        lines = self._document.lines[start.line : end.line + 1]
        return slice_lines(lines, (0, start.column), (end.line - start.line, end.column))
