"""Finds mbarrier objects that end, or whose memory is written, while threads still use them.

Source: PTX ISA, "mbarrier.inval": an object must be invalidated before its memory is used for
other data or another object.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from ptx_ls.protocols.definition import ProtocolEvent, Sureness, protocol
from ptx_ls.protocols.mbarriers.objects import ARRIVALS, INIT, INVAL, WAITS
from ptx_ls.protocols.protocol_facts import UNKNOWN, UNRELATED, ProtocolFacts, ProtocolSteps
from ptx_ls.protocols.site_pairs import SitePair, site_pairs

if TYPE_CHECKING:
    from collections.abc import Iterator

    from ptx_ls.protocols.mbarriers.objects import MbarrierObjects, MbarrierUse
    from ptx_ls.protocols.memory.regions import SharedRegion

_ACTIONS: Final = {"init": INIT, "store": "store"}
"""The act of a statement on the memory of an object, by the event of the protocol."""
_BOTH: Final = 2
"""Number of inits of which one may overwrite another."""

UsePair = tuple["MbarrierUse", "MbarrierUse"]
"""A statement that ends or overwrites an object, and an earlier use of the object."""


def ended_while_used(objects: MbarrierObjects) -> Iterator[UsePair]:
    """Yields the first inval of each object that comes before other threads have met its thread."""
    sites, own = objects.sites, protocol("mbarrier_end")
    invals = [each for each in objects.doing(INVAL) if not each.is_remote]
    waits = {it.number: it for it in objects.doing(*WAITS) if any(map(it.surely_is, invals))}
    if not waits:
        return
    doing: dict[int, list[MbarrierUse]] = {}
    for each in objects.uses:
        doing.setdefault(each.number, []).append(each)

    def events_of(origin: int, number: int) -> tuple[ProtocolEvent, ...]:
        if sites.is_opaque(number):
            return (UNKNOWN,)
        is_meeting = sites.is_barrier(number) or any(
            each.action in ARRIVALS or (each.action in WAITS and not each.surely_is(waits[origin]))
            for each in doing.get(number, ())
        )
        if number in doing:
            return (ProtocolEvent("meet") if is_meeting else UNRELATED,)
        return (ProtocolEvent("meet"),) if is_meeting else ()

    facts = ProtocolFacts(sites.graph, ProtocolSteps(own, sites.sites, waits, events_of))
    for inval in invals:
        for number, states in facts.before(inval.number).items():
            one, other = sites.sites[number], sites.sites[inval.number]
            is_early = own.judge("inval", {each.name for each in states}) is Sureness.PROVEN
            is_same = waits[number].surely_is(inval)
            if is_early and is_same and sites.participants.surely_skips(one, other):
                yield inval, waits[number]
                break


def overwritten_while_used(objects: MbarrierObjects) -> Iterator[UsePair]:
    """Yields the first init or store to the memory of each object that has not been invalidated."""
    sites, own = objects.sites, protocol("mbarrier_lifetime")
    inits = {each.number: each for each in objects.doing(INIT) if not each.is_remote}
    ends = objects.doing(INVAL)

    def events_of(origin: int, number: int) -> tuple[ProtocolEvent, ...]:
        if sites.is_opaque(number):
            return (UNKNOWN,)
        found = [each for each in ends if each.number == number]
        is_own = any(each.may_be(inits[origin]) for each in found)
        return (ProtocolEvent("inval") if is_own else UNRELATED,) if found else ()

    stores = [*_stores(objects)] if inits else []
    if not stores and len(inits) < _BOTH:
        return
    facts = ProtocolFacts(sites.graph, ProtocolSteps(own, sites.sites, inits, events_of))
    regions = dict(stores)
    places = [*((it, "init") for it in inits), *((it, "store") for it, _ in stores)]
    for init in inits.values():
        for number, event in places:
            states = facts.before(number).get(init.number, set())
            if own.judge(event, {each.name for each in states}) is not Sureness.PROVEN:
                continue
            is_same = (
                _is_created_again(objects, init, inits[number])
                if event == "init"
                else _is_overwritten(objects, init, number, regions[number])
            )
            if is_same:
                yield init._replace(number=number, action=_ACTIONS[event]), init
                break


def _is_created_again(objects: MbarrierObjects, init: MbarrierUse, other: MbarrierUse) -> bool:
    sites, participants = objects.sites.sites, objects.sites.participants
    return (
        init.number != other.number
        and init.surely_is(other)
        and not participants.excludes_in_block(sites[init.number], sites[other.number])
        and all(participants.is_exact(sites[each.number]) for each in (init, other))
    )


def _stores(objects: MbarrierObjects) -> Iterator[tuple[int, SharedRegion]]:
    """Yields the sites that write data to variables with objects, and where."""
    sites = objects.sites
    symbols = {each.symbol for each in objects.doing(INIT)} - {None}
    for number, site in enumerate(sites.sites):
        operands = {each.operand for each in sites.syncs(number)}
        for event in sites.accesses(number):
            if event.is_write and event.by == "address" and event.operand not in operands:
                region = sites.regions.of_access(site, event)
                if region is not None and region.symbol in symbols:
                    yield number, region


def _is_overwritten(
    objects: MbarrierObjects, init: MbarrierUse, number: int, region: SharedRegion
) -> bool:
    """Whether a store surely writes an object that a later statement uses."""
    sites, pairs = objects.sites, site_pairs(objects.sites)
    later = [it for it in objects.uses if sites.may_follow(number, it.number)]
    if any(each.action == INIT and each.may_be(init) for each in later):
        return False
    if not any(it.action not in (INIT, INVAL) and it.surely_is(init) for it in later):
        return False
    head = pairs.head(init.number, number)
    place = sites.sites[init.number]
    own = [
        sites.regions.of_access(place, each)
        for each in sites.accesses(init.number)
        if each.by == "address"
    ]
    return head is not None and any(
        each is not None
        and pairs.overlap(SitePair(init.number, each, number, region, head)) is not None
        for each in own
    )
