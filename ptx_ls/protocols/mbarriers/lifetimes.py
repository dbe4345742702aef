"""Finds uses of mbarrier objects that do not exist yet, or no longer exist."""

from __future__ import annotations

from enum import StrEnum
from typing import TYPE_CHECKING, Final

from ptx_ls.protocols.definition import ProtocolEvent, Sureness, protocol
from ptx_ls.protocols.mbarriers.lifetime_ends import ended_while_used, overwritten_while_used
from ptx_ls.protocols.mbarriers.objects import INIT, INVAL, OBJECT, WAITS
from ptx_ls.protocols.protocol_facts import UNKNOWN, ProtocolFacts, ProtocolSteps
from ptx_ls.source.named_tuple import NamedTuple
from ptx_ls.threads.happens_before.ordering import OrderingLevel, ordering_of

if TYPE_CHECKING:
    from collections.abc import Iterator

    from ptx_ls.protocols.mbarriers.objects import MbarrierObjects, MbarrierUse


_THREADS: Final = "%tid"
"""The special registers by which the threads of a block differ."""


class LifetimeMistake(StrEnum):
    """A mistake in the lifetime of an object."""

    NEVER_CREATED = "never created"
    LEFT_OUT = "not created with the others of its array"
    NOT_YET = "not yet created"
    SEVERAL = "created by several threads"
    NOT_SHARED = "not shared"
    ENDED = "ended"
    STILL_USED = "ended while others use it"
    OVERWRITTEN = "overwritten"
    CREATED_AGAIN = "created again"


class WrongLifetime(NamedTuple):
    """A use of an object outside of its lifetime.

    `other`: the earlier use that it is about; None if there is no init.
    """

    mistake: LifetimeMistake
    use: MbarrierUse
    other: MbarrierUse | None


def wrong_lifetimes(objects: MbarrierObjects) -> Iterator[WrongLifetime]:
    """Yields the first mistake at each wrong use of an object of a kernel."""
    reported = set[int]()
    for each in _mistakes(objects):
        if each.use.number not in reported:
            reported.add(each.use.number)
            yield each


def _mistakes(objects: MbarrierObjects) -> Iterator[WrongLifetime]:
    if objects.sites.is_closed and not any(each.form is None for each in objects.uses):
        yield from _never_created(objects)
        yield from _not_yet_created(objects)
        yield from _created_by_several(objects)
        yield from _not_shared(objects)
        yield from _ended(objects)
        for use, other in ended_while_used(objects):
            yield WrongLifetime(LifetimeMistake.STILL_USED, use, other)
        for use, other in overwritten_while_used(objects):
            is_init = use.action == INIT
            again, by_data = LifetimeMistake.CREATED_AGAIN, LifetimeMistake.OVERWRITTEN
            yield WrongLifetime(again if is_init else by_data, use, other)


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
        elif is_known and _skips_element(use, [it for it in inits if it.symbol == symbol]):
            reported.add(symbol)
            yield WrongLifetime(LifetimeMistake.LEFT_OUT, use, None)


def _skips_element(use: MbarrierUse, inits: list[MbarrierUse]) -> bool:
    """Whether inits create later objects of an array that an index chooses from, but not all.

    All of them are at constant places.
    """
    terms = [] if use.form is None else [it for it in use.form.terms if it[0].symbol != use.symbol]
    if use.form is None or len(terms) != 1 or not all(each.is_constant for each in inits):
        return False
    first, stride = use.form.offset, terms[0][1]
    created = {each.form.offset for each in inits if each.form is not None}
    if stride <= 0 or stride % OBJECT:
        return False
    own = [each for each in created if each >= first and not (each - first) % stride]
    return len(own) > 1 and len(own) <= (max(own) - first) // stride


def _not_yet_created(objects: MbarrierObjects) -> Iterator[WrongLifetime]:
    """Yields the first use of each object that comes before its init on all paths to the init."""
    sites, reported = objects.sites, set[object]()
    inits = objects.doing(INIT)
    dominates = sites.graph.dominators.dominates
    for use in objects.uses:
        symbol = use.symbol
        if use.action in (INIT, INVAL) or use.is_remote or symbol is None or symbol in reported:
            continue
        own = [each for each in inits if each.may_be(use)]
        if not symbol.is_definition or any(sites.may_follow(it.number, use.number) for it in own):
            continue
        block = sites.sites[use.number].block
        for init in own:
            is_after = sites.may_follow(use.number, init.number)
            is_same_thread = dominates(block, sites.sites[init.number].block)
            is_same_thread &= _executes_before(objects, use, init)
            if is_after and is_same_thread and use.surely_is(init):
                reported.add(symbol)
                yield WrongLifetime(LifetimeMistake.NOT_YET, use, init)
                break


def _executes_before(objects: MbarrierObjects, use: MbarrierUse, init: MbarrierUse) -> bool:
    """Whether the guard of a use lets all threads execute it that later execute an init."""
    sites, participants = objects.sites.sites, objects.sites.participants
    one, other = sites[use.number], sites[init.number]
    if participants.executes_too(other, one):
        return True
    first, second = participants.threads(one), participants.threads(other)
    if first is None or second is None or participants.is_unknown_guard(one):
        return False
    return not second.threads & ~first.threads


def _created_by_several(objects: MbarrierObjects) -> Iterator[WrongLifetime]:
    """Yields the inits of an object that surely several threads execute."""
    participants = objects.sites.participants
    shape = participants.shape
    is_of_several = shape is not None and (
        shape.is_stated or objects.sites.values.flow.has_text(_THREADS)
    )
    for init in objects.doing(INIT) if is_of_several else ():
        site = objects.sites.sites[init.number]
        threads = participants.threads(site)
        if threads is None or not init.is_constant or not participants.is_exact(site):
            continue
        if threads.threads.bit_count() > 1:
            yield WrongLifetime(LifetimeMistake.SEVERAL, init, None)


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
    facts = ProtocolFacts(sites.graph, ProtocolSteps(own, sites.sites, numbers, events_of))
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
