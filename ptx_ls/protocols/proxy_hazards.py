"""Finds asynchronous accesses to shared memory that no proxy fence separates from earlier ones."""

from __future__ import annotations

from functools import cached_property, lru_cache
from typing import TYPE_CHECKING, Final

from ptx_ls.protocols.batches import first_of_batch
from ptx_ls.protocols.definition import ProtocolEvent, Sureness, protocol
from ptx_ls.protocols.graph_view import without_edges
from ptx_ls.protocols.mbarrier_objects import ARRIVALS, WAITS, mbarrier_objects
from ptx_ls.protocols.protocol_facts import UNKNOWN, ProtocolFacts
from ptx_ls.protocols.site_pairs import SitePair, site_pair
from ptx_ls.semantics.symbols.region_text import MAX_RECENT_FUNCTIONS
from ptx_ls.source.named_tuple import NamedTuple
from ptx_ls.threads.happens_before.ordering import OrderingLevel, ordering_of

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from ptx_ls.isa.memory_events import AccessEvent
    from ptx_ls.protocols.async_sites import AsyncSites
    from ptx_ls.protocols.regions import SharedRegion
    from ptx_ls.semantics.symbols.region_text import Found
    from ptx_ls.semantics.symbols.symbols import Symbol

    Edges = frozenset[tuple[int, int]]

_ASYNC: Final = "async"
_GENERIC: Final = "generic"
_MAX_COMPARED: Final = 4_000
"""Number of pairs of accesses that are compared."""


class ProxyHazard(NamedTuple):
    """An access through the async proxy with no fence after an access through the generic proxy.

    Attributes:
        sureness: whether no path has a fence, or only some path lacks one.
        first, second: the statements.
        first_verb, second_verb: `reads`, `writes` or `updates`.
        symbol: the variable.
        is_ordered: whether a barrier orders the two on all paths.
        is_of_others: whether other threads than that of the second access do the first one.
        fence: a fence that only some of the threads execute, or none does after the access.
        barrier: the first barrier after the first access in its block.
        is_around: whether the second access is in the next iteration of a loop.
    """

    sureness: Sureness
    first: Found
    second: Found
    first_verb: str
    second_verb: str
    symbol: Symbol | None
    is_ordered: bool
    is_of_others: bool
    fence: Found | None
    barrier: Found | None
    is_around: bool


class _ProxyAccess(NamedTuple):
    number: int
    event: AccessEvent
    region: SharedRegion


