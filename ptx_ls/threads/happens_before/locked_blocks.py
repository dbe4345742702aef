"""Finds the statements that only one thread at a time may execute, because it holds a lock."""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING, Final

from ptx_ls.threads.events.sites import event_sites
from ptx_ls.threads.happens_before.ordering import OrderingLevel, ordering_of, orders_by_reading
from ptx_ls.threads.happens_before.waiting_sites import decides

if TYPE_CHECKING:
    from collections.abc import Mapping

    from ptx_ls.document.coordinates import FunctionPosition
    from ptx_ls.threads.events.sites import EventSite
    from ptx_ls.values.function_values import FunctionValues

_STRONG_READS: Final = ("atom", "ld")
_BARRIERS: Final = ("bar", "barrier")


class LockedBlocks:
    """The blocks of a function that threads reach from a loop that may take a lock.

    Such a loop ends when a strong read returns some value, at one or several places. A barrier
    shows that threads hold no lock that keeps others out.
    """

    def __init__(self, values: FunctionValues) -> None:
        self._values = values

    def may_be_held(self, site: EventSite) -> bool:
        """Whether the thread that executes a statement may hold a lock."""
        if site.block not in self._entered:
            return False
        barriers = self._barriers.get(site.block, ())
        return not any(each < site.found.start for each in barriers)

    @cached_property
    def _entered(self) -> frozenset[int]:
        """The blocks that paths without a barrier lead to from the reads of a lock."""
        forest = self._values.graph.loop_forest
        found = set[int]()
        for read in event_sites(self._values, _STRONG_READS, orders_by_reading):
            loop = forest.innermost(read.block)
            if loop >= 0 and decides(self._values, read, by_stores=False):
                found |= self._reached_from(read) - forest.blocks(loop)
        return frozenset(found)

    def _reached_from(self, site: EventSite) -> set[int]:
        """Returns the blocks that paths without a barrier lead to from a statement."""
        successors, barriers = self._values.graph.successors, self._barriers
        if any(each > site.found.start for each in barriers.get(site.block, ())):
            return set()
        waiting, seen = [*successors[site.block]], set[int]()
        while waiting:
            block = waiting.pop()
            if block not in seen:
                seen.add(block)
                waiting += () if block in barriers else successors[block]
        return seen

    @cached_property
    def _barriers(self) -> Mapping[int, list[FunctionPosition]]:
        """The places of the barriers of the block, by the blocks that they are in."""
        found: dict[int, list[FunctionPosition]] = {}
        for each in event_sites(self._values, _BARRIERS):
            if ordering_of(each.known) is OrderingLevel.BLOCK:
                found.setdefault(each.block, []).append(each.found.start)
        return found
