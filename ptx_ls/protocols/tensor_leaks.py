"""Finds ways to the end of a kernel on which no warp frees the Tensor Memory of the block."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from ptx_ls.source.named_tuple import NamedTuple
from ptx_ls.source.reachability import reached
from ptx_ls.threads.uniformity.levels import Level

if TYPE_CHECKING:
    from collections.abc import Iterator

    from ptx_ls.protocols.protocol_sites import ProtocolSites

_ENDS: Final = ("ret", "exit")
_TWO: Final = 2
"""Number of blocks that a branch may lead to."""


class LeakingBranch(NamedTuple):
    """An allocation, and the block at whose end a branch may lead past all that free it."""

    allocation: int
    block: int


def leaking_branches(sites: ProtocolSites) -> Iterator[LeakingBranch]:
    """Yields the first such branch after each allocation of a kernel.

    All threads of the grid agree on the branch, and the warp that allocates surely gets there, so
    that a launch exists in which it takes either way.
    """
    numbers = range(len(sites.sites))
    frees = [sites.sites[each].block for each in sites.of_action("free")]
    if not sites.is_kernel or not frees or any(map(sites.is_opaque, numbers)):
        return
    for allocation in sites.of_action("allocate"):
        if not _is_of_launch(sites, allocation):
            found = next(_branches_after(sites, sites.sites[allocation].block, frees), None)
            if found is not None:
                yield LeakingBranch(allocation, found)


def _is_of_launch(sites: ProtocolSites, number: int) -> bool:
    """Whether something that all threads of the grid know decides if a statement runs."""
    return any(
        each.edge is not None and sites.uniformity.branch(each.edge.block).surely >= Level.GRID
        for each in sites.values.conditions(sites.sites[number].found)
    )


def _branches_after(sites: ProtocolSites, start: int, frees: list[int]) -> Iterator[int]:
    graph = sites.values.graph
    following = graph.successors.__getitem__
    after = reached([start], following)
    freed = reached(frees, following)
    for block in sorted(after - freed):
        successors = graph.successors[block]
        is_exit = block in graph.leaves and graph.leaves[block] in _ENDS and bool(successors)
        if not is_exit and len(successors) < _TWO:
            continue
        if not graph.post_dominators.dominates(block, start):
            continue
        if sites.uniformity.branch(block).surely < Level.GRID:
            continue
        for each in successors:
            later = reached([each], following)
            is_exit |= later.isdisjoint(frees) and any(
                graph.leaves.get(it) in _ENDS for it in later
            )
        if is_exit:
            yield block
