"""Finds asynchronous accesses to shared memory that no proxy fence separates from earlier ones."""

from __future__ import annotations

from functools import cached_property
from itertools import islice
from typing import TYPE_CHECKING, Final

from ptx_ls.protocols.batches import first_of_batch
from ptx_ls.protocols.definition import ProtocolEvent, Sureness
from ptx_ls.protocols.graph_view import without_edges
from ptx_ls.protocols.mbarriers.objects import ARRIVALS, WAITS, mbarrier_objects
from ptx_ls.protocols.memory.proxy_sites import ASYNC, GENERIC, ProxySites
from ptx_ls.protocols.protocol_facts import ProtocolFacts, ProtocolSteps
from ptx_ls.protocols.site_facts import StepLimit
from ptx_ls.protocols.site_pairs import SitePair, site_pairs
from ptx_ls.source.named_tuple import NamedTuple
from ptx_ls.threads.happens_before.feasible_paths import FeasiblePaths

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from ptx_ls.isa.memory_events import AccessEvent
    from ptx_ls.protocols.async_sites import AsyncSites
    from ptx_ls.protocols.memory.regions import SharedRegion
    from ptx_ls.semantics.symbols.region_text import Found
    from ptx_ls.semantics.symbols.symbols import Symbol

    Edges = frozenset[tuple[int, int]]

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
        self._sites, self._pairs = sites, site_pairs(sites)
        self._proxies = ProxySites(sites, self._pairs)
        self._fences, self.protocol = self._proxies.fences, self._proxies.protocol
        self._paths = FeasiblePaths(sites.values)
        self._facts: dict[Edges, ProtocolFacts] = {}
        self._limit = StepLimit()
        self._events: dict[tuple[int, int], tuple[ProtocolEvent, ...]] = {}
        self._origins: dict[Edges, set[int]] = {}

    @cached_property
    def _generic(self) -> list[_ProxyAccess]:
        return [*self._accesses(self._proxies.unfenced(), GENERIC)]

    @cached_property
    def _asynchronous(self) -> list[_ProxyAccess]:
        return [*self._accesses(self._proxies.asynchronous, ASYNC)] if self._generic else []

    @cached_property
    def _copied(self) -> dict[int, set[Symbol | None]]:
        """The variables that sites access through the async proxy."""
        return self._symbols(self._asynchronous)

    @cached_property
    def _writing(self) -> set[int]:
        return {it.number for it in self._asynchronous if it.event.is_write}

    @cached_property
    def _ends(self) -> set[int]:
        """The sites after which an access through the generic proxy may need no fence."""
        sites = self._sites
        opaque = (each for each in range(len(sites.sites)) if sites.is_opaque(each))
        return {*self._fences, *self._writing, *opaque}

    @cached_property
    def _firsts(self) -> dict[int, int]:
        """Maps accesses to the first one of those that the same threads run one after another."""
        return first_of_batch(
            dict.fromkeys(each.number for each in self._generic), self._is_together
        )

    def _is_together(self, first: int, number: int) -> bool:
        """Whether the same threads run two accesses to the same variables in one block."""
        is_same = self._accessed[first] == self._accessed[number]
        return is_same and self._proxies.is_together(first, number)

    @staticmethod
    def _symbols(accesses: Iterable[_ProxyAccess]) -> dict[int, set[Symbol | None]]:
        """Returns the variables that sites access."""
        found: dict[int, set[Symbol | None]] = {}
        for each in accesses:
            found.setdefault(each.number, set()).add(each.region.symbol)
        return found

    @cached_property
    def _accessed(self) -> dict[int, set[Symbol | None]]:
        """The variables that sites access through the generic proxy."""
        return self._symbols(self._generic)

    def hazards(self) -> Iterator[ProxyHazard]:
        """Yields the first hazard of each access through the async proxy."""
        later = self._asynchronous
        if not later:
            return
        symbols = {each.region.symbol for each in later}
        earlier = [it for it in self._generic if it.region.symbol in symbols]
        firsts, seconds = ([(it.number, it.region) for it in own] for own in (earlier, later))
        near = [
            (earlier[place], other, head)
            for place, other, head in islice(self._pairs.near(firsts, seconds), _MAX_COMPARED)
            if earlier[place].event.is_write or later[other].event.is_write
        ]
        for first, other, head in near:
            if head is not None:
                edges = self._pairs.avoided(later[other].number, head)
                self._origins.setdefault(edges, set()).add(self._firsts[first.number])
        found: dict[int, ProxyHazard] = {}
        for first, other, head in near:
            hazard, known = self._compared(first, later[other], head), found.get(other)
            if hazard is not None and (known is None or hazard.sureness > known.sureness):
                found[other] = hazard
        yield from (hazard for _, hazard in sorted(found.items()))

    def _accesses(self, numbers: Iterable[int], proxy: str) -> Iterator[_ProxyAccess]:
        """Yields the accesses of sites to known memory."""
        for number in numbers:
            for event in self._proxies.accesses(number, proxy):
                region = self._sites.regions.of_event(self._sites.sites[number], event)
                symbol = None if region is None else region.symbol
                if region is not None and symbol is not None and ".shared" in symbol.space:
                    yield _ProxyAccess(number, event, region)

    def _compared(
        self, first: _ProxyAccess, second: _ProxyAccess, head: int | None
    ) -> ProxyHazard | None:
        sites = self._sites
        if head is None:
            return self._across_roles(first, second)
        pair = SitePair(first.number, first.region, second.number, second.region, head)
        states = self._states(pair)
        word = "async write" if second.event.is_write else "async read"
        sureness = self.protocol.judge(word, states)
        if sureness is Sureness.NONE:
            return None
        is_ordered = "unfenced" not in states
        is_overwriting = second.event.is_write and not first.event.is_write
        if is_ordered and is_overwriting and not self._is_refill(first, second):
            return None
        if sureness is Sureness.POSSIBLE and not self._may_be_unfenced(pair):
            return None
        partial = [
            each
            for each in self._fences
            if sites.may_follow(first.number, each)
            and sites.may_follow(each, second.number)
            and self._proxies.is_partial(first.number, each)
        ]
        fencing = 0
        for each in partial:
            fencing |= sites.threads(each)
        overlap = self._pairs.overlap(pair, fencing, self._ends)
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
        if not is_stored or not sites.is_closed:
            return None
        if sites.loop_between(one, other) is not None or sites.loop_between(other, one) is not None:
            return None
        if self._proxies.is_fenced(one, other):
            return None
        meeting = self._meeting(one, other)
        if meeting is None:
            return None
        pair = SitePair(one, first.region, other, second.region, -1)
        if self._pairs.overlap(pair, ends=self._ends) is None:
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

    def _may_be_unfenced(self, pair: SitePair) -> bool:
        """Whether guards and branches allow a path from one access to the other with no fence."""
        sites = self._sites.sites
        fences = [sites[each] for each in self._fences]
        closed = self._pairs.avoided(pair.second, pair.head)
        meetings = [sites[each] for each in range(len(sites)) if self._sites.is_barrier(each)]
        return self._paths.is_path(sites[pair.first], sites[pair.second], fences, closed, meetings)

    def _states(self, pair: SitePair) -> set[str]:
        edges = self._pairs.avoided(pair.second, pair.head)
        if edges not in self._facts:
            view = without_edges(self._sites.graph, edges)
            origins = self._origins[edges]
            steps = ProtocolSteps(self.protocol, self._sites.sites, origins, self._events_of)
            self._facts[edges] = ProtocolFacts(view, steps, self._limit)
        first = self._firsts[pair.first]
        held = self._facts[edges].before(pair.second).get(first, set())
        return {each.name for each in held}

    def _events_of(self, origin: int, number: int) -> tuple[ProtocolEvent, ...]:
        key = origin, number
        if key not in self._events:
            self._events[key] = self._find_events(origin, number)
        return self._events[key]

    def _find_events(self, origin: int, number: int) -> tuple[ProtocolEvent, ...]:
        is_plain = number not in self._fences and not self._sites.is_opaque(number)
        if is_plain and number in self._writing:
            # If a copy overwrites a variable, what was stored is gone.
            is_gone = not self._copied[number].isdisjoint(self._accessed[origin])
            return (ProtocolEvent("fence" if is_gone else "async write"),)
        return self._proxies.events(origin, number)

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


def proxy_hazards(sites: AsyncSites) -> tuple[ProxyHazard, ...]:
    """Returns the accesses of a function that lack a proxy fence, the first one for each."""
    return tuple(_ProxyHazards(sites).hazards())
