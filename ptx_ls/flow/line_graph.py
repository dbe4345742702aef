"""The flow graph of a function whose blocks were read from its lines.

Analyses need the edges of all blocks, but the labels and exact places only of those that they
report. These are looked up in a graph that takes much longer to make.
"""

from __future__ import annotations

from bisect import bisect_right
from functools import cached_property
from typing import TYPE_CHECKING

from ptx_ls.flow.control_statements import has_instruction
from ptx_ls.flow.flow_shape import FlowShape
from ptx_ls.flow.graph import FlowGraph
from ptx_ls.flow.row_map import RowMap
from ptx_ls.semantics.instructions.control_transfer import LEAVING
from ptx_ls.syntax.record import Shape

if TYPE_CHECKING:
    from array import array
    from collections.abc import Callable, Mapping, Sequence

    from ptx_ls.document.coordinates import FunctionPosition
    from ptx_ls.flow.block_arrays import BlockArrays
    from ptx_ls.flow.flow_shape import Branch
    from ptx_ls.flow.structure.dominators import Dominators
    from ptx_ls.flow.structure.loop_forest import LoopForest
    from ptx_ls.semantics.symbols.region_text import RegionText


class GraphOfBlocks(FlowGraph):
    """A flow graph whose blocks have the places and the labels of those of another graph."""

    @property
    def _whole(self) -> FlowGraph:
        """The other graph."""
        raise NotImplementedError

    @property
    def starts(self) -> Sequence[FunctionPosition]:
        """The start of each block."""
        return self._whole.starts

    @property
    def stops(self) -> Sequence[FunctionPosition]:
        """The end of each block."""
        return self._whole.stops

    @property
    def labels(self) -> Mapping[int, tuple[str, ...]]:
        """The labels of the blocks that have some."""
        return self._whole.labels

    @property
    def branches(self) -> tuple[Branch, ...]:
        """The branches in the order of their blocks."""
        return self._whole.branches


class LineGraph(GraphOfBlocks):
    """A flow graph of which most is known from the lines where blocks begin.

    Its branches all lead to known labels, and none of its calls never returns.
    """

    def __init__(
        self,
        blocks: BlockArrays,
        starts: array[int],
        text: RegionText,
        close: int,
        read: Callable[[], FlowGraph],
    ) -> None:
        """Prepares a graph.

        Args:
            blocks: its blocks.
            starts: the line where each begins.
            text: the lines of the function.
            close: the line of the brace that ends its body.
            read: returns the same graph with all labels and places.
        """
        leaves = _leaves(blocks, starts, text, close)
        super().__init__(FlowShape(successors=blocks.successors, leaves=leaves), RowMap(()))
        self._blocks, self._starts_of_lines, self._text, self._close = blocks, starts, text, close
        self._read = read

    @cached_property
    def _whole(self) -> FlowGraph:
        return self._read()

    @property
    def predecessors(self) -> Sequence[Sequence[int]]:
        """For each block, the numbers of its predecessors in order."""
        return self._blocks.predecessors

    @property
    def reachable(self) -> frozenset[int]:
        """The numbers of the reachable blocks."""
        return self._blocks.reachable

    @property
    def dominators(self) -> Dominators:
        """The dominators of the blocks."""
        return self._blocks.dominators

    @property
    def loop_forest(self) -> LoopForest:
        """The loops and how they nest."""
        return self._blocks.loop_forest

    def lines(self, number: int) -> range:
        """Returns the lines of a block."""
        starts, records = self._starts_of_lines, self._text.records
        stop = starts[number + 1] if number + 1 < len(starts) else self._close + 1
        first = starts[number]
        while stop > first + 1 and not has_instruction(records[stop - 1]):
            stop -= 1
        return range(first, stop)

    def number_at(self, place: FunctionPosition) -> int | None:
        """Returns the number of the block that contains a statement; None outside of the body."""
        number = bisect_right(self._starts_of_lines, place[0]) - 1
        return None if number < 0 or place[0] > self._close else number


def _leaves(
    blocks: BlockArrays, starts: array[int], text: RegionText, close: int
) -> dict[int, str]:
    """Returns the opcodes with which blocks leave the function."""
    found = {}
    for row in text.lines_of(text.with_opcodes(LEAVING)):
        record, number = text.records[row], bisect_right(starts, row) - 1
        if isinstance(record, Shape) and number >= 0 and row <= close:
            found[number] = record.name
    last = blocks.n_blocks - 1
    if not blocks.successors[last]:
        found.setdefault(last, "ret")
    return found
