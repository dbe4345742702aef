"""The control flow graph of a function: its basic blocks, and their successors.

Source: PTX ISA, "Control Flow Instructions" and "Control Flow Directives". Places are relative to
the start of the function, so a graph is still valid after edits of other functions.
"""

from __future__ import annotations

from bisect import bisect_right
from functools import cached_property
from typing import TYPE_CHECKING

from ptx_ls.flow.flow_shape import Branch, FlowShape
from ptx_ls.flow.row_map import MappedPlaces
from ptx_ls.flow.structure.dominators import (
    Dominators,
)
from ptx_ls.flow.structure.loop_forest import LoopForest
from ptx_ls.source.named_tuple import NamedTuple

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence
    from collections.abc import Set as AbstractSet

    from ptx_ls.document.coordinates import FunctionPosition
    from ptx_ls.flow.row_map import RowMap


class Block(NamedTuple):
    """A basic block: the statements from `start` to `stop`, which run one after another.

    `labels`: the labels at its start. `leaves`: the opcode with which it leaves the function
    (`ret`, `exit`, `trap`, or a `call` that does not return), perhaps under a guard, or "".
    `is_open`: whether it branches to an unknown label.
    """

    number: int
    start: FunctionPosition
    stop: FunctionPosition
    labels: tuple[str, ...]
    successors: Sequence[int]
    predecessors: Sequence[int]
    leaves: str
    is_open: bool


class Loop(NamedTuple):
    """A loop: its head, and the numbers of all of its blocks, the head included."""

    head: int
    blocks: frozenset[int]

    @property
    def ends(self) -> tuple[int, int]:
        """The numbers of the first and the last block in the order of the text."""
        return min(self.blocks), max(self.blocks)


class FlowGraph:
    """The blocks of a function in the order of the text; the first one is the entry.

    Empty for a function without a body. Immutable, so that any thread may read it. `Block` objects
    are made on demand, as a function may have thousands of blocks, and a query needs only a few.

    Attributes:
        starts: the start of each block.
        stops: the end of each block.
    """

    def __init__(self, shape: FlowShape, rows: RowMap) -> None:
        """`rows`: converts the places of the shape to places in the function."""
        self._shape, self._rows = shape, rows
        self._starts = MappedPlaces(shape.starts, rows)
        self._stops = MappedPlaces(shape.stops, rows)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, FlowGraph) and self._said() == other._said()

    __hash__ = object.__hash__

    def _said(self) -> tuple[object, ...]:
        """Returns everything except branches, which follow from the rest."""
        return self.starts, self.stops, self.successors, self.labels, self.leaves, self.opened

    @property
    def n_blocks(self) -> int:
        """The number of blocks."""
        return len(self._shape.successors)

    @property
    def starts(self) -> Sequence[FunctionPosition]:
        """The start of each block."""
        return self._starts

    @property
    def stops(self) -> Sequence[FunctionPosition]:
        """The end of each block."""
        return self._stops

    @property
    def successors(self) -> Sequence[Sequence[int]]:
        """For each block, the numbers of its successors."""
        return self._shape.successors

    @property
    def predecessors(self) -> Sequence[Sequence[int]]:
        """For each block, the numbers of its predecessors in order."""
        return self._shape.predecessors

    @property
    def labels(self) -> Mapping[int, tuple[str, ...]]:
        """The labels of the blocks that have some."""
        return self._shape.labels

    @property
    def leaves(self) -> Mapping[int, str]:
        """The opcodes with which blocks leave the function."""
        return self._shape.leaves

    @property
    def opened(self) -> AbstractSet[int]:
        """The numbers of the blocks that branch to an unknown label."""
        return self._shape.opened

    @property
    def branches(self) -> tuple[Branch, ...]:
        """The branches in the order of their blocks."""
        return self._shape.branches

    @property
    def reachable(self) -> frozenset[int]:
        """The numbers of the reachable blocks; see `FlowShape`."""
        return self._shape.reachable

    @property
    def back_edges(self) -> tuple[tuple[int, int], ...]:
        """The back edges (from, to) of a depth-first search from the entry, in order."""
        return self._shape.back_edges

    @cached_property
    def loops(self) -> tuple[Loop, ...]:
        """The loops in the order of their heads."""
        forest = self.loop_forest
        return tuple(Loop(head, forest.blocks(head)) for head in forest.heads)

    @property
    def loop_forest(self) -> LoopForest:
        """The loops and how they nest."""
        return self._shape.loop_forest

    @property
    def dominators(self) -> Dominators:
        """The dominators of the blocks."""
        return self._shape.dominators

    @property
    def post_dominators(self) -> Dominators:
        """The post-dominators of the blocks; the root is the number of blocks."""
        return self._shape.post_dominators

    @property
    def control_dependence(self) -> tuple[tuple[int, ...], ...]:
        """For each block, those whose branches decide whether it runs, in order."""
        return self._shape.control_dependence

    def loops_around(self, number: int) -> Iterator[Loop]:
        """Yields the loops that contain a block; fast if no edge leads back into or over it."""
        if any(after <= number for following in self.successors[number:] for after in following):
            for loop in self.loops:
                if number in loop.blocks:
                    yield loop

    def block(self, number: int) -> Block:
        """Returns the block with a number."""
        return Block(
            number,
            self.starts[number],
            self.stops[number],
            self.labels.get(number, ()),
            self.successors[number],
            self.predecessors[number],
            self.leaves.get(number, ""),
            number in self.opened,
        )

    @property
    def blocks(self) -> tuple[Block, ...]:
        """All blocks, which are made anew."""
        return tuple(map(self.block, range(len(self.starts))))

    def lines(self, number: int) -> range:
        """Returns the lines of a block; it may share the first and the last one with others."""
        return range(self.starts[number][0], self.stops[number][0] + 1)

    def number_at(self, place: FunctionPosition) -> int | None:
        """Returns the number of the block that contains a place; None outside of the body."""
        number = bisect_right(self._shape.starts, self._rows.inwards(place)) - 1
        if number < 0 or place > self.stops[-1]:
            return None
        return number

    def block_at(self, place: FunctionPosition) -> Block | None:
        """Returns the block that contains a place; None outside of the body."""
        number = self.number_at(place)
        return None if number is None else self.block(number)
