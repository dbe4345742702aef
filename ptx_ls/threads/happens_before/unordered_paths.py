"""Finds paths through a function on which nothing orders the accesses of different threads."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from typing import TYPE_CHECKING, Final

from ptx_ls.source.named_tuple import NamedTuple
from ptx_ls.source.reachability import reached, without_edges

if TYPE_CHECKING:
    from collections.abc import Sequence
    from collections.abc import Set as AbstractSet

    from ptx_ls.document.coordinates import FunctionPosition
    from ptx_ls.flow.graph import FlowGraph
    from ptx_ls.threads.events.sites import EventSite

FORWARD: Final = -1
"""The kind of a path within one iteration of all loops."""
APART: Final = -2
"""The kind of two accesses with no path between them, after points that threads pass together."""


class CodeSpot(NamedTuple):
    """A part of a block between two instructions that order accesses.

    `number`: how many of them are before it in the block. `is_first`, `is_last`: whether none is
    before it, and none after it.
    """

    block: int
    number: int
    is_first: bool
    is_last: bool


class UnorderedPaths:
    """The paths of a function without a statement that orders accesses."""

    def __init__(
        self,
        graph: FlowGraph,
        ordering: Sequence[EventSite],
        closed: AbstractSet[tuple[int, int]] = frozenset(),
    ) -> None:
        """`ordering`: the statements that order. `closed`: edges that no path takes, by blocks."""
        self._closed = closed
        self._graph = graph
        self._back = frozenset(graph.back_edges)
        self._barred = self._back | closed
        self._latches: dict[int, list[int]] = {}
        """For each head of a loop, the blocks that lead back to it."""
        for latch, head in graph.back_edges:
            self._latches.setdefault(head, []).append(latch)
        self._orders: dict[int, list[FunctionPosition]] = {}
        for site in ordering:
            self._orders.setdefault(site.block, []).append(site.found.start)
        self._reached: dict[int, frozenset[int]] = {}
        self._next: dict[int, list[tuple[int, AbstractSet[int]]]] = {}

    def spot(self, site: EventSite) -> CodeSpot:
        """Returns the spot of a statement, which comes before the statement if that orders, too."""
        places = self._orders.get(site.block, [])
        number = bisect_left(places, site.found.start)
        is_last = bisect_right(places, site.found.start) == len(places)
        return CodeSpot(site.block, number, number == 0, is_last)

    def after(self, site: EventSite) -> CodeSpot:
        """Returns the spot after a statement that orders, or that of another statement."""
        places = self._orders.get(site.block, [])
        number = bisect_right(places, site.found.start)
        return CodeSpot(site.block, number, number == 0, number == len(places))

    def start(self, block: int) -> CodeSpot:
        """Returns the spot at the start of a block."""
        return CodeSpot(block, 0, is_first=True, is_last=block not in self._orders)

    def end(self, block: int) -> CodeSpot:
        """Returns the spot at the end of a block."""
        number = len(self._orders.get(block, ()))
        return CodeSpot(block, number, number == 0, is_last=True)

    def kinds(self, first: CodeSpot, second: CodeSpot) -> list[int]:
        """Returns how unordered paths lead from the end of one spot to the start of another.

        These are `FORWARD`, and the heads of loops whose back edge such a path takes once. Paths
        within one spot are not included.
        """
        if not first.is_last or not second.is_first:
            return []
        found = []
        if second.block != first.block and second.block in self._from(first.block):
            found.append(FORWARD)
        return found + [
            head for head, blocks in self._around(first.block) if second.block in blocks
        ]

    def origins(self, block: int) -> AbstractSet[int]:
        """Returns the blocks from whose ends unordered paths lead forward to the start of one."""
        found, waiting = set[int](), [block]
        barred, predecessors = self._barred, self._graph.predecessors
        while waiting:
            each = waiting.pop()
            for before in predecessors[each]:
                if before not in found and (before, each) not in barred:
                    found.add(before)
                    if before not in self._orders:
                        waiting.append(before)
        return found

    def repeats(self, head: int) -> bool:
        """Whether an unordered path leads through an iteration of a loop to the next one."""
        return head not in self._orders and self._is_closed(head, head)

    def goes_around(self, block: int, head: int) -> bool:
        """Whether an unordered path leads from the end of a block to the next iteration."""
        return self._is_closed(block, head)

    def is_always(self, first: CodeSpot, second: CodeSpot, kind: int) -> bool:
        """Whether nothing orders accesses on any path of a kind, not only on some."""
        if first == second and kind == FORWARD:
            return True
        heads = set(self._graph.loop_forest.heads_around(first.block))
        common = heads.intersection(self._graph.loop_forest.heads_around(second.block))
        avoided = {edge for edge in self._back if edge[1] in common} | self._closed
        if kind == FORWARD:
            between = self._between(first.block, second.block, avoided)
        else:
            latches = self._latches.get(kind, [])
            between = {kind, *latches, *self._between(kind, second.block, avoided)}
            for each in latches:
                between |= self._between(first.block, each, avoided)
        return self._orders.keys().isdisjoint(between - {first.block, second.block})

    def _between(
        self, first: int, last: int, avoided: AbstractSet[tuple[int, int]]
    ) -> AbstractSet[int]:
        """Returns the blocks on the paths from one block to another that avoid some edges."""
        after = self._closure(first, self._graph.successors, avoided)
        turned = {(to, each) for each, to in avoided}
        return after & self._closure(last, self._graph.predecessors, turned)

    def _closure(
        self,
        block: int,
        following: Sequence[Sequence[int]],
        avoided: AbstractSet[tuple[int, int]],
    ) -> AbstractSet[int]:
        allowed = without_edges(following, avoided)
        return reached(allowed(block), allowed)

    def _around(self, block: int) -> list[tuple[int, AbstractSet[int]]]:
        """Returns the heads of loops that unordered paths reach from a block by a back edge.

        With each, returns the blocks of the loop whose starts they reach then.
        """
        if block not in self._next:
            forest = self._graph.loop_forest
            self._next[block] = [
                (head, self._starts(head) & forest.blocks(head))
                for head in forest.heads_around(block)
                if self._is_closed(block, head)
            ]
        return self._next[block]

    def _starts(self, head: int) -> AbstractSet[int]:
        return {head} if head in self._orders else self._from(head)

    def _is_closed(self, block: int, head: int) -> bool:
        """Whether an unordered path leads from the end of a block to the head of its loop."""
        reached = self._from(block)
        return any(
            each in reached and (each == block or each not in self._orders)
            for each in self._latches.get(head, ())
            if (each, head) not in self._closed
        )

    def _from(self, block: int) -> frozenset[int]:
        """Returns a block, and the blocks whose starts unordered paths reach from its end.

        The paths take no back edge.
        """
        if block not in self._reached:
            found, waiting = {block}, [block]
            barred, successors = self._barred, self._graph.successors
            while waiting:
                each = waiting.pop()
                if each != block and each in self._orders:
                    continue
                for following in successors[each]:
                    if following not in found and (each, following) not in barred:
                        found.add(following)
                        waiting.append(following)
            self._reached[block] = frozenset(found)
        return self._reached[block]


class IterationPaths:
    """The paths of a function within an iteration of all loops."""

    def __init__(self, graph: FlowGraph) -> None:
        self._graph, self._back = graph, frozenset(graph.back_edges)
        self._known: dict[int, frozenset[int]] = {}

    def are_apart(self, one: int, other: int) -> bool:
        """Whether no path leads from one of two blocks to the other."""
        return other not in self._from(one) and one not in self._from(other)

    def _from(self, block: int) -> frozenset[int]:
        if block not in self._known:
            following = without_edges(self._graph.successors, self._back)
            self._known[block] = frozenset(reached([block], following))
        return self._known[block]
