"""Finds where two threads surely run at the same time.

These are the arms of a branch, and places after statements where one thread lets another one
continue: the only two uses of a barrier, and an arrival at an mbarrier object with the wait for it.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from ptx_ls.source.named_tuple import NamedTuple
from ptx_ls.threads.events.sites import MBARRIER_WAITS, number_of
from ptx_ls.threads.happens_before.unordered_paths import IterationPaths
from ptx_ls.threads.launch_example.iterations import iterations_of

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from ptx_ls.isa.memory_events import SyncEvent
    from ptx_ls.threads.events.sites import EventSite
    from ptx_ls.threads.happens_before.access_overlaps import AccessOverlaps
    from ptx_ls.threads.launch_example.iterations import Iterations
    from ptx_ls.threads.launch_example.thread_number import ThreadNumber
    from ptx_ls.values.function_values import FunctionValues

_BARRIERS: Final = frozenset({"barrier sync", "barrier reduce", "barrier arrive"})
_ARRIVAL: Final = "mbarrier arrive"
_COPIES: Final = frozenset({"mbarrier complete", "mbarrier expect"})
_MAX_SITES: Final = 24
"""Number of arrivals, waits and copies that are compared."""
_MAX_SLOTS: Final = 8
"""Number of iterations in which a wait on the mbarrier object of an arrival is searched."""


class Meeting(NamedTuple):
    """Two statements, after which two threads may run at the same time.

    `now`, `later`: the iterations of the loops around the first one, and around the second one.
    """

    first: EventSite
    second: EventSite
    now: Iterations
    later: Iterations


class _ObjectUse(NamedTuple):
    """The address of an mbarrier object, and when an arrival and a wait name it."""

    place: ThreadNumber
    now: Iterations
    later: Iterations


class MeetingFinder:
    """Finds the meetings of a function."""

    def __init__(self, values: FunctionValues, overlaps: AccessOverlaps) -> None:
        self._values, self._overlaps = values, overlaps
        self._graph, self._iteration = values.graph, IterationPaths(values.graph)

    def meetings(self, sites: Sequence[EventSite]) -> Iterator[Meeting]:
        """Yields the meetings at barriers and mbarrier objects."""
        yield from self._at_barriers(sites)
        yield from self._at_objects(sites)

    def _at_barriers(self, sites: Sequence[EventSite]) -> Iterator[Meeting]:
        """Yields the pairs of statements in different arms that alone use a barrier.

        They meet in each iteration of their loops, because nothing else could.
        """
        used: dict[int | None, list[EventSite]] = {}
        for site in sites:
            sync = _sync(site, _BARRIERS)
            if sync is not None:
                used.setdefault(number_of(self._values, site, sync.operand), []).append(site)
        if None in used:
            return  # it may be any of them
        for pair in used.values():
            if len(pair) != 2 or all(_sync(it, {"barrier arrive"}) for it in pair):  # noqa: PLR2004
                continue
            if not self._iteration.are_apart(pair[0].block, pair[1].block):
                continue
            loops = [[*self._graph.loop_forest.heads_around(each.block)] for each in pair]
            shared = {*loops[0]} & {*loops[1]}
            own = [[each for each in heads if each not in shared] for heads in loops]
            if len(own[0]) != len(own[1]) or len(own[0]) > 1:
                continue
            if all(self._is_in_each(site, heads) for site, heads in zip(pair, loops, strict=True)):
                now, later = (iterations_of(dict.fromkeys(heads, 0)) for heads in loops)
                yield Meeting(pair[0], pair[1], now, later)

    def _is_in_each(self, site: EventSite, heads: Sequence[int]) -> bool:
        """Whether each iteration of the innermost loop around a statement executes it."""
        latches = [each for each, head in self._graph.back_edges if heads and head == heads[0]]
        dominates = self._graph.dominators.dominates
        return not site.is_guarded and all(dominates(site.block, each) for each in latches)

    def _at_objects(self, sites: Sequence[EventSite]) -> Iterator[Meeting]:
        """Yields arrivals at an mbarrier object with waits for the same object in a loop.

        The wait of a later iteration is for a phase that the arrival completes. The phase of an
        object that counts bytes is only complete after later copies.
        """
        arrivals = [each for each in sites if _sync(each, {_ARRIVAL})]
        if not arrivals:
            return
        waits = [each for each in sites if _sync(each, MBARRIER_WAITS)]
        copies = [each for each in sites if _sync(each, _COPIES)]
        if len(arrivals) + len(waits) + len(copies) > _MAX_SITES:
            return
        counted = [place for each in copies for place in self._objects(each, _COPIES)]
        if None in counted:
            return
        for arrival in arrivals:
            for wait in waits:
                found = self._same_object(arrival, wait)
                if found is not None and found.place not in counted:
                    yield Meeting(arrival, wait, found.now, found.later)
        once = self._used_once(arrivals, waits)
        if once is not None and once.place not in counted:
            yield Meeting(arrivals[0], waits[0], once.now, once.later)

    def _used_once(
        self, arrivals: Sequence[EventSite], waits: Sequence[EventSite]
    ) -> _ObjectUse | None:
        """Returns the object of the only arrival and the only wait, if neither is repeated.

        A wait for the first phase, in another arm than the arrival, ends after the arrival.
        """
        if len(arrivals) != 1 or len(waits) != 1:
            return None
        (arrival,), (wait,) = arrivals, waits
        sync, other = _sync(arrival, {_ARRIVAL}), _sync(wait, MBARRIER_WAITS)
        around = self._graph.loop_forest.heads_around
        is_once = not [*around(arrival.block)] and {*around(wait.block)} <= {wait.block}
        is_apart = self._iteration.are_apart(arrival.block, wait.block)
        if not is_once or not is_apart or sync is None or other is None:
            return None
        if number_of(self._values, wait, other.argument) != 0:
            return None
        place = self._overlaps.named(arrival, sync.operand, ())
        later = iterations_of(dict.fromkeys(around(wait.block), 0))
        is_same = place is not None and self._overlaps.named(wait, other.operand, later) == place
        return _ObjectUse(place, (), ()) if place is not None and is_same else None

    def _objects(self, site: EventSite, actions: frozenset[str]) -> Iterator[ThreadNumber | None]:
        """Yields the mbarrier objects that a statement names; None if one is unknown."""
        heads, sync = [*self._graph.loop_forest.heads_around(site.block)], _sync(site, actions)
        for number in range(_MAX_SLOTS if heads and sync is not None else 1):
            iterations = iterations_of(dict.fromkeys(heads, 0) | dict.fromkeys(heads[:1], number))
            yield sync and self._overlaps.named(site, sync.operand, iterations)

    def _same_object(self, arrival: EventSite, wait: EventSite) -> _ObjectUse | None:
        """Returns iterations in which an arrival and a later wait name the same object."""
        forest = self._graph.loop_forest
        around = [*forest.heads_around(arrival.block)]
        outside = [it for it in forest.heads_around(wait.block) if it != wait.block]
        now = iterations_of(dict.fromkeys(around, 0))
        sync, other = _sync(arrival, {_ARRIVAL}), _sync(wait, MBARRIER_WAITS)
        if not outside or sync is None or other is None:
            return None
        place = self._overlaps.named(arrival, sync.operand, now)
        if place is None or not place.is_same:
            return None
        for number in range(1, _MAX_SLOTS + 1):
            first, *others = outside
            counted = {first: number, **dict.fromkeys(others, 0)}
            later = iterations_of({each: counted.get(each, 0) for each in (wait.block, *outside)})
            if self._overlaps.named(wait, other.operand, later) == place:
                return _ObjectUse(place, now, iterations_of(counted))
        return None


def _sync(site: EventSite, actions: frozenset[str] | set[str]) -> SyncEvent | None:
    """Returns what a statement does to a barrier, if it is one of some acts."""
    return next((each for each in site.syncs if each.action in actions), None)
