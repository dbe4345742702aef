"""Finds reads of what a bulk copy brings to shared memory that come before the wait for it."""

from __future__ import annotations

from functools import cached_property, lru_cache
from itertools import islice
from typing import TYPE_CHECKING, Final

from ptx_ls.protocols.definition import ProtocolEvent, Sureness, protocol
from ptx_ls.protocols.graph_view import closing_edges, without_edges
from ptx_ls.protocols.mbarriers.exchanges import is_exchange
from ptx_ls.protocols.mbarriers.objects import WAITS, MbarrierUse, mbarrier_objects
from ptx_ls.protocols.protocol_facts import UNKNOWN, ProtocolFacts, ProtocolSteps
from ptx_ls.protocols.site_facts import StepLimit
from ptx_ls.protocols.site_pairs import SitePair, site_pairs
from ptx_ls.protocols.site_steps import ENTRY
from ptx_ls.semantics.symbols.region_text import MAX_RECENT_FUNCTIONS
from ptx_ls.source.named_tuple import NamedTuple

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from ptx_ls.isa.memory_events import AccessEvent
    from ptx_ls.protocols.async_sites import AsyncSites
    from ptx_ls.protocols.memory.regions import SharedRegion
    from ptx_ls.semantics.symbols.region_text import Found
    from ptx_ls.semantics.symbols.symbols import Symbol
    from ptx_ls.threads.events.sites import EventSite
    from ptx_ls.values.affine import AffineForm

_MAX_COMPARED: Final = 4_000
"""Number of pairs of a copy and a read that are compared."""


class EarlyBulkRead(NamedTuple):
    """A read of the destination of a bulk copy with no wait for the copy before it.

    `copy`, `read`: the statements. `wait`: a wait for the copy that comes after the read.
    `is_around`: whether the read is in the next iteration of a loop.
    """

    copy: Found
    read: Found
    symbol: Symbol | None
    wait: Found | None
    is_around: bool


