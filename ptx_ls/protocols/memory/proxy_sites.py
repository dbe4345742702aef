"""The statements of a function that access shared memory through a proxy, or fence proxies."""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING, Final

from ptx_ls.protocols.batches import first_of_batch
from ptx_ls.protocols.definition import ProtocolEvent, protocol
from ptx_ls.protocols.graph_view import without_edges
from ptx_ls.protocols.mbarriers.objects import WAITS
from ptx_ls.protocols.protocol_facts import UNKNOWN, ProtocolFacts, ProtocolSteps
from ptx_ls.protocols.site_facts import StepLimit
from ptx_ls.threads.happens_before.ordering import OrderingLevel, ordering_of

if TYPE_CHECKING:
    from collections.abc import Iterator
    from collections.abc import Set as AbstractSet

    from ptx_ls.isa.memory_events import AccessEvent
    from ptx_ls.protocols.async_sites import AsyncSites
    from ptx_ls.protocols.site_pairs import SitePairs

    Edges = frozenset[tuple[int, int]]

ASYNC: Final = "async"
GENERIC: Final = "generic"


class ProxySites:
    """The sites of a function that matter to its proxies.

    Attributes:
        protocol: the protocol of the accesses.
        fences: the sites that fence the async proxy.
    """

    def __init__(self, sites: AsyncSites, pairs: SitePairs) -> None:
        self._sites, self._pairs, self.protocol = sites, pairs, protocol("proxy_fence")
        self._bad = self.protocol.misused("async read", "async write")
        self._facts: dict[Edges, ProtocolFacts] = {}
        self._limit = StepLimit()
        self.fences = [each for each in range(len(sites.sites)) if self._is_fence(each)]

    def _is_fence(self, number: int) -> bool:
        return any(
            each.action == "proxy fence" and each.proxy == ASYNC and each.space != "global"
            for each in self._sites.syncs(number)
        )

    def accesses(self, number: int, proxy: str) -> list[AccessEvent]:
        """Returns the accesses of a site to data through a proxy."""
        syncs = self._sites.syncs(number)
        if any(each.action == "allocate" for each in syncs):
            return []
        objects = {each.operand for each in syncs}
        accesses = self._sites.accesses(number)
        return [it for it in accesses if it.proxy == proxy and it.operand not in objects]

    def _accessing(self, proxy: str) -> list[int]:
        numbers = range(len(self._sites.sites))
        return [each for each in numbers if self.accesses(each, proxy)]

    @cached_property
    def asynchronous(self) -> list[int]:
        """The sites that access memory through the async proxy."""
        return self._accessing(ASYNC)

    @cached_property
    def _firsts(self) -> dict[int, int]:
        """Maps generic accesses to the first of those that the same threads run one by one."""
        return first_of_batch(self._accessing(GENERIC), self.is_together)

    def is_together(self, first: int, number: int) -> bool:
        """Whether the same threads run two sites of one block."""
        one, other = self._sites.sites[first], self._sites.sites[number]
        executes_too = self._sites.participants.executes_too
        return one.block == other.block and executes_too(one, other) and executes_too(other, one)

    def unfenced(self) -> list[int]:
        """Returns the generic accesses that may lack a fence, whatever memory they access."""
        found = {first for number in self.asynchronous for first in self._before(number)}
        return [number for number, first in self._firsts.items() if first in found]

    def _before(self, number: int) -> Iterator[int]:
        """Yields the first ones of accesses that may lack a fence before an asynchronous one."""
        sites = self._sites
        for first in {*self._firsts.values()} if sites.is_closed else ():
            both = sites.loop_between(first, number), sites.loop_between(number, first)
            if both == (None, None) and not self.is_fenced(first, number):
                yield first  # another thread may do the second one
        heads = {first: self._pairs.head(first, number) for first in {*self._firsts.values()}}
        for head in (-1, *(loop.head for loop in sites.loops_around(sites.sites[number].block))):
            if head not in heads.values():
                continue
            facts = self._states(self._pairs.avoided(number, head))
            if not facts.is_known:
                yield from self._firsts.values()
                return
            for first, states in facts.before(number).items():
                is_bad = any(each.name in self._bad for each in states)
                if is_bad and heads[first] == head:
                    yield first

    def is_fenced(self, first: int, second: int) -> bool:
        """Whether a fence may come after one site, or before another one."""
        may_follow = self._sites.may_follow
        return any(may_follow(first, it) or may_follow(it, second) for it in self.fences)

    def _states(self, edges: Edges) -> ProtocolFacts:
        if edges not in self._facts:
            view = without_edges(self._sites.graph, edges)
            self._facts[edges] = ProtocolFacts(view, self._steps, self._limit)
        return self._facts[edges]

    @cached_property
    def _steps(self) -> ProtocolSteps:
        origins = {*self._firsts.values()}
        return ProtocolSteps(self.protocol, self._sites.sites, origins, self._events_of)

    def _events_of(self, origin: int, number: int) -> tuple[ProtocolEvent, ...]:
        is_plain = number not in self.fences and not self._sites.is_opaque(number)
        return () if is_plain and number in self._copying else self.events(origin, number)

    @cached_property
    def _copying(self) -> AbstractSet[int]:
        """The sites that write through the async proxy."""
        return {
            number
            for number in self.asynchronous
            if any(each.is_write for each in self.accesses(number, ASYNC))
        }

    def events(self, origin: int, number: int) -> tuple[ProtocolEvent, ...]:
        """Returns the events of a site, unless it copies, for an earlier access."""
        sites = self._sites
        if sites.is_opaque(number):
            return (UNKNOWN,)
        if number in self.fences:
            if self.is_partial(origin, number):
                return (ProtocolEvent("partial fence"),)
            first, fence = sites.sites[origin], sites.sites[number]
            return (ProtocolEvent("fence", None, sites.participants.executes_too(first, fence)),)
        is_order = ordering_of(sites.sites[number].known) is not OrderingLevel.NONE
        return (ProtocolEvent("barrier"),) if is_order and not self._only_arms(number) else ()

    def _only_arms(self, number: int) -> bool:
        """Whether a site only arrives at an mbarrier object: its thread waits for no other one."""
        actions = {each.action for each in self._sites.syncs(number)}
        return any(each.startswith("mbarrier") for each in actions) and not actions & WAITS

    def is_partial(self, origin: int, fence: int) -> bool:
        """Whether surely not all threads of an access execute a fence."""
        sites = self._sites
        return sites.participants.surely_skips(sites.sites[origin], sites.sites[fence])
