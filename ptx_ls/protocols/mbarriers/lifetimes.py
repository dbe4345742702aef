"""Finds uses of mbarrier objects that do not exist yet, or no longer exist."""

from __future__ import annotations

from enum import StrEnum
from typing import TYPE_CHECKING

from ptx_ls.protocols.definition import ProtocolEvent, Sureness, protocol
from ptx_ls.protocols.mbarriers.objects import INIT, INVAL, WAITS
from ptx_ls.protocols.protocol_facts import UNKNOWN, ProtocolFacts
from ptx_ls.source.named_tuple import NamedTuple
from ptx_ls.threads.happens_before.ordering import OrderingLevel, ordering_of

if TYPE_CHECKING:
    from collections.abc import Iterator

    from ptx_ls.protocols.mbarriers.objects import MbarrierObjects, MbarrierUse


class LifetimeMistake(StrEnum):
    """A mistake in the lifetime of an object."""

    NEVER_CREATED = "never created"
    NOT_SHARED = "not shared"
    ENDED = "ended"


class WrongLifetime(NamedTuple):
    """A use of an object outside of its lifetime.

    `other`: the init or inval that it is about; None if there is no init.
    """

    mistake: LifetimeMistake
    use: MbarrierUse
    other: MbarrierUse | None


def wrong_lifetimes(objects: MbarrierObjects) -> Iterator[WrongLifetime]:
    """Yields the first wrong use of each object of a kernel."""
    if objects.sites.is_closed and not any(each.form is None for each in objects.uses):
        yield from _never_created(objects)
        yield from _not_shared(objects)
        yield from _ended(objects)


def _never_created(objects: MbarrierObjects) -> Iterator[WrongLifetime]:
    """Yields the first wait on each object that nothing creates."""
    reported = set[object]()
    inits = objects.doing(INIT)
    if any(each.is_remote or each.symbol is None for each in inits):
        return
    for use in objects.doing(*WAITS):
        symbol = use.symbol
        if symbol is None or symbol in reported:
            continue
        is_known = symbol.is_definition and not _is_stored(objects, use)
        if not inits or (is_known and not any(each.may_be(use) for each in inits)):
            reported.add(symbol)
            yield WrongLifetime(LifetimeMistake.NEVER_CREATED, use, None)


def _is_stored(objects: MbarrierObjects, use: MbarrierUse) -> bool:
    """Whether something else may write the memory of an object."""
    sites = objects.sites
    for number, site in enumerate(sites.sites):
        operands = {each.operand for each in sites.syncs(number)}
        for event in sites.accesses(number):
            if not event.is_write or event.operand in operands or event.by != "address":
                continue
            region = sites.regions.of_access(site, event)
            may_be_same = region is None or region.symbol in (None, use.symbol)
            if may_be_same and (event.space != "generic" or region is not None):
                return True
    return False


def _not_shared(objects: MbarrierObjects) -> Iterator[WrongLifetime]:
    """Yields the first use of each object by other threads with no barrier after its init."""
    sites = objects.sites
    inits = [each for each in objects.doing(INIT) if not each.is_remote]
    if not inits:
        return

    def events_of(_: int, number: int) -> tuple[ProtocolEvent, ...]:
        if sites.is_opaque(number):
            return (UNKNOWN,)
        is_order = ordering_of(sites.sites[number].known) is not OrderingLevel.NONE
        is_object = any(each.action.startswith("mbarrier") for each in sites.syncs(number))
        return (ProtocolEvent("barrier"),) if is_order and not is_object else ()

    own = protocol("mbarrier_lifetime")
    numbers = {each.number for each in inits}
    facts = ProtocolFacts(own, sites.graph, sites.sites, numbers, events_of)
    for init in inits:
        for use in objects.uses:
            if use.action in (INIT, INVAL) or not use.surely_is(init):
                continue
            states = facts.before(use.number).get(init.number, set())
            if own.judge("other use", {each.name for each in states}) is not Sureness.PROVEN:
                continue
            one, other = sites.sites[init.number], sites.sites[use.number]
            if sites.participants.surely_skips(other, one):
                yield WrongLifetime(LifetimeMistake.NOT_SHARED, use, init)
                break


def _ended(objects: MbarrierObjects) -> Iterator[WrongLifetime]:
    """Yields the first use of each object after its inval in the same block."""
    sites = objects.sites
    for inval in objects.doing(INVAL):
        place = sites.sites[inval.number]
        for use in objects.uses:
            site = sites.sites[use.number]
            if site.block != place.block or use.number <= inval.number:
                continue
            if use.action == INIT and use.may_be(inval):
                break
            if use.action != INVAL and use.form == inval.form and not sites.is_opaque(use.number):
                yield WrongLifetime(LifetimeMistake.ENDED, use, inval)
                break
