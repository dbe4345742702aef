"""Finds waits in loops that leave the group of which an iteration needs the memory.

A loop uses the slots of a ring in turn: a copy fills or reads the slot of its iteration, and some
iterations later, threads read or overwrite that slot.
"""

from __future__ import annotations

from itertools import product
from typing import TYPE_CHECKING, Final

from ptx_ls.protocols.async_sites import SHARED
from ptx_ls.protocols.group_hazards import CP_ASYNC
from ptx_ls.protocols.pipelined_loops import IterationPlaces
from ptx_ls.protocols.preceding_waits import left_pending
from ptx_ls.semantics.declarations.storage import bytes_of
from ptx_ls.source.named_tuple import NamedTuple
from ptx_ls.threads.events.descriptors import MIN_BYTES
from ptx_ls.threads.events.staged_tiles import tile_bytes
from ptx_ls.threads.happens_before.ordering import OrderingLevel, ordering_of
from ptx_ls.threads.launch_example.launch import LaunchExample
from ptx_ls.values.launch import MAX_THREADS

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from ptx_ls.isa.memory_events import AccessEvent
    from ptx_ls.protocols.async_sites import AsyncSites
    from ptx_ls.protocols.pipelined_loops import LoopAccess
    from ptx_ls.semantics.symbols.region_text import Found
    from ptx_ls.semantics.symbols.symbols import Symbol
    from ptx_ls.threads.events.sites import EventSite

_STEADY: Final = 1
"""The iteration that is compared with later ones: the first may be special."""
_MAX_DISTANCE: Final = 8
_MAX_COMPARED: Final = 32
"""Number of copies and accesses of a loop that are evaluated."""


class ShortWait(NamedTuple):
    """A wait of a loop that leaves too many groups, or an access that no wait orders.

    Attributes:
        copy, access: the statements.
        wait: the wait; None if none in the loop is for the copy.
        event: what the access does.
        symbol: the variable.
        n_allowed: how many groups the wait may leave; None if another number would not help.
        threads: the thread that issued the copy, and another one that accesses, if no barrier
            follows the wait.
        is_last: whether this only happens in the last iterations, which commit nothing.
    """

    copy: Found
    access: Found
    wait: Found | None
    event: AccessEvent
    symbol: Symbol
    n_allowed: int | None
    threads: tuple[int, int] | None = None
    is_last: bool = False


def short_waits(sites: AsyncSites, name: str) -> Iterator[ShortWait]:
    """Yields the first access in each loop to memory of a group that its wait leaves.

    All parts of the loop have to run in each iteration, but the copy may not: pipelines skip it at
    the end.
    """
    of = "cp.async" if name == CP_ASYNC else "bulk"
    heads = {
        sites.graph.loop_forest.innermost(sites.sites[it].block) for it in sites.completing(of)
    }
    for head in sorted(heads - {-1}):
        found = _in_loop(sites, of, head)
        if found is not None:
            yield found


def _in_loop(sites: AsyncSites, of: str, head: int) -> ShortWait | None:
    """Returns an access of a loop that the wait of the loop comes too early for."""
    loop = _ring_loop(sites, of, head)
    shape = sites.participants.shape
    if loop is None or (shape is not None and shape.n_threads > MAX_THREADS):
        return None
    n_pending = 0 if loop.wait is None else left_pending(sites, loop.wait)
    if n_pending is None:
        return None
    launch = None if shape is None else LaunchExample(shape.sizes, is_stated=shape.is_stated)
    places = IterationPlaces(sites.values, head, launch)
    for copy, (access, event) in product(loop.copies, loop_accesses(sites, of, loop)):
        if not sites.participants.is_exact(sites.sites[copy]):
            continue
        met = LoopMeeting(copy, access, event)
        distance = meeting_distance(sites, places, met, is_read=of == "bulk")
        if distance is not None:
            found = _judged(sites, places, loop, met, distance, n_pending)
            if found is not None:
                return found
    return None


