"""Finds mistakes in how many arrivals and bytes the phases of an mbarrier object get."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ptx_ls.protocols.mbarriers.objects import (
    ARRIVALS,
    COMPLETE,
    EXPECT,
    INIT,
    INVAL,
    PARTIAL,
    TRACK,
    UNCOUNTED,
    WAITS,
)
from ptx_ls.semantics.declarations.storage import bytes_of
from ptx_ls.source.named_tuple import NamedTuple
from ptx_ls.threads.events.sites import number_of

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from ptx_ls.protocols.async_sites import AsyncSites
    from ptx_ls.protocols.mbarriers.objects import MbarrierObjects, MbarrierUse


class WrongArrivals(NamedTuple):
    """An object that gets another number of arrivals than it was created for.

    `init`, `arrival`: the statements; the latter is a wait if nothing arrives. `expected`: the
    number in `init`. `actual`: how many arrive; at once if there are more, altogether if there are
    fewer.
    """

    init: MbarrierUse
    arrival: MbarrierUse
    expected: int
    actual: int


class WrongBytes(NamedTuple):
    """A phase whose copies have another number of bytes than was announced.

    `expect`: the statement that announces; the copy if nothing does. `copies`: the copies.
    `is_most`: whether `actual` is only what their destinations have room for.
    """

    expect: MbarrierUse
    copies: tuple[MbarrierUse, ...]
    expected: int
    actual: int
    is_most: bool = False


class RepeatedParity(NamedTuple):
    """A wait in a loop for the same parity each time.

    `arrival`: what completes a phase in each iteration.
    """

    wait: MbarrierUse
    arrival: MbarrierUse
    parity: int


def wrong_arrivals(objects: MbarrierObjects) -> Iterator[WrongArrivals]:
    """Yields the objects of a kernel that get too many arrivals at once, or too few altogether."""
    sites = objects.sites
    if not sites.is_closed or objects.has_remote:
        return
    for init in objects.doing(INIT):
        if not init.is_constant or not init.amount:
            continue
        others = objects.like(init, *ARRIVALS, *PARTIAL, TRACK, UNCOUNTED, INIT, INVAL)
        if not all(each.surely_is(init) for each in others):
            continue
        inits = [each for each in others if each.action == INIT]
        arrivals = [each for each in others if each.action in (*ARRIVALS, UNCOUNTED)]
        if len(inits) > 1 or any(each.action in PARTIAL for each in others):
            continue
        found = _too_many(sites, init, arrivals) or _too_few(objects, init, arrivals)
        if found is not None:
            yield found


def _too_many(
    sites: AsyncSites, init: MbarrierUse, arrivals: Sequence[MbarrierUse]
) -> WrongArrivals | None:
    for each in arrivals:
        n_threads = _n_threads(sites, each)
        if each.amount and n_threads is not None and init.amount:
            one, other = (sites.threads(it.number) for it in (init, each))
            is_sure = _is_stated(sites) or (init.amount == 1 and one != other)
            if is_sure and n_threads * each.amount > init.amount and n_threads > 1:
                return WrongArrivals(init, each, init.amount, n_threads * each.amount)
    return _too_many_together(sites, init, arrivals) if _is_stated(sites) else None


def _too_many_together(
    sites: AsyncSites, init: MbarrierUse, arrivals: Sequence[MbarrierUse]
) -> WrongArrivals | None:
    """Returns arrivals in one block, with no wait in between, that are too many together."""
    total, block, last = 0, -1, -1
    for each in arrivals:
        site, n_threads = sites.sites[each.number], _n_threads(sites, each)
        between = range(last + 1, each.number)
        if site.block != block or any(sites.is_barrier(it) for it in between):
            total = 0
        if any(sync.action in WAITS for it in between for sync in sites.syncs(it)):
            total = 0
        block, last = site.block, each.number
        if not each.amount or n_threads is None:
            return None
        total += n_threads * each.amount
        if init.amount and total > init.amount:
            return WrongArrivals(init, each, init.amount, total)
    return None


def _too_few(
    objects: MbarrierObjects, init: MbarrierUse, arrivals: Sequence[MbarrierUse]
) -> WrongArrivals | None:
    sites, waits = objects.sites, objects.like(init, *WAITS)
    if not arrivals and waits and waits[0].surely_is(init) and init.amount:
        return WrongArrivals(init, waits[0], init.amount, 0)
    if not arrivals or not init.amount or not waits or not _is_stated(sites):
        return None
    total = 0
    for each in arrivals:
        block = sites.sites[each.number].block
        threads = sites.participants.threads(sites.sites[each.number])
        if not each.amount or threads is None or any(sites.graph.loops_around(block)):
            return None
        total += each.amount * threads.threads.bit_count()
    return WrongArrivals(init, arrivals[0], init.amount, total) if total < init.amount else None


def _is_stated(sites: AsyncSites) -> bool:
    shape = sites.participants.shape
    return shape is not None and shape.is_stated


def _n_threads(sites: AsyncSites, use: MbarrierUse) -> int | None:
    """Returns how many threads execute a statement together; None if that is unknown."""
    site = sites.sites[use.number]
    found = sites.participants.threads(site)
    if found is None or not sites.participants.is_exact(site):
        return None
    return found.threads.bit_count()


def wrong_bytes(objects: MbarrierObjects) -> Iterator[WrongBytes]:
    """Yields the phases whose copies do not have the announced number of bytes."""
    sites = objects.sites
    if not sites.is_closed or objects.has_remote:
        return
    copies = objects.doing(COMPLETE)
    expects = objects.doing(EXPECT)
    if not copies or any(each.form is None for each in (*copies, *expects)):
        return
    yield from _unannounced(objects, copies)
    blocks = sorted({sites.sites[each.number].block for each in expects})
    for block in blocks:
        own = [it for it in expects if sites.sites[it.number].block == block]
        for expect in {it.form: it for it in own}.values():
            found = _wrong_in_block(objects, block, expect)
            if found is not None:
                yield found


def _unannounced(objects: MbarrierObjects, copies: Sequence[MbarrierUse]) -> Iterator[WrongBytes]:
    """Yields the first copy for each object to which nothing announces bytes."""
    reported = set[object]()
    for copy in copies:
        size = _size(objects.sites, copy)
        is_new = copy.symbol is not None and copy.form not in reported
        if is_new and size and not objects.like(copy, EXPECT) and objects.like(copy, *WAITS):
            reported.add(copy.form)
            yield WrongBytes(copy, (copy,), 0, size)


def _wrong_in_block(objects: MbarrierObjects, block: int, expect: MbarrierUse) -> WrongBytes | None:
    """Returns what is wrong if one thread announces and copies everything in one block."""
    sites = objects.sites
    first = sites.sites[expect.number]
    same = [it for it in objects.like(expect, EXPECT, COMPLETE) if it.form == expect.form]
    others = [it for it in objects.like(expect, EXPECT, COMPLETE) if it.form != expect.form]
    inside = [it for it in same if sites.sites[it.number].block == block]
    if any(sites.sites[it.number].block == block for it in others) or not inside:
        return None
    for each in inside:
        site = sites.sites[each.number]
        if not sites.participants.executes_too(first, site):
            return None
        if not sites.participants.executes_too(site, first):
            return None
    copies = tuple(each for each in inside if each.action == COMPLETE)
    sizes = [_size(sites, each) for each in copies]
    announced = [each.amount for each in inside if each.action == EXPECT]
    is_most = None in sizes
    if is_most:
        sizes = [
            _room(sites, each) if size is None else size
            for each, size in zip(copies, sizes, strict=True)
        ]
    known = [each for each in sizes if each is not None]
    stated = [each for each in announced if each is not None]
    if not copies or len(known) < len(sizes) or len(stated) < len(announced):
        return None
    elsewhere = [it for it in (*same, *others) if it.action == COMPLETE and it not in copies]
    if any(_may_share(sites, it, expect) for it in elsewhere):
        return None
    if sum(known) == sum(stated) or (is_most and sum(known) > sum(stated)):
        return None
    return WrongBytes(expect, copies, sum(stated), sum(known), is_most)


def _may_share(sites: AsyncSites, copy: MbarrierUse, expect: MbarrierUse) -> bool:
    """Whether a copy in another block may belong to the phase of an announcement.

    It does not if its own block announces bytes, too.
    """
    block = sites.sites[copy.number].block
    return not any(
        sync.action == EXPECT
        for number, site in enumerate(sites.sites)
        if site.block == block and number != expect.number
        for sync in sites.syncs(number)
    )


def _size(sites: AsyncSites, use: MbarrierUse) -> int | None:
    """Returns the number of bytes that a copy reports; None if that is unknown."""
    if use.amount is not None:
        return use.amount
    site = sites.sites[use.number]
    return number_of(sites.values, site, "size")


def _room(sites: AsyncSites, copy: MbarrierUse) -> int | None:
    """Returns how many bytes the destination of a copy has; None if that is unknown."""
    site = sites.sites[copy.number]
    for event in sites.accesses(copy.number):
        region = sites.regions.of_access(site, event) if event.is_write else None
        if region is not None and region.symbol is not None and region.symbol.is_definition:
            size = bytes_of(region.symbol)
            before = region.form.offset if region.is_constant else 0
            return size - before if size and 0 <= before < size else None
    return None


def repeated_parities(objects: MbarrierObjects) -> Iterator[RepeatedParity]:
    """Yields the waits that wait for one parity in each iteration, as a new phase completes."""
    sites = objects.sites
    if not sites.is_closed:
        return
    for wait in objects.doing(*WAITS):
        if wait.form is None or wait.amount not in (0, 1) or not wait.is_constant:
            continue
        if ".parity" not in sites.sites[wait.number].found.text:
            continue
        for loop in sites.graph.loops_around(sites.sites[wait.number].block):
            inside = [
                each
                for each in objects.like(wait, *ARRIVALS, EXPECT, UNCOUNTED, INIT, INVAL, *WAITS)
                if sites.sites[each.number].block in loop.blocks
            ]
            waits = [each for each in inside if each.action in WAITS]
            arrivals = [each for each in inside if each.action in ARRIVALS]
            ends = [each for each in inside if each.action in (INIT, INVAL)]
            if len(waits) == 1 and len(arrivals) == 1 and not ends:
                site = sites.sites[arrivals[0].number]
                is_regular = sites.participants.runs_each_time(site, loop.blocks)
                if is_regular and arrivals[0].surely_is(wait):
                    yield RepeatedParity(wait, arrivals[0], wait.amount)
                break