class _ProxyHazards:
    """The accesses of a function to shared memory through both proxies."""

    def __init__(self, sites: AsyncSites) -> None:
        self._sites, self.protocol = sites, protocol("proxy_fence")
        self._facts: dict[tuple[Edges, int], ProtocolFacts] = {}
        self._events: dict[tuple[int, int], tuple[ProtocolEvent, ...]] = {}
        self._asynchronous = [*self._accesses(_ASYNC)]
        self._fences = [each for each in range(len(sites.sites)) if self._is_fence(each)]

    @cached_property
    def _generic(self) -> list[_ProxyAccess]:
        return [*self._accesses(_GENERIC)]

    @cached_property
    def _firsts(self) -> dict[int, int]:
        """Maps accesses to the first one of those that the same threads run one after another."""
        return first_of_batch(
            dict.fromkeys(each.number for each in self._generic), self._is_together
        )

    def _is_together(self, first: int, number: int) -> bool:
        """Whether the same threads run two accesses to the same variables in one block."""
        one, other = self._sites.sites[first], self._sites.sites[number]
        executes_too = self._sites.participants.executes_too
        return (
            one.block == other.block
            and executes_too(one, other)
            and executes_too(other, one)
            and self._symbols(first) == self._symbols(number)
        )

    def _symbols(self, number: int) -> frozenset[Symbol | None]:
        return frozenset(it.region.symbol for it in self._generic if it.number == number)

    def _is_fence(self, number: int) -> bool:
        return any(
            each.action == "proxy fence" and each.proxy == _ASYNC and each.space != "global"
            for each in self._sites.syncs(number)
        )

    def hazards(self) -> Iterator[ProxyHazard]:
        """Yields the first hazard of each access through the async proxy."""
        later = self._asynchronous
        if not later:
            return
        symbols = {each.region.symbol for each in later}
        earlier = [it for it in self._generic if it.region.symbol in symbols]
        n_left = _MAX_COMPARED
        for second in later:
            found: ProxyHazard | None = None
            for first in earlier:
                n_left -= 1
                if n_left < 0:
                    return
                hazard = self._compared(first, second)
                if hazard is not None and (found is None or hazard.sureness > found.sureness):
                    found = hazard
            if found is not None:
                yield found

    def _accesses(self, proxy: str) -> Iterator[_ProxyAccess]:
        sites = self._sites
        for number, site in enumerate(sites.sites):
            objects = {each.operand for each in sites.syncs(number)}
            for event in sites.accesses(number):
                is_address = any(each.action == "allocate" for each in sites.syncs(number))
                if event.proxy != proxy or event.operand in objects or is_address:
                    continue
                region = sites.regions.of_event(site, event)
                symbol = None if region is None else region.symbol
                if region is not None and symbol is not None and ".shared" in symbol.space:
                    yield _ProxyAccess(number, event, region)

    def _compared(self, first: _ProxyAccess, second: _ProxyAccess) -> ProxyHazard | None:
        sites = self._sites
        if not (first.event.is_write or second.event.is_write):
            return None
        pair = site_pair(sites, first.number, first.region, second.number, second.region)
        if pair is None:
            return self._across_roles(first, second)
        states = self._states(pair)
        word = "async write" if second.event.is_write else "async read"
        sureness = self.protocol.judge(word, states)
        if sureness is Sureness.NONE:
            return None
        is_ordered = "unfenced" not in states
        is_overwriting = second.event.is_write and not first.event.is_write
        if is_ordered and is_overwriting and not self._is_refill(first, second):
            return None
        if sureness is Sureness.POSSIBLE and self._may_be_the_same_case(first.number):
            return None
        partial = [
            each
            for each in self._fences
            if sites.may_follow(first.number, each)
            and sites.may_follow(each, second.number)
            and self._is_partial(first.number, each)
        ]
        fencing = 0
        for each in partial:
            fencing |= sites.threads(each)
        overlap = pair.overlap(sites, fencing)
        if overlap is None:
            return None
        return ProxyHazard(
            sureness,
            sites.sites[first.number].found,
            sites.sites[second.number].found,
            first.event.kind,
            second.event.kind,
            first.region.symbol,
            is_ordered,
            overlap.threads is not None,
            self._useless_fence(pair, partial),
            self._barrier_after(first.number),
            pair.head >= 0,
        )

    def _across_roles(self, first: _ProxyAccess, second: _ProxyAccess) -> ProxyHazard | None:
        """Returns a hazard of threads that part before: one stores, another one issues a copy.

        They meet at a barrier or an mbarrier object, and neither side has a fence.
        """
        sites = self._sites
        one, other = first.number, second.number
        is_stored = first.event.is_write and not second.event.is_write
        if not is_stored or first.region.symbol != second.region.symbol or not sites.is_closed:
            return None
        if sites.loop_between(one, other) is not None or sites.loop_between(other, one) is not None:
            return None
        if any(sites.may_follow(one, it) or sites.may_follow(it, other) for it in self._fences):
            return None
        meeting = self._meeting(one, other)
        if meeting is None:
            return None
        pair = SitePair(one, first.region, other, second.region, -1)
        if pair.overlap(sites) is None:
            return None
        return ProxyHazard(
            Sureness.PROVEN,
            sites.sites[one].found,
            sites.sites[other].found,
            first.event.kind,
            second.event.kind,
            first.region.symbol,
            is_ordered=True,
            is_of_others=True,
            fence=None,
            barrier=sites.sites[meeting].found,
            is_around=False,
        )

    def _meeting(self, first: int, second: int) -> int | None:
        """Returns where threads arrive after one site that others wait for before another site."""
        sites, objects = self._sites, mbarrier_objects(self._sites)
        for each in range(first + 1, len(sites.sites)):
            if not sites.is_barrier(each) or not sites.may_follow(first, each):
                continue
            for other in range(second):
                is_same = other != each and sites.is_same_barrier(other, each)
                if is_same and sites.may_follow(other, second):
                    return each
        for arrival in objects.doing(*ARRIVALS):
            if sites.may_follow(first, arrival.number) and any(
                sites.may_follow(wait.number, second) and wait.surely_is(arrival)
                for wait in objects.doing(*WAITS)
            ):
                return arrival.number
        return None

    def _is_refill(self, read: _ProxyAccess, copy: _ProxyAccess) -> bool:
        """Whether a copy overwrites what threads have read of an earlier copy."""
        return any(
            each.event.is_write
            and each.region.symbol == copy.region.symbol
            and self._sites.may_follow(each.number, read.number)
            for each in self._asynchronous
        )

    def _may_be_the_same_case(self, number: int) -> bool:
        """Whether a fence may run in just those cases in which an access does."""
        decisions = self._sites.decisions(number)
        return any(decisions & self._sites.decisions(each) for each in self._fences)

    def _states(self, pair: SitePair) -> set[str]:
        edges = pair.avoided(self._sites)
        first = self._firsts[pair.first]
        key = edges, first
        if key not in self._facts:
            view = without_edges(self._sites.graph, edges)
            self._facts[key] = ProtocolFacts(
                self.protocol, view, self._sites.sites, (first,), self._events_of
            )
        held = self._facts[key].before(pair.second).get(first, set())
        return {each.name for each in held}

    def _events_of(self, origin: int, number: int) -> Sequence[ProtocolEvent]:
        key = origin, number
        if key not in self._events:
            self._events[key] = tuple(self._find_events(origin, number))
        return self._events[key]

    def _find_events(self, origin: int, number: int) -> Iterator[ProtocolEvent]:
        sites = self._sites
        if sites.is_opaque(number):
            yield UNKNOWN
        elif number in self._fences:
            if self._is_partial(origin, number):
                yield ProtocolEvent("partial fence")
            else:
                is_certain = sites.participants.executes_too(
                    sites.sites[origin], sites.sites[number]
                )
                yield ProtocolEvent("fence", None, is_certain)
        elif any(it.number == number and it.event.is_write for it in self._asynchronous):
            yield from self._overwriting(origin, number)
        elif self._only_arms(number):
            return
        elif ordering_of(sites.sites[number].known) is not OrderingLevel.NONE:
            yield ProtocolEvent("barrier")

    def _only_arms(self, number: int) -> bool:
        """Whether a site only arrives at an mbarrier object: its thread waits for no other one."""
        actions = {each.action for each in self._sites.syncs(number)}
        return any(each.startswith("mbarrier") for each in actions) and not actions & WAITS

    def _overwriting(self, origin: int, number: int) -> Iterator[ProtocolEvent]:
        """Yields a fence if a copy overwrites the variable, so that what was stored is gone."""
        own = {it.region.symbol for it in self._asynchronous if it.number == number}
        if own & {it.region.symbol for it in self._generic if it.number == origin}:
            yield ProtocolEvent("fence")

    def _is_partial(self, origin: int, fence: int) -> bool:
        """Whether surely not all threads of an access execute a fence."""
        sites = self._sites
        return sites.participants.surely_skips(sites.sites[origin], sites.sites[fence])

    def _useless_fence(self, pair: SitePair, partial: Sequence[int]) -> Found | None:
        """Returns a fence near the accesses that does not order them."""
        sites = self._sites
        for each in self._fences:
            if each in partial:
                return sites.sites[each].found
        place = sites.sites[pair.second]
        for each in self._fences:
            site = sites.sites[each]
            if site.block == place.block and site.found.start > place.found.start:
                return site.found
        return None

    def _barrier_after(self, number: int) -> Found | None:
        sites = self._sites
        first = sites.sites[number]
        for other in range(number + 1, len(sites.sites)):
            site = sites.sites[other]
            if site.block != first.block:
                return None
            if sites.is_barrier(other):
                return site.found
        return None


@lru_cache(maxsize=MAX_RECENT_FUNCTIONS)
def proxy_hazards(sites: AsyncSites) -> tuple[ProxyHazard, ...]:
    """Returns the accesses of a function that lack a proxy fence, the first one for each."""
    return tuple(_ProxyHazards(sites).hazards())
