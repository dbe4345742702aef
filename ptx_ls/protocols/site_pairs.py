"""Two statements of a function that name shared memory, one after the other."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ptx_ls.protocols.graph_view import closing_edges
from ptx_ls.source.named_tuple import NamedTuple
from ptx_ls.threads.happens_before.thread_numbers import iterations_of

if TYPE_CHECKING:
    from ptx_ls.protocols.async_sites import AsyncSites
    from ptx_ls.protocols.regions import RegionOverlap, SharedRegion


class SitePair(NamedTuple):
    """Two sites by their numbers, with the memory that they name.

    `head`: the head of the loop in whose next iteration the second one is; -1 if both are in the
    same iteration of all loops around both.
    """

    first: int
    region: SharedRegion
    second: int
    other: SharedRegion
    head: int

    def avoided(self, sites: AsyncSites) -> frozenset[tuple[int, int]]:
        """Returns the edges that are not on a path from the first to the second site.

        Loops around the second one are in their first iteration, except that of `head`.
        """
        block = sites.sites[self.second].block
        return closing_edges(sites.graph, block, self.head if self.head >= 0 else None)

    def overlap(self, sites: AsyncSites, without: int = 0) -> RegionOverlap | None:
        """Returns their common bytes in the first iterations of loops; None if none are certain.

        `without`: threads that are left out at the first site.
        """
        threads = sites.threads(self.first) & ~without
        others = sites.threads(self.second)
        now = iterations_of({})
        later = now if self.head < 0 else iterations_of({self.head: 1})
        find = sites.regions.overlap
        found = find(self.region, threads, now, self.other, others, later)
        one, two = sites.sites[self.first], sites.sites[self.second]
        if found is not None and sites.participants.excludes(one, two):
            found = None if found.threads is None else found._replace(is_own=False)
        if found is None:
            return None
        block, other = sites.sites[self.first].block, sites.sites[self.second].block
        for loop in sites.graph.loops_around(block):
            if other not in loop.blocks:
                moved = iterations_of({loop.head: 1})
                if find(self.region, threads, moved, self.other, others, later) != found:
                    return None
        return found


def site_pair(
    sites: AsyncSites, first: int, region: SharedRegion, second: int, other: SharedRegion
) -> SitePair | None:
    """Returns a pair of sites; None if it is unclear whether the second follows the first."""
    if region.symbol != other.symbol:
        return None
    head = sites.loop_between(first, second)
    if head is None or _may_be_skipped(sites, first, second):
        return None
    if head >= 0:
        blocks = sites.graph.loop_forest.blocks(head)
        if not sites.participants.runs_each_time(sites.sites[second], blocks):
            return None  # it may only be executed in the first iteration
    return SitePair(first, region, second, other, head)


def _may_be_skipped(sites: AsyncSites, first: int, second: int) -> bool:
    """Whether the last iteration of a loop may skip the first site, before the second one follows.

    Loops that load for the next iteration do so.
    """
    site, block = sites.sites[first], sites.sites[second].block
    for loop in sites.graph.loops_around(site.block):
        if block in loop.blocks:
            continue
        latches = [each for each, head in sites.graph.back_edges if head == loop.head]
        dominators = sites.graph.dominators
        if not all(dominators.dominates(site.block, each) for each in latches):
            return not sites.participants.is_exact(site)
        return sites.participants.is_unknown_guard(site)
    return False
