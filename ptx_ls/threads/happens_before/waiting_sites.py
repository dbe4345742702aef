"""Finds the statements at which a thread may wait for others.

Source: PTX ISA, "Release and Acquire Patterns": a read orders accesses if it returns what another
thread has released. A thread only knows that if the result decides what it does next. An arrival
orders accesses after the wait of another thread. "Causality Order": what orders one lane of a warp
orders all lanes after their next barrier.
"""

from __future__ import annotations

from bisect import bisect_right
from operator import itemgetter
from typing import TYPE_CHECKING, Final

from ptx_ls.syntax.register_events import GUARDS, WRITES
from ptx_ls.threads.events.sites import MBARRIER_ARRIVALS, MBARRIER_WAITS
from ptx_ls.threads.happens_before.ordering import (
    OrderingLevel,
    only_arrives,
    ordering_of,
    orders_by_reading,
    orders_lanes,
)
from ptx_ls.threads.uniformity.levels import LANES

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Sequence

    from ptx_ls.document.coordinates import FunctionPosition
    from ptx_ls.flow.graph import FlowGraph
    from ptx_ls.threads.events.sites import EventSite
    from ptx_ls.values.decoding import DecodedInstruction
    from ptx_ls.values.function_values import FunctionValues

_MAX_DEFINITIONS: Final = 128
"""Number of results that are followed from a read."""
_BARRIERS: Final = ("bar", "barrier")
_WARP: Final = ".warp"
_DECIDING: Final = frozenset({"brx", "call"})
_MBARRIER: Final = ("mbarrier",)
_FENCES: Final = ("fence", "membar")
_RELAXED: Final = ".relaxed"
_OTHER_FENCES: Final = ("fence.proxy.async.", "fence.proxy.tensormap", "fence.mbarrier_init")
"""Fences that order no accesses of threads to data."""
_ARRIVALS: Final = MBARRIER_ARRIVALS | {
    "mbarrier partial arrive", "mbarrier partial drop", "mbarrier complete", "mbarrier track",
    "mbarrier track uncounted"
}  # fmt: skip
"""Acts that may complete the phase of an mbarrier object."""
_STORES: Final = frozenset({"st", "stmatrix"})
_OTHERS: Final = frozenset({".shared", ".shared::cta", ".global"})
"""Spaces in which what a thread stores is for other threads."""


def waiting_sites(values: FunctionValues, sites: Sequence[EventSite]) -> Iterator[EventSite]:
    """Yields all sites but arrivals, relaxed waits, and strong reads that decide nothing."""
    relaxed = _relaxed_waits(values, sites)
    for site in sites:
        is_idle = orders_by_reading(site.known) and not decides(values, site)
        if not is_idle and not only_arrives(site.known) and site.found.start not in relaxed:
            yield site


def _relaxed_waits(values: FunctionValues, sites: Sequence[EventSite]) -> set[FunctionPosition]:
    """Returns the places of waits that order nothing, as no fence helps them.

    An arrival and a wait for it order accesses if the arrival releases and the wait acquires.
    """
    text = values.flow.text
    if not any(_RELAXED in each.opcode for each in text.shapes_of(_MBARRIER)):
        return set()
    if any(not each.opcode.startswith(_OTHER_FENCES) for each in text.shapes_of(_FENCES)):
        return set()
    arrivals = [it for site in sites for it in site.syncs if it.action in _ARRIVALS]
    is_any = bool(arrivals) and all(each.order == _RELAXED[1:] for each in arrivals)
    return {
        site.found.start
        for site in sites
        for each in site.syncs
        if each.action in MBARRIER_WAITS and (is_any or each.order == _RELAXED[1:])
    }


def deciding_sites(
    values: FunctionValues, waits: Iterable[EventSite], accesses: Iterable[FunctionPosition]
) -> list[EventSite]:
    """Returns the sites at which threads wait, in the order of the text.

    A strong read counts only where its result begins to decide what the thread does next: what
    comes before that does not depend on the read. Returns none if this makes no difference.

    `accesses`: the places of the accesses that are to be ordered.
    """
    flow, graph, places = values.flow, values.graph, sorted(accesses)
    found: dict[FunctionPosition, EventSite] = {}
    is_same = True
    for site in waits:
        if not orders_by_reading(site.known):
            found.setdefault(site.found.start, site)
            continue
        for use in _deciding(values, site, by_stores=True):
            place, block = flow.statement(use), flow.index.block_of(use)
            if block in graph.reachable:
                found[place.start] = site._replace(found=place, block=block)
                passed = bisect_right(places, site.found.start) < bisect_right(places, place.start)
                is_same = is_same and block == site.block and not passed
    return [] if is_same else [each for _, each in sorted(found.items(), key=itemgetter(0))]


