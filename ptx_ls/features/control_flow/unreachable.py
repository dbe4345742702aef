"""Finds unreachable statements, in functions up to a certain length."""

from __future__ import annotations

from bisect import bisect_right
from typing import TYPE_CHECKING, Final

from ptx_ls.flow.graphs import flow_graph
from ptx_ls.source import Position
from ptx_ls.syntax.record import Kind

if TYPE_CHECKING:
    from ptx_ls.document.coordinates import FunctionPosition, FunctionSpan
    from ptx_ls.document.document import Document
    from ptx_ls.document.located import LocatedFunction

_MAX_GRAPH_LINES: Final = 10_000
"""The longest function, in lines, whose flow graph is computed after each edit: about 10 ms."""


class Unreachable:
    """The unreachable statements of a function.

    Attributes:
        lines: the lines of the document that may have unreachable statements.
    """

    __slots__ = ("_blocks", "_located", "lines")

    def __init__(self, located: LocatedFunction, blocks: list[FunctionSpan]) -> None:
        self._located = located
        self._blocks = blocks
        self.lines = {
            located.first_line + row
            for (first, _), (last, _) in blocks
            for row in range(first, last + 1)
        }

    def holds(self, line: int, column: int) -> bool:
        """Whether a place of the document is in an unreachable statement."""
        place: FunctionPosition = self._located.place(Position(line, column))
        index = bisect_right(self._blocks, place, key=_first) - 1
        return index >= 0 and place < self._blocks[index][1]


def _first(block: FunctionSpan) -> FunctionPosition:
    return block[0]


def unreachable(document: Document, index: int) -> Unreachable:
    """Finds the unreachable code of a function; none if it is too large."""
    located = document.functions[index]
    if located.head is not Kind.FUNCTION or located.n_lines > _MAX_GRAPH_LINES:
        return Unreachable(located, [])
    graph = flow_graph(document, index)
    live, places = graph.reachable, zip(graph.starts, graph.stops, strict=True)
    return Unreachable(
        located, [place for number, place in enumerate(places) if number not in live]
    )