def _judged(
    sites: AsyncSites,
    places: IterationPlaces,
    loop: RingLoop,
    met: LoopMeeting,
    distance: MeetingDistance,
    n_pending: int,
) -> ShortWait | None:
    """Returns an access if the copy whose memory it touches may still be running."""
    copy, access = (sites.sites[each].found for each in met[:2])
    wait = None if loop.wait is None else sites.sites[loop.wait].found
    end = places.last_iteration
    if end is not None and end < (distance.by_others or distance.first):
        return None
    if loop.wait is None or loop.commit is None:
        is_copied = runs_each_time(sites, met.copy, loop.head)
        found = ShortWait(copy, access, wait, met.event, distance.symbol, None)
        return found if is_copied else None
    last = (0 if sites.comes_first(loop.wait, met.access) else -1) - sites.comes_first(
        loop.wait, loop.commit
    )
    n_allowed = last + distance.first
    if 0 <= n_allowed < n_pending:
        return ShortWait(copy, access, wait, met.event, distance.symbol, n_allowed)
    # Without a barrier after the wait, other threads only know of the wait before.
    if distance.by_others is None or _has_barrier(sites, loop, met.access):
        return None
    if 0 <= last + distance.by_others <= n_pending:
        issuer = next(_members(sites.threads(met.copy), places.launch.n_threads), None)
        if issuer is not None and distance.other is not None:
            threads = issuer, distance.other
            return ShortWait(copy, access, wait, met.event, distance.symbol, None, threads)
    return None


def _has_barrier(sites: AsyncSites, loop: RingLoop, access: int) -> bool:
    """Whether something may order the wait of a loop before an access of other threads.

    This is also assumed of a loop in which nothing orders threads at all.
    """
    wait, is_any = loop.wait, False
    for number in loop.inside:
        if wait is None or ordering_of(sites.sites[number].known) is OrderingLevel.NONE:
            continue
        is_later, is_earlier = sites.comes_first(wait, number), sites.comes_first(number, access)
        is_any = True
        if sites.comes_first(wait, access):
            if is_later and is_earlier:
                return True
        elif is_later or is_earlier:
            return True
    return not is_any


class RingLoop(NamedTuple):
    """The sites of a loop that commits and waits once in each iteration.

    `commit`, `wait`: None if no commit, or no wait of a thread that copies, is in the loop.
    """

    head: int
    inside: Sequence[int]
    copies: Sequence[int]
    commit: int | None
    wait: int | None


class LoopMeeting(NamedTuple):
    """A copy of a loop, and an access to the same memory in a later iteration."""

    copy: int
    access: int
    event: AccessEvent


class MeetingDistance(NamedTuple):
    """After how many iterations an access touches the memory of a copy.

    `first`: for any thread. `by_others`: for threads that do not copy; `other`: one of these.
    """

    first: int
    symbol: Symbol
    by_others: int | None
    other: int | None


class LoopGroups(NamedTuple):
    """The sites in a loop, and those that copy, commit a group, or wait for groups."""

    inside: list[int]
    copies: list[int]
    commits: list[int]
    waits: list[int]


def groups_in_loop(sites: AsyncSites, of: str, head: int) -> LoopGroups | None:
    """Returns the sites of a loop; None if something in it may copy or wait unseen."""
    blocks = sites.graph.loop_forest.blocks(head)
    inside = [number for number, each in enumerate(sites.sites) if each.block in blocks]
    if any(sites.is_opaque(each) or sites.is_tracking(each) for each in inside):
        return None
    return LoopGroups(
        inside,
        *(
            sorted({*inside}.intersection(names))
            for names in (
                sites.completing(of),
                sites.doing(f"commit {of}"),
                sites.doing(f"wait {of}", f"wait reads {of}"),
            )
        ),
    )


def _ring_loop(sites: AsyncSites, of: str, head: int) -> RingLoop | None:
    groups = groups_in_loop(sites, of, head)
    if groups is None:
        return None
    inside, copies, commits, waits = groups
    if len(commits) > 1 or len(waits) > 1 or commits == waits != []:
        return None
    commit, wait = (next(iter(each), None) for each in (commits, waits))
    if commit is None or wait is None:
        is_regular = of == "bulk"
        return RingLoop(head, inside, copies, commit, wait) if is_regular else None
    if any(sites.comes_first(commit, each) for each in copies):
        return None
    if not all(runs_each_time(sites, each, head) for each in (commit, wait)):
        return None
    if sites.threads(commit) & ~sites.threads(wait):
        is_of_others = of == "bulk" and _is_skipped(sites, copies, wait)
        return RingLoop(head, inside, copies, commit, None) if is_of_others else None
    return RingLoop(head, inside, copies, commit, wait)