def decides(values: FunctionValues, site: EventSite, *, by_stores: bool = True) -> bool:
    """Whether a thread may do something else for another result of a read.

    `by_stores`: whether it does if the thread stores the result for others of its warp.
    """
    return any(True for _ in _deciding(values, site, by_stores=by_stores))


def _deciding(values: FunctionValues, site: EventSite, *, by_stores: bool) -> Iterator[int]:
    """Yields uses that write what decides, or that store the result of a read for other lanes."""
    flow, decoder = values.flow, values.given.decoder
    waiting = [*_written(values, decoder.of_statement(site.found))]
    seen = {*waiting}
    while waiting:
        write = waiting.pop()
        if len(seen) > _MAX_DEFINITIONS:
            yield from _written(values, decoder.of_statement(site.found))
            return
        is_deciding = False
        for use in flow.readers(write):
            instruction = decoder.of_use(use)
            is_guard = flow.uses.ways[use] & GUARDS
            if is_guard or instruction.name in _DECIDING or not instruction.name:
                is_deciding = True
                continue
            if by_stores and instruction.name in _STORES and _reaches_lanes(values, instruction):
                yield use
            new = {*_written(values, instruction)} - seen
            seen |= new
            waiting += new
        if is_deciding:
            yield write


def _written(values: FunctionValues, instruction: DecodedInstruction) -> Iterator[int]:
    """Yields the uses with which an instruction writes registers."""
    return (each for each in instruction.uses if values.flow.uses.ways[each] & WRITES)


def _reaches_lanes(values: FunctionValues, store: DecodedInstruction) -> bool:
    """Whether a thread, or others of its warp, may read what it stores without a barrier."""
    if _OTHERS.isdisjoint(store.modifiers):
        return True
    shapes = values.flow.text.shapes_of(_BARRIERS)
    return any(_WARP in each.opcode for each in shapes)


def relaying_sites(
    graph: FlowGraph,
    sites: Iterable[EventSite],
    threads_at: Callable[[EventSite], frozenset[int] | None],
) -> Iterator[EventSite]:
    """Yields the warp barriers that order accesses as the wait of some lanes before them does.

    In each warp that is at the barrier, some of its threads have waited, and others have not.

    Args:
        graph: the blocks of the function.
        sites: the sites of the function that may order, and others.
        threads_at: returns the threads that execute a site; None if that is unknown.
    """
    by_block: dict[int, list[EventSite]] = {}
    for site in sites:
        if orders_lanes(site.known) or ordering_of(site.known) is OrderingLevel.BLOCK:
            by_block.setdefault(site.block, []).append(site)
    for block, own in by_block.items():
        for place, each in enumerate(own):
            if orders_lanes(each.known):
                before = [own[place - 1]] if place else _last_before(graph, block, by_block)
                waits = (it for it in before if not orders_lanes(it.known))
                if any(_waits_for_lanes(it, each, threads_at) for it in waits):
                    yield each


def _last_before(
    graph: FlowGraph, block: int, by_block: dict[int, list[EventSite]]
) -> Iterator[EventSite]:
    """Yields the last of some sites on each path to a block that has one."""
    waiting, seen = [*graph.predecessors[block]], set[int]()
    while waiting:
        each = waiting.pop()
        if each in seen:
            continue
        seen.add(each)
        if each in by_block:
            yield by_block[each][-1]
        else:
            waiting += graph.predecessors[each]


def _waits_for_lanes(
    wait: EventSite,
    barrier: EventSite,
    threads_at: Callable[[EventSite], frozenset[int] | None],
) -> bool:
    """Whether some, but not all, threads of each warp at a barrier may have waited."""
    waited, present = threads_at(wait), threads_at(barrier)
    if waited is None or present is None:
        return True
    left = present - waited
    warps = {each // LANES for each in waited}
    return bool(left) and all(each // LANES in warps for each in left)
