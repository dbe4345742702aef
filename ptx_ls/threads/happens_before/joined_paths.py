"""Finds the threads that get to a block on several paths.

Compilers let threads that have passed one test skip another one that they pass, too. Then no single
branch decides which threads get to the code after both.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from ptx_ls.flow.structure.dominators import NONE
from ptx_ls.source.named_tuple import NamedTuple

if TYPE_CHECKING:
    from collections.abc import Callable

    from ptx_ls.flow.graph import FlowGraph

    HoldingThreads = Callable[[int, int], frozenset[int] | None]
    """Returns the threads that take an edge of those at its start; None if that is unclear."""

_MAX_BLOCKS: Final = 12
"""Number of blocks of all paths up to which they are followed."""


class JoinedPaths(NamedTuple):
    """The paths to a block from its immediate dominator.

    `blocks`: all blocks of the paths but the last one, each after those that lead to it. The first
    one is the dominator.
    """

    blocks: tuple[int, ...]
    last: int

    def threads(
        self, graph: FlowGraph, everyone: frozenset[int], holding: HoldingThreads
    ) -> frozenset[int] | None:
        """Returns which threads of those at the dominator get to the block; None if unclear."""
        found = {self.blocks[0]: everyone}
        for block in (*self.blocks[1:], self.last):
            own = frozenset[int]()
            for each in graph.predecessors[block]:
                if each not in found:
                    continue
                taken = found[each]
                if len(graph.successors[each]) > 1:
                    holds = holding(each, block)
                    if holds is None:
                        return None
                    taken &= holds
                own |= taken
            found[block] = own
        return found[self.last]


def joined_paths(graph: FlowGraph, block: int) -> JoinedPaths | None:
    """Returns the paths to a block from its immediate dominator; None if there are loops or many.

    Also None if there is only one such path, which is an edge.
    """
    dominator = graph.dominators.parent[block]
    if dominator == NONE or len(graph.predecessors[block]) <= 1:
        return None
    order: list[int] = []
    seen = set[int]()
    back = frozenset(graph.back_edges)

    def visit(each: int) -> bool:
        if each == dominator or each in seen:
            return each not in seen or each in order
        seen.add(each)
        if len(seen) > _MAX_BLOCKS or graph.loop_forest.innermost(each) != loop:
            return False
        is_known = all(visit(it) for it in graph.predecessors[each] if (it, each) not in back)
        order.append(each)
        return is_known

    loop = graph.loop_forest.innermost(dominator)
    if not visit(block):
        return None
    return JoinedPaths((dominator, *order[:-1]), block)