def _is_skipped(sites: AsyncSites, copies: Sequence[int], wait: int) -> bool:
    """Whether surely no thread that copies executes a wait."""
    skips = sites.participants.surely_skips
    place = sites.sites[wait]
    return all(
        skips(sites.sites[each], place) and not sites.threads(each) & sites.threads(wait)
        for each in copies
    )


def loop_accesses(sites: AsyncSites, of: str, loop: RingLoop) -> list[tuple[int, AccessEvent]]:
    """Returns the accesses of a loop that need the memory of earlier groups."""
    found = [
        (each, event)
        for each in loop.inside
        if each not in loop.copies and runs_each_time(sites, each, loop.head)
        for event in sites.accesses(each)
        if event.space == SHARED and event.by == "address" and (of == "cp.async" or event.is_write)
    ]
    return found if len(found) + len(loop.copies) <= _MAX_COMPARED else []


def runs_each_time(sites: AsyncSites, number: int, head: int) -> bool:
    """Whether some threads execute a statement once in each iteration of a loop."""
    site, forest = sites.sites[number], sites.graph.loop_forest
    if forest.innermost(site.block) != head:
        return False
    return sites.participants.runs_each_time(site, forest.blocks(head))


def meeting_distance(
    sites: AsyncSites, places: IterationPlaces, met: LoopMeeting, *, is_read: bool
) -> MeetingDistance | None:
    """Returns after how many iterations an access first touches the memory of a copy.

    `is_read`: whether the copy reads shared memory, rather than writes it.
    """
    copy, number, event = met
    own: Sequence[AccessEvent] = [
        each
        for each in sites.accesses(copy)
        if each.space == SHARED and each.by == "address" and each.is_write != is_read
    ]
    if not own:
        return None
    least = tile_bytes(sites.values, sites.sites[copy], own[0]) or MIN_BYTES
    copied = [*_accessed(places, sites.sites[copy], own[0], least)]
    touched = [*_accessed(places, sites.sites[number], event)]
    if not copied or len(touched) <= _MAX_DISTANCE:
        return None
    likely = min(_n_likely(places, copied), _n_likely(places, touched))
    copying, accessing = sites.threads(copy), sites.threads(number)
    first = copied[0]
    written = first.bytes_of(_members(copying, likely))
    nearest = None
    for distance in range(0 if sites.comes_first(copy, number) else 1, _MAX_DISTANCE + 1):
        later = touched[distance]
        if later.symbol != first.symbol or written.isdisjoint(
            later.bytes_of(_members(accessing, likely))
        ):
            continue
        nearest = distance if nearest is None else nearest
        for other in _members(accessing & ~copying, likely):
            if not written.isdisjoint(later.bytes_of([other])):
                return MeetingDistance(nearest, first.symbol, distance, other)
    return None if nearest is None else MeetingDistance(nearest, first.symbol, None, None)


def _members(threads: int, n_threads: int) -> Iterator[int]:
    """Yields the numbers of threads in a set with a bit for each."""
    return (each for each in range(n_threads) if threads >> each & 1)


def _accessed(
    places: IterationPlaces, site: EventSite, event: AccessEvent, least: int = 0
) -> Iterator[LoopAccess]:
    """Yields where threads access memory in the compared iterations, up to an unknown one."""
    for iteration in range(_STEADY, _STEADY + _MAX_DISTANCE + 1):
        found = places.access(site, event, iteration, least)
        if found is None:
            return
        yield found


def _n_likely(places: IterationPlaces, accesses: Sequence[LoopAccess]) -> int:
    """Returns the number of threads that blocks surely may have.

    If the kernel does not state it, these are as many as stay in the variable.
    """
    n_threads = places.launch.n_threads
    for each in () if places.launch.is_stated else accesses:
        size = bytes_of(each.symbol)
        inside = range((size or 0) - each.n_bytes + 1)
        outside = (it for it in range(n_threads) if size and each.starts[it] not in inside)
        n_threads = next(outside, n_threads)
    return n_threads
