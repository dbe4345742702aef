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
    """A wait of a loop that leaves too many groups.

    Attributes:
        copy, access, wait: the statements.
        event: what the access does.
        symbol: the variable.
        n_pending, n_allowed: how many groups the wait leaves, and how many it may leave.
    """

    copy: Found
    access: Found
    wait: Found
    event: AccessEvent
    symbol: Symbol
    n_pending: int
    n_allowed: int


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
    n_pending = None if loop is None else left_pending(sites, loop.wait)
    if loop is None or n_pending is None:
        return None
    shape = sites.participants.shape
    if shape is not None and shape.n_threads > MAX_THREADS:
        return None
    launch = None if shape is None else LaunchExample(shape.sizes, is_stated=shape.is_stated)
    places = IterationPlaces(sites.values, head, launch)
    for copy, (access, event) in product(loop.copies, _accesses(sites, of, loop)):
        found = _distance(sites, places, copy, (access, event), is_read=of == "bulk")
        if found is None:
            continue
        last = (0 if sites.comes_first(loop.wait, access) else -1) - sites.comes_first(
            loop.wait, loop.commit
        )
        n_allowed = last + found[0]
        if 0 <= n_allowed < n_pending and sites.participants.is_exact(sites.sites[copy]):
            one, other, wait = (sites.sites[each].found for each in (copy, access, loop.wait))
            return ShortWait(one, other, wait, event, found[1], n_pending, n_allowed)
    return None


class _RingLoop(NamedTuple):
    """The sites of a loop that commits and waits once in each iteration."""

    head: int
    inside: Sequence[int]
    copies: Sequence[int]
    commit: int
    wait: int


def _ring_loop(sites: AsyncSites, of: str, head: int) -> _RingLoop | None:
    blocks = sites.graph.loop_forest.blocks(head)
    inside = [number for number, each in enumerate(sites.sites) if each.block in blocks]
    if any(sites.is_opaque(each) or sites.is_tracking(each) for each in inside):
        return None
    copies, commits, waits = (
        sorted({*inside}.intersection(names))
        for names in (
            sites.completing(of),
            sites.doing(f"commit {of}"),
            sites.doing(f"wait {of}", f"wait reads {of}"),
        )
    )
    if len(commits) != 1 or len(waits) != 1 or commits == waits:
        return None
    (commit,), (wait,) = commits, waits
    if any(sites.comes_first(commit, each) for each in copies):
        return None
    is_regular = all(_is_each_time(sites, each, head) for each in (commit, wait))
    if not is_regular or sites.threads(commit) & ~sites.threads(wait):
        return None
    return _RingLoop(head, inside, copies, commit, wait)


def _accesses(sites: AsyncSites, of: str, loop: _RingLoop) -> list[tuple[int, AccessEvent]]:
    """Returns the accesses of a loop that need the memory of earlier groups."""
    found = [
        (each, event)
        for each in loop.inside
        if each not in loop.copies and _is_each_time(sites, each, loop.head)
        for event in sites.accesses(each)
        if event.space == SHARED and event.by == "address" and (of == "cp.async" or event.is_write)
    ]
    return found if len(found) + len(loop.copies) <= _MAX_COMPARED else []


def _is_each_time(sites: AsyncSites, number: int, head: int) -> bool:
    """Whether some threads execute a statement once in each iteration of a loop."""
    site, forest = sites.sites[number], sites.graph.loop_forest
    if forest.innermost(site.block) != head:
        return False
    return sites.participants.runs_each_time(site, forest.blocks(head))


def _distance(
    sites: AsyncSites,
    places: IterationPlaces,
    copy: int,
    access: tuple[int, AccessEvent],
    *,
    is_read: bool,
) -> tuple[int, Symbol] | None:
    """Returns after how many iterations an access first touches the memory of a copy.

    `is_read`: whether the copy reads shared memory, rather than writes it.
    """
    number, event = access
    own: Sequence[AccessEvent] = [
        each
        for each in sites.accesses(copy)
        if each.space == SHARED and each.by == "address" and each.is_write != is_read
    ]
    if not own:
        return None
    copied = [*_accessed(places, sites.sites[copy], own[0], MIN_BYTES)]
    touched = [*_accessed(places, sites.sites[number], event)]
    if not copied or len(touched) <= _MAX_DISTANCE:
        return None
    likely = range(min(_n_likely(places, copied), _n_likely(places, touched)))
    one, other = (
        [thread for thread in likely if threads >> thread & 1]
        for threads in (sites.threads(copy), sites.threads(number))
    )
    first = copied[0]
    written = first.bytes_of(one)
    for distance in range(0 if sites.comes_first(copy, number) else 1, _MAX_DISTANCE + 1):
        later = touched[distance]
        if later.symbol == first.symbol and not written.isdisjoint(later.bytes_of(other)):
            return distance, first.symbol
    return None


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