class _BulkReads:
    def __init__(self, sites: AsyncSites) -> None:
        self._sites, self._objects = sites, mbarrier_objects(sites)
        self.protocol = protocol("bulk_loads")
        self._waits = self._objects.doing(*WAITS)
        self._pairs = site_pairs(sites)
        self._facts: dict[object, ProtocolFacts] = {}
        self._limit = StepLimit()
        self._stored: dict[int, Sequence[SharedRegion | None]] = {}
        self._waiting: dict[AffineForm | None, frozenset[int]] = {}
        self._passing: dict[AffineForm | None, frozenset[int]] = {}

    def found(self) -> Iterator[EarlyBulkRead]:
        """Yields the first early read for each copy."""
        sites = self._sites
        copies = [*self._copies()]
        if not copies or not sites.is_kernel:
            return
        done, firsts = set[int](), [(number, region) for number, region, _ in copies]
        reads = [*self._reads()]
        for place, other, head in islice(self._pairs.near(firsts, reads), _MAX_COMPARED):
            if self._limit.is_reached:
                return
            copy, region, use = copies[place]
            if place not in done:
                pair = SitePair(copy, region, *reads[other], -1 if head is None else head)
                found = self._compared(pair, use, follows=head is not None)
                if found is not None:
                    done.add(place)
                    yield found

    def never_awaited(self) -> Iterator[Found]:
        """Yields the first copy for each object that nothing in the kernel waits for."""
        sites, reported = self._sites, set[object]()
        if not sites.is_closed:
            return
        for number, _, use in self._copies():
            may_end = sites.may_end(sites.sites[number].block)
            if may_end and use.form not in reported and not self._objects.like(use, *WAITS):
                reported.add(use.form)
                yield sites.sites[number].found

    def _copies(self) -> Iterator[tuple[int, SharedRegion, MbarrierUse]]:
        """Yields the copies to shared memory with their destinations and objects."""
        sites = self._sites
        for number in sites.completing("mbarrier"):
            use = self._objects.completed_by(number)
            for event in sites.accesses(number):
                if event.is_write and event.by == "address" and use is not None:
                    region = self._destination(sites.sites[number], event, use)
                    if region is not None and region.symbol is not None:
                        yield number, region, use

    def _destination(
        self, site: EventSite, event: AccessEvent, use: MbarrierUse
    ) -> SharedRegion | None:
        """Returns what a copy writes in the own block: by this block, or by another one."""
        regions, values = self._sites.regions, self._sites.values
        if not use.is_remote:
            return regions.of_access(site, event)
        return regions.of_peer(site, event) if is_exchange(values, site, event) else None

    def _reads(self) -> Iterator[tuple[int, SharedRegion]]:
        sites = self._sites
        for number, site in enumerate(sites.sites):
            objects = {each.operand for each in sites.syncs(number)}
            for event in sites.accesses(number):
                if not event.is_read or event.operand in objects:
                    continue
                region = sites.regions.of_event(site, event)
                if region is not None and region.symbol is not None:
                    yield number, region

    def _compared(self, pair: SitePair, use: MbarrierUse, *, follows: bool) -> EarlyBulkRead | None:
        sites = self._sites
        is_early = follows and (
            self.protocol.judge("read", self._states(pair, use)) is Sureness.PROVEN
            and self._pairs.overlap(pair) is not None
        )
        if not is_early and not self._is_read_first(pair, use):
            return None
        wait = (
            sites.sites[each].found
            for each in sorted(self._waits_for(use))
            if sites.may_follow(pair.second, each)
        )
        first, second = sites.sites[pair.first].found, sites.sites[pair.second].found
        return EarlyBulkRead(first, second, pair.region.symbol, next(wait, None), pair.head >= 0)

    def _states(self, pair: SitePair, use: MbarrierUse) -> set[str]:
        edges = self._pairs.avoided(pair.second, pair.head)
        key = edges, pair.first
        if key not in self._facts:
            view = without_edges(self._sites.graph, edges)

            def events_of(_: int, number: int) -> tuple[ProtocolEvent, ...]:
                return self._events(use, pair.region.symbol, number)

            steps = ProtocolSteps(self.protocol, self._sites.sites, (pair.first,), events_of)
            self._facts[key] = ProtocolFacts(view, steps, self._limit)
        held = self._facts[key].before(pair.second).get(pair.first, set())
        return {each.name for each in held}

    def _events(
        self, use: MbarrierUse, symbol: Symbol | None, number: int
    ) -> tuple[ProtocolEvent, ...]:
        if self._sites.is_opaque(number):
            return (UNKNOWN,)
        waits = number in self._waits_for(use)
        is_replaced = symbol is not None and any(
            each is None or each.symbol == symbol for each in self._stores(number)
        )
        return (ProtocolEvent("wait"),) if waits or is_replaced else ()

    def _is_read_first(self, pair: SitePair, use: MbarrierUse) -> bool:
        """Whether threads that do not issue a copy read its destination before any wait for it.

        Nothing else may fill the destination.
        """
        sites, copy, read = self._sites, pair.first, pair.second
        if not sites.is_closed or not self._waits_for(use):
            return False
        if self._pairs.overlap(pair) is None or self._is_stored(pair.other):
            return False
        block = sites.sites[read].block
        edges = closing_edges(sites.graph, block)
        if not sites.graph.loop_forest.depth(block):
            edges |= self._edges_of_others(read, copy)
        key = use.form, copy, edges
        if key not in self._facts:

            def events_of(_: int, number: int) -> tuple[ProtocolEvent, ...]:
                found = self._events(use, None, number)
                is_passing = not found and number in self._barriers_after(use)
                return (ProtocolEvent("wait"),) if is_passing else found

            view = without_edges(sites.graph, edges)
            steps = ProtocolSteps(self.protocol, sites.sites, (ENTRY,), events_of)
            self._facts[key] = ProtocolFacts(view, steps, self._limit)
        held = self._facts[key].before(read).get(ENTRY, set())
        states = {each.name for each in held}
        return self.protocol.judge("read", states) is Sureness.PROVEN

    def _edges_of_others(self, read: int, copy: int) -> frozenset[tuple[int, int]]:
        """Returns the edges that no thread takes that reads and does not issue a copy."""
        sites = self._sites
        readers = sites.threads(read) & ~sites.threads(copy)
        shape, graph = sites.participants.shape, sites.graph
        if shape is None or not readers:
            return frozenset()
        known = sites.uniformity.executing(shape)
        closed = [it for it in graph.reachable if not known.of_block(it).threads & readers]
        return frozenset((each, to) for to in closed for each in graph.predecessors[to])

    def _waits_for(self, use: MbarrierUse) -> frozenset[int]:
        """Returns the sites that wait for what may be the object of a use."""
        if use.form not in self._waiting:
            found = (each.number for each in self._waits if each.may_be(use))
            self._waiting[use.form] = frozenset(found)
        return self._waiting[use.form]

    def _barriers_after(self, use: MbarrierUse) -> frozenset[int]:
        """Returns the barriers that a thread which waited for an object may reach, too."""
        if use.form not in self._passing:
            sites, waits = self._sites, self._waits_for(use)
            barriers = [each for each in range(len(sites.sites)) if sites.is_barrier(each)]
            after = [
                each
                for each in barriers
                if any(sites.loop_between(wait, each) == -1 for wait in waits)
            ]
            self._passing[use.form] = frozenset(
                each
                for each in barriers
                if each in after or any(sites.may_be_same_barrier(it, each) for it in after)
            )
        return self._passing[use.form]

    def _is_stored(self, region: SharedRegion) -> bool:
        """Whether other instructions than bulk copies may write some memory."""
        if None in self._all_stored:
            return True
        are_apart = self._sites.regions.are_apart
        stored = self._all_stored.get(region.symbol, ())
        return any(each is not None and not are_apart(each, region) for each in stored)

    @cached_property
    def _all_stored(self) -> dict[Symbol | None, list[SharedRegion | None]]:
        """The memory that sites write other than by a bulk copy, by variable; None if unknown."""
        found: dict[Symbol | None, list[SharedRegion | None]] = {}
        for number in range(len(self._sites.sites)):
            for each in self._stores(number):
                found.setdefault(None if each is None else each.symbol, []).append(each)
        return found

    def _stores(self, number: int) -> Sequence[SharedRegion | None]:
        """Returns the memory that a site writes other than by a bulk copy; None if unknown."""
        if number not in self._stored:
            self._stored[number] = [*self._find_stores(number)]
        return self._stored[number]

    def _find_stores(self, number: int) -> Iterator[SharedRegion | None]:
        sites = self._sites
        objects = {each.operand for each in sites.syncs(number)}
        for event in sites.accesses(number):
            if not event.is_write or event.operand in objects or event.proxy == "async":
                continue
            if self._objects.completed_by(number) is not None:
                continue
            region = sites.regions.of_access(sites.sites[number], event)
            if region is not None and region.symbol is not None:
                yield region
            elif event.space != "generic":
                yield None


@lru_cache(maxsize=MAX_RECENT_FUNCTIONS)
def early_bulk_reads(sites: AsyncSites) -> tuple[EarlyBulkRead, ...]:
    """Returns the reads of a function that come before the wait for a bulk copy."""
    return tuple(_BulkReads(sites).found())


def unawaited_bulk_copies(sites: AsyncSites) -> list[Found]:
    """Returns the bulk copies to shared memory that nothing in a kernel waits for."""
    return [*_BulkReads(sites).never_awaited()]
