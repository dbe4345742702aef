"""Finds bulk copies and plain accesses of global memory that nothing orders.

Source: PTX ISA, "Memory Consistency Model", "Proxies"; "cp.async.bulk.wait_group".
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from ptx_ls.protocols.memory.proxy_sites import ASYNC, GENERIC
from ptx_ls.source.named_tuple import NamedTuple
from ptx_ls.threads.events.sites import event_sites
from ptx_ls.values.affine_values import is_stable

if TYPE_CHECKING:
    from collections.abc import Iterator

    from ptx_ls.isa.memory_events import AccessEvent
    from ptx_ls.protocols.async_sites import AsyncSites
    from ptx_ls.protocols.memory.regions import SharedRegion
    from ptx_ls.semantics.instructions.memory_events import ShapeEvents
    from ptx_ls.semantics.symbols.region_text import Found
    from ptx_ls.threads.events.sites import EventSite

_GLOBAL: Final = "global"
_OPCODES: Final = ("ld", "st", "red", "atom")
_NO_COPY: Final = ("", "untracked")
"""How instructions complete that copy nothing asynchronously, such as prefetches."""
_MAX_COMPARED: Final = 1_000
"""Number of pairs of accesses that are compared."""


class GlobalHazard(NamedTuple):
    """Two accesses of the same bytes of global memory, of which one is by a bulk copy.

    Attributes:
        first, second: the statements in the order in which threads run them.
        first_verb, second_verb: `reads`, `writes` or `updates`.
        is_of_others: whether different threads run them.
        barrier: the first barrier after the first statement in its block.
    """

    first: Found
    second: Found
    first_verb: str
    second_verb: str
    is_of_others: bool
    barrier: Found | None


class _GlobalAccess(NamedTuple):
    site: EventSite
    event: AccessEvent
    region: SharedRegion


class _GlobalAccesses:
    """The accesses of a kernel to global memory whose addresses are sums of known numbers."""

    def __init__(self, sites: AsyncSites) -> None:
        self._sites = sites

    def unfenced_reads(self) -> Iterator[GlobalHazard]:
        """Yields bulk copies that read what threads have stored, with no fence in the kernel."""
        copies = [each for each in self._copies() if each.event.is_read]
        if copies and not self._has_fence():
            yield from self._pairs([each for each in self._plain() if each.event.is_write], copies)

    def early_reads(self) -> Iterator[GlobalHazard]:
        """Yields reads of what bulk copies write, with no wait in the kernel for the writes."""
        if self._sites.doing("wait bulk"):
            return
        copies = [each for each in self._copies() if each.event.is_write]
        if copies:
            yield from self._pairs(copies, [each for each in self._plain() if each.event.is_read])

    def _has_fence(self) -> bool:
        return any(
            sync.action == "proxy fence" and sync.proxy == ASYNC and not sync.space.startswith("sh")
            for site in self._sites.sites
            for sync in site.syncs
        )

    def _copies(self) -> Iterator[_GlobalAccess]:
        """Yields the accesses of bulk copies."""
        for site in self._sites.sites:
            if site.known is not None and site.known.events.completion not in _NO_COPY:
                yield from self._accesses(site, ASYNC)

    def _plain(self) -> Iterator[_GlobalAccess]:
        """Yields the accesses of threads."""
        for site in event_sites(self._sites.values, _OPCODES, _is_global):
            if site.block >= 0:
                yield from self._accesses(site, GENERIC)

    def _accesses(self, site: EventSite, proxy: str) -> Iterator[_GlobalAccess]:
        for event in site.known.events.accesses if site.known is not None else ():
            if event.space == _GLOBAL and event.proxy == proxy:
                region = self._sites.regions.of_access(site, event)
                if region is not None and is_stable(region.form):
                    yield _GlobalAccess(site, event, region)

    def _pairs(
        self, firsts: list[_GlobalAccess], seconds: list[_GlobalAccess]
    ) -> Iterator[GlobalHazard]:
        """Yields the first hazard of each later access."""
        n_each = max(_MAX_COMPARED // max(len(seconds), 1), 1)
        for second in seconds[:_MAX_COMPARED]:
            for first in firsts[:n_each]:
                if self._comes_first(first.site, second.site):
                    hazard = self._compared(first, second)
                    if hazard is not None:
                        yield hazard
                        break

    def _comes_first(self, first: EventSite, second: EventSite) -> bool:
        """Whether a path leads from one statement to another within one iteration."""
        if first.block == second.block:
            return first.found.start < second.found.start
        return second.block in self._sites.goes_on_to(first.block)

    def _compared(self, first: _GlobalAccess, second: _GlobalAccess) -> GlobalHazard | None:
        participants, regions = self._sites.participants, self._sites.regions
        if participants.excludes_in_block(first.site, second.site):
            return None
        one, other = self._threads(first.site), self._threads(second.site)
        overlap = regions.overlap(first.region, one, (), second.region, other, ())
        if overlap is None:
            return None
        is_own = overlap.is_own and not participants.excludes(first.site, second.site)
        if not is_own and overlap.threads is None:
            return None
        return GlobalHazard(
            first.site.found,
            second.site.found,
            first.event.kind,
            second.event.kind,
            overlap.threads is not None,
            self._barrier_after(first.site),
        )

    def _threads(self, site: EventSite) -> int:
        """Returns the threads that may execute a statement, as a set with a bit for each."""
        found = self._sites.participants.threads(site)
        return -1 if found is None else found.threads

    def _barrier_after(self, first: EventSite) -> Found | None:
        for number, site in enumerate(self._sites.sites):
            is_after = site.block == first.block and site.found.start > first.found.start
            if is_after and self._sites.is_barrier(number):
                return site.found
        return None


def _is_global(known: ShapeEvents | None) -> bool:
    return known is not None and any(it.space == _GLOBAL for it in known.events.accesses)


def unfenced_reads(sites: AsyncSites) -> Iterator[GlobalHazard]:
    """Yields bulk copies from global memory that lack a proxy fence after stores of threads."""
    if sites.is_closed:
        yield from _GlobalAccesses(sites).unfenced_reads()


def early_reads(sites: AsyncSites) -> Iterator[GlobalHazard]:
    """Yields reads of global memory that bulk copies may not have written."""
    if sites.is_closed:
        yield from _GlobalAccesses(sites).early_reads()
