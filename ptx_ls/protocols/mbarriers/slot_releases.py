"""Finds arrivals that let a producer fill a slot again while it is still read."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from ptx_ls.protocols.batches import first_of_batch
from ptx_ls.protocols.definition import HeldState, ProtocolEvent, Sureness, protocol
from ptx_ls.protocols.graph_view import closing_edges, without_edges
from ptx_ls.protocols.mbarriers.objects import ARRIVALS, EXPECT, WAITS, MbarrierUse
from ptx_ls.protocols.protocol_facts import UNKNOWN, ProtocolFacts, ProtocolSteps
from ptx_ls.protocols.site_facts import StepLimit
from ptx_ls.source.named_tuple import NamedTuple
from ptx_ls.threads.events.sites import number_of
from ptx_ls.threads.happens_before.ordering import OrderingLevel, ordering_of
from ptx_ls.threads.uniformity.levels import Level
from ptx_ls.values.affine import TermKind

if TYPE_CHECKING:
    from collections.abc import Iterator

    from ptx_ls.protocols.async_sites import AsyncSites
    from ptx_ls.protocols.mbarriers.objects import MbarrierObjects
    from ptx_ls.protocols.memory.regions import SharedRegion
    from ptx_ls.semantics.symbols.region_text import Found
    from ptx_ls.semantics.symbols.symbols import Symbol
    from ptx_ls.values.affine import AffineForm

_MATRICES: Final = "wgmma"


class EarlySlotRelease(NamedTuple):
    """An arrival that comes before all threads, or a matrix instruction, have read a slot.

    `release`, `read`, `refill`: the statements; the last one is the copy of the producer.
    `is_matrix`: whether a matrix instruction reads.
    """

    release: Found
    read: Found
    refill: Found
    symbol: Symbol | None
    is_matrix: bool


class _Slot(NamedTuple):
    """Memory that a copy fills. `wait`: the address of the object for which it waits."""

    number: int
    region: SharedRegion
    wait: AffineForm


class _SlotRead(NamedTuple):
    number: int
    region: SharedRegion
    is_matrix: bool


def early_slot_releases(objects: MbarrierObjects) -> Iterator[EarlySlotRelease]:
    """Yields the first early release of each object."""
    sites = objects.sites
    releases = [*_releases(objects)]
    if not releases or not sites.is_closed or objects.has_remote:
        return
    reads = _SlotReads(sites)
    for release in releases:
        slots = {each.region.number: each for each in _refills(objects, release)}
        for slot in slots.values():
            found = reads.early(release, slot)
            if found is not None:
                yield EarlySlotRelease(
                    sites.sites[release.number].found,
                    sites.sites[found.number].found,
                    sites.sites[slot.number].found,
                    slot.region.symbol,
                    found.is_matrix,
                )
                break


def _releases(objects: MbarrierObjects) -> Iterator[MbarrierUse]:
    """Yields the arrivals that announce no bytes."""
    expecting = {each.number for each in objects.doing(EXPECT)}
    for each in objects.doing(*ARRIVALS):
        if each.form is not None and each.number not in expecting:
            yield each


def _refills(objects: MbarrierObjects, release: MbarrierUse) -> Iterator[_Slot]:
    """Yields the copies that come after a wait for an object, before a wait for another one."""
    sites = objects.sites
    waits = {each.number: each for each in objects.doing(*WAITS)}
    copies = {*sites.completing("mbarrier")}
    for wait in objects.doing(*WAITS):
        if wait.form is None or not _is_same_slot(wait, release):
            continue
        for number in range(wait.number + 1, len(sites.sites)):
            if number in waits and not waits[number].may_be(wait):
                break
            if number in copies and sites.loop_between(wait.number, number) == -1:
                for event in sites.accesses(number):
                    region = sites.regions.of_access(sites.sites[number], event)
                    if event.is_write and region is not None and region.symbol is not None:
                        yield _Slot(number, region, wait.form)


def _is_same_slot(one: MbarrierUse, other: MbarrierUse) -> bool:
    """Whether two uses are about the same object, or about objects of the same ring."""
    if one.form is None or other.form is None or one.symbol is None or one.symbol != other.symbol:
        return False
    return one.form == other.form if one.is_constant and other.is_constant else one.may_be(other)


class _SlotReads:
    """The reads of a function from shared memory, by threads and by `wgmma`."""

    def __init__(self, sites: AsyncSites) -> None:
        self._sites, self._protocol = sites, protocol("slots")
        self._reads = [*self._find()]
        numbers = dict.fromkeys(each.number for each in self._reads)
        self._firsts = first_of_batch(numbers, sites.are_in_one_block)
        self._facts: dict[object, ProtocolFacts] = {}
        self._limit = StepLimit()

    def _find(self) -> Iterator[_SlotRead]:
        sites = self._sites
        for number, site in enumerate(sites.sites):
            is_matrix = site.known is not None and site.known.events.completion == _MATRICES
            objects = {each.operand for each in sites.syncs(number)}
            for event in sites.accesses(number):
                is_object = event.operand in objects  # which `mbarrier.try_wait` reads
                if not event.is_read or is_object or (event.proxy == "async" and not is_matrix):
                    continue
                region = sites.regions.of_event(site, event)
                if region is not None and region.symbol is not None:
                    yield _SlotRead(number, region, is_matrix)

    def early(self, release: MbarrierUse, slot: _Slot) -> _SlotRead | None:
        """Returns the first read of a slot that surely is not complete at a release."""
        for each in self._reads:
            if each.region.symbol == slot.region.symbol and self._is_early(each, release, slot):
                return each
        return None

    def _is_early(self, read: _SlotRead, release: MbarrierUse, slot: _Slot) -> bool:
        sites = self._sites
        if release.form is None or sites.loop_between(read.number, release.number) != -1:
            return False
        is_in_slot = _is_in_slot if read.is_matrix else _begins_in_slot
        if not is_in_slot(read.region, release.form, slot):
            return False
        first = self._firsts[read.number]
        states = self._states(release, is_matrix=read.is_matrix).get(first, set())
        is_bad = self._protocol.judge("release", {each.name for each in states})
        if is_bad is not Sureness.PROVEN:
            return False
        return read.is_matrix or _is_of_other_warps(sites, read.number, release.number)

    def _states(self, release: MbarrierUse, *, is_matrix: bool) -> dict[int, set[HeldState]]:
        """Returns the states of the reads of a kind at a release."""
        sites = self._sites
        edges = closing_edges(sites.graph, sites.sites[release.number].block)
        key = edges, is_matrix
        if key not in self._facts:
            view = without_edges(sites.graph, edges)

            def events_of(origin: int, number: int) -> tuple[ProtocolEvent, ...]:
                return _events(sites, origin, number, is_matrix=is_matrix)

            own = {self._firsts[it.number] for it in self._reads if it.is_matrix is is_matrix}
            steps = ProtocolSteps(self._protocol, sites.sites, own, events_of)
            self._facts[key] = ProtocolFacts(view, steps, self._limit)
        return self._facts[key].before(release.number)


def _is_in_slot(read: SharedRegion, release: AffineForm, slot: _Slot) -> bool:
    """Whether a matrix surely begins in the slot that a release lets the producer fill.

    A ring has a slot and an mbarrier object for each value of an index. So the same index has to
    be in the addresses of the matrix and of the released object, and both have to be at the same
    distance from the slot and the object of the producer.
    """
    index, factors = _index_of(read.form), _factors_of
    if index != _index_of(release) or release.offset != slot.wait.offset:
        return False
    if factors(release) != factors(slot.wait) or factors(read.form) != factors(slot.region.form):
        return False
    return 0 <= read.form.offset - slot.region.form.offset < slot.region.n_bytes


def _begins_in_slot(read: SharedRegion, _: AffineForm, slot: _Slot) -> bool:
    """Whether threads read from the slot, not from other memory in the same variable.

    The addresses of threads begin in it, and have the factor of the index of a ring, too.
    """
    strides, factors = _factors_of(slot.region.form), _factors_of(read.form)
    size = max([slot.region.n_bytes, *strides])
    is_near = 0 <= read.form.offset - slot.region.form.offset < size
    return is_near and {*strides} <= {*factors}


def _index_of(form: AffineForm) -> frozenset[object]:
    """Returns the terms of an address besides the variable."""
    return frozenset(term for term, _ in form.terms if term.kind is not TermKind.SYMBOL)


def _factors_of(form: AffineForm) -> list[int]:
    """Returns the factors of the terms of an address besides the variable."""
    return sorted(times for term, times in form.terms if term.kind is not TermKind.SYMBOL)


def _is_of_other_warps(sites: AsyncSites, read: int, release: int) -> bool:
    """Whether surely some warp reads of which no thread arrives."""
    shape = sites.participants.shape
    if shape is None or not sites.participants.is_exact(sites.sites[read]):
        return False
    readers, arriving = sites.threads(read), sites.threads(release)
    return any(readers & group and not arriving & group for group in shape.groups(Level.WARP))


def _events(
    sites: AsyncSites, origin: int, number: int, *, is_matrix: bool
) -> tuple[ProtocolEvent, ...]:
    if sites.is_opaque(number):
        return (UNKNOWN,)
    site = sites.sites[number]
    if not is_matrix:
        is_order = ordering_of(site.known) is OrderingLevel.BLOCK
        return (ProtocolEvent("barrier"),) if is_order else ()
    found = []
    for sync in sites.syncs(number):
        if sync.of == _MATRICES and sync.action in ("commit", "wait"):
            amount = number_of(sites.values, site, sync.argument) if sync.argument else sync.amount
            is_certain = sites.participants.executes_too(sites.sites[origin], site)
            found.append(ProtocolEvent(sync.action, amount, is_certain))
    return tuple(found)
