"""Finds the accesses that a fence orders: those before it, and those up to the next one."""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING, Final

from ptx_ls.protocols.site_facts import SiteFacts, states_by_origin
from ptx_ls.protocols.site_steps import SiteSteps
from ptx_ls.semantics.symbols.region_text import MAX_RECENT_FUNCTIONS
from ptx_ls.source.named_tuple import NamedTuple

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator

    from ptx_ls.document.coordinates import FunctionPosition
    from ptx_ls.flow.graph import FlowGraph
    from ptx_ls.isa.memory_events import AccessEvent
    from ptx_ls.protocols.async_sites import AsyncSites
    from ptx_ls.threads.events.sites import EventSite

_PROXY_FENCE: Final = "proxy fence"
_ASYNC: Final = "async"
_GENERIC: Final = "generic"
_SHARED: Final = ("shared::cta", "shared::cluster")


class FenceOrder(NamedTuple):
    """The statements that a fence orders, by their places among all sites of the function."""

    before: tuple[EventSite, ...]
    after: tuple[EventSite, ...]


class _FenceRun:
    """The statements between which fences are, and which of them are connected by paths."""

    def __init__(
        self,
        graph: FlowGraph,
        sites: tuple[EventSite, ...],
        fences: Collection[int],
        earlier: Collection[int],
        later: Collection[int],
    ) -> None:
        self._sites, self.fences = sites, fences
        self._earlier, self._later = frozenset(earlier), sorted(later)
        begins = self._earlier | frozenset(fences)
        steps = SiteSteps(
            sites,
            lambda number: 0 if number in begins else None,
            lambda fact, number: () if number in fences else (fact.state,),
        )
        self._facts = SiteFacts(graph, steps)

    def order(self, fence: int) -> FenceOrder:
        """Returns what a fence orders; nothing if paths are too many."""
        if not self._facts.is_known:
            return FenceOrder((), ())
        before = states_by_origin(self._facts.before(fence))
        after = [it for it in self._later if fence in states_by_origin(self._facts.before(it))]
        return FenceOrder(
            tuple(self._sites[it] for it in sorted(before) if it in self._earlier),
            tuple(self._sites[it] for it in after),
        )


@lru_cache(maxsize=MAX_RECENT_FUNCTIONS)
def _proxy_run(sites: AsyncSites) -> _FenceRun:
    numbers = range(len(sites.sites))
    fences = {
        number
        for number in numbers
        if any(it.action == _PROXY_FENCE and it.proxy == _ASYNC for it in sites.syncs(number))
    }
    earlier = [
        number
        for number in numbers
        if not sites.syncs(number) and any(map(_is_generic_write, _accesses(sites.sites[number])))
    ]
    later = [it for it in numbers if any(map(_is_async, _accesses(sites.sites[it])))]
    return _FenceRun(sites.graph, sites.sites, fences, earlier, later)


def _accesses(site: EventSite) -> Iterator[AccessEvent]:
    yield from site.known.events.accesses if site.known is not None else ()


def _is_generic_write(event: AccessEvent) -> bool:
    return event.is_write and event.proxy == _GENERIC and event.space in _SHARED


def _is_async(event: AccessEvent) -> bool:
    return event.proxy == _ASYNC and event.space in _SHARED


def proxy_order(sites: AsyncSites, start: FunctionPosition) -> FenceOrder:
    """Returns the stores to shared memory before a proxy fence, and the async accesses after it.

    Nothing for another statement than such a fence.
    """
    run = _proxy_run(sites)
    fence = next((each for each in run.fences if sites.sites[each].found.start == start), None)
    return FenceOrder((), ()) if fence is None else run.order(fence)
