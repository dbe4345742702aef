"""Two statements of a function that name shared memory, one after the other."""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING

from ptx_ls.protocols.graph_view import closing_edges
from ptx_ls.protocols.memory.region_index import RegionIndex
from ptx_ls.semantics.symbols.region_text import MAX_RECENT_FUNCTIONS
from ptx_ls.source.named_tuple import NamedTuple
from ptx_ls.threads.launch_example.iterations import iterations_of

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Iterator

    from ptx_ls.protocols.async_sites import AsyncSites
    from ptx_ls.protocols.memory.regions import RegionOverlap, SharedRegion
    from ptx_ls.threads.events.sites import EventSite
    from ptx_ls.threads.launch_example.iterations import Iterations

    Edges = frozenset[tuple[int, int]]
    NamedMemory = tuple[int, SharedRegion]
    """The number of a site, and memory that it names."""


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


class SitePairs:
    """Which sites of a function surely follow which, and the memory that both name."""

    def __init__(self, sites: AsyncSites) -> None:
        self._sites = sites
        self._repeated: dict[tuple[int, int], bool] = {}
        self._avoided: dict[tuple[int, int], Edges] = {}

    def head(self, first: int, second: int) -> int | None:
        """Returns the head of the loop in whose next iteration the second site follows the first.

        -1 if it follows in the same iteration of all loops around both; None if it may not follow.
        """
        head = self._sites.loop_between(first, second)
        if head is not None and head >= 0 and not self._is_repeated(second, head):
            return None  # it may only be executed in the first iteration
        return head

    def _is_repeated(self, number: int, head: int) -> bool:
        """Whether some threads execute a site in each iteration of a loop."""
        key = number, head
        if key not in self._repeated:
            sites = self._sites
            blocks = sites.graph.loop_forest.blocks(head)
            runs_each_time = sites.participants.runs_each_time(sites.sites[number], blocks)
            self._repeated[key] = runs_each_time
        return self._repeated[key]

    def near(
        self, firsts: Iterable[NamedMemory], seconds: Iterable[NamedMemory]
    ) -> Iterator[tuple[int, int, int | None]]:
        """Yields the pairs of sites whose memory may overlap, in order.

        Each has the places in both sequences, and the head of the pair; None if it is unclear
        whether the second site follows. All other pairs have no common bytes that are certain.
        """
        tags: list[tuple[int, int, int]] = []
        members: list[tuple[SharedRegion, Iterations]] = []
        for place, (number, region) in enumerate(seconds):
            around = self._sites.loops_around(self._sites.sites[number].block)
            for head in (-1, *(loop.head for loop in around)):
                tags.append((place, number, head))
                members.append((region, iterations_after(head)))
        index = RegionIndex(self._sites.regions, members)
        for first, (number, region) in enumerate(firsts):
            for each in index.near(region):
                place, second, tag = tags[each]
                found = self.head(number, second)
                if found is not None and self.may_be_skipped(number, second):
                    found = None
                if tag == (-1 if found is None else found):
                    yield first, place, found

    def may_be_skipped(self, first: int, second: int) -> bool:
        """Whether the last iteration of a loop may skip a site before another one follows.

        Loops that load for the next iteration do so.
        """
        sites = self._sites
        site, block = sites.sites[first], sites.sites[second].block
        for loop in sites.loops_around(site.block):
            if block in loop.blocks:
                continue
            latches = [each for each, head in sites.graph.back_edges if head == loop.head]
            dominators = sites.graph.dominators
            if not all(dominators.dominates(site.block, each) for each in latches):
                return not sites.participants.is_exact(site)
            return sites.participants.is_unknown_guard(site)
        return False

    def avoided(self, second: int, head: int) -> Edges:
        """Returns the edges that are not on a path to a site that follows another one.

        Loops around it are in their first iteration, except that of `head`.
        """
        block = self._sites.sites[second].block
        key = block, head
        if key not in self._avoided:
            kept = head if head >= 0 else None
            self._avoided[key] = closing_edges(self._sites.graph, block, kept)
        return self._avoided[key]

    def overlap(
        self, pair: SitePair, without: int = 0, ends: Collection[int] | None = None
    ) -> RegionOverlap | None:
        """Returns their common bytes in the first iterations of loops; None if none are certain.

        `without`: threads that are left out at the first site.
        `ends`: the sites that may end the effect of the first one, if not all may. A loop with none
        of them keeps the effect of its first iteration.
        """
        sites, regions = self._sites, self._sites.regions
        first, region, second, other, head = pair
        one, two = sites.sites[first], sites.sites[second]
        later = iterations_after(head)
        ending = None if ends is None else {sites.sites[each].block for each in ends}
        left = [
            loop.head
            for loop in sites.loops_around(one.block)
            if two.block not in loop.blocks
            and (ending is None or not ending.isdisjoint(loop.blocks))
        ]
        moved: list[Iterations] = [(), *(iterations_of({each: 1}) for each in left)]
        if not all(regions.may_overlap(region, now, other, later) for now in moved):
            return None
        threads, others = sites.threads(first) & ~without, sites.threads(second)
        found = known = regions.overlap(region, threads, (), other, others, later)
        if found is not None:
            found = self._between_threads(found, one, two)
        for now in moved[1:] if found is not None else ():
            if regions.overlap(region, threads, now, other, others, later) != known:
                return None
        return found

    def _between_threads(
        self, found: RegionOverlap, first: EventSite, second: EventSite
    ) -> RegionOverlap | None:
        """Returns the part of an overlap that threads which execute both statements have."""
        participants = self._sites.participants
        if participants.never_runs(first) or participants.never_runs(second):
            return None
        if participants.excludes_in_block(first, second):
            return None
        threads = found.threads
        if threads is not None and participants.may_be_of_one_thread(first, second):
            threads = None
        is_own = found.is_own and not participants.excludes(first, second)
        return found._replace(is_own=is_own, threads=threads) if is_own or threads else None


def iterations_after(head: int) -> Iterations:
    """Returns the iterations of the second site of a pair."""
    return iterations_of({head: 1}) if head >= 0 else ()


@lru_cache(maxsize=MAX_RECENT_FUNCTIONS)
def site_pairs(sites: AsyncSites) -> SitePairs:
    """Returns which sites of a function follow which."""
    return SitePairs(sites)
