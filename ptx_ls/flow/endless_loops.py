"""Finds the loops that no path leaves."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ptx_ls.source.reachability import components, reached

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from ptx_ls.flow.block_arrays import BlockArrays
    from ptx_ls.flow.graph import FlowGraph


def may_be_endless(blocks: BlockArrays) -> bool:
    """Whether some blocks may form an endless loop: not if all lead to one without successors."""
    successors = blocks.successors
    if not any(map(_closes, range(len(successors)), successors)):
        return False
    ends = [block for block, following in enumerate(successors) if not following]
    return len(reached(ends, blocks.predecessors.__getitem__)) < len(successors)


def endless_loops(graph: FlowGraph) -> list[list[int]]:
    """Returns the blocks of each reachable loop that no path leaves, in order.

    A loop that leads only to another such loop is not one. Returns none if a reachable block
    branches to an unknown label.
    """
    reachable = graph.reachable
    if not reachable.isdisjoint(graph.opened):
        return []
    leading_out = reached(graph.leaves, graph.predecessors.__getitem__)
    lost = reachable - leading_out
    if not lost:
        return []
    order = sorted(lost)
    number_of = {block: number for number, block in enumerate(order)}
    among = [[number_of[each] for each in graph.successors[block]] for block in order]
    return sorted(
        [order[number] for number in component]
        for component in components(among)
        if _is_closed(component, among)
    )


def _closes(block: int, successors: Sequence[int]) -> bool:
    """Whether a block only leads back, as the last one of a loop that no path leaves does."""
    return bool(successors) and max(successors) <= block


def _is_closed(component: Sequence[int], successors: Sequence[Sequence[int]]) -> bool:
    """Whether no path leaves a component."""
    inside = set(component)
    return all(inside.issuperset(successors[block]) for block in component)


def closing_blocks(loop: Iterable[int], graph: FlowGraph) -> Iterator[int]:
    """Yields the blocks of a loop that lead only back to it or to an earlier block."""
    return (block for block in loop if _closes(block, graph.successors[block]))
