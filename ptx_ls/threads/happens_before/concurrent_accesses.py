"""Finds accesses that two threads run at the same time, although no path leads between them.

Both are reached from places that the threads pass together, and neither thread waits in between.
"""

from __future__ import annotations

from itertools import combinations, product
from typing import TYPE_CHECKING, Final

from ptx_ls.source.named_tuple import NamedTuple
from ptx_ls.threads.happens_before.iterations import iterations_of
from ptx_ls.threads.happens_before.shared_accesses import may_conflict
from ptx_ls.threads.happens_before.unordered_paths import FORWARD, IterationPaths

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from ptx_ls.flow.graph import FlowGraph
    from ptx_ls.threads.events.sites import EventSite
    from ptx_ls.threads.happens_before.iterations import Iterations
    from ptx_ls.threads.happens_before.meetings import Meeting
    from ptx_ls.threads.happens_before.shared_accesses import SharedAccess
    from ptx_ls.threads.happens_before.unordered_paths import UnorderedPaths

_MAX_PAIRS: Final = 2_000
"""Number of pairs of accesses that are compared."""


class ConcurrentPair(NamedTuple):
    """Two accesses in some iterations, and whether nothing on any path to them orders."""

    first: SharedAccess
    second: SharedAccess
    now: Iterations
    later: Iterations
    is_always: bool


class ConcurrentAccesses:
    """The accesses of a function that two threads may run at the same time."""

    def __init__(
        self, graph: FlowGraph, paths: UnorderedPaths, accesses: Sequence[SharedAccess]
    ) -> None:
        self._graph, self._paths, self._accesses = graph, paths, accesses
        self._iteration = IterationPaths(graph)

    def in_arms(self) -> Iterator[ConcurrentPair]:
        """Yields accesses in different arms of a branch."""
        n_left = _MAX_PAIRS
        for first, second in combinations(self._accesses, 2):
            one, other = first.site.block, second.site.block
            if one == other or not _conflicts(first, second):
                continue
            n_left -= 1
            if n_left < 0:
                return
            fork = self._fork(one, other)
            if fork in (one, other, -1) or not self._iteration.are_apart(one, other):
                continue
            end = self._paths.end(fork)
            spots = self._paths.spot(first.site), self._paths.spot(second.site)
            if all(FORWARD in self._paths.kinds(end, each) for each in spots):
                always = all(self._paths.is_always(end, each, FORWARD) for each in spots)
                yield ConcurrentPair(
                    first, second, self._entered((), one), self._entered((), other), always
                )

    def _fork(self, one: int, other: int) -> int:
        """Returns the last block that all paths to two blocks pass; -1 if there is none."""
        dominators, fork = self._graph.dominators, one
        while fork >= 0 and not dominators.dominates(fork, other):
            fork = dominators.parent[fork]
        return fork

    def _entered(self, given: Iterations, block: int) -> Iterations:
        """Returns iterations with the first one of all other loops around a block."""
        heads = self._graph.loop_forest.heads_around(block)
        return iterations_of({**dict.fromkeys(heads, 0), **dict(given)})

    def after(self, meeting: Meeting) -> Iterator[ConcurrentPair]:
        """Yields the accesses after a meeting, of which one thread runs each."""
        firsts = [*self._reached(meeting.first, meeting.now)]
        seconds = [*self._reached(meeting.second, meeting.later)]
        for (first, now, is_sure), (second, later, is_also) in product(firsts, seconds):
            if first.site != second.site and _conflicts(first, second):
                yield ConcurrentPair(first, second, now, later, is_sure and is_also)

    def _reached(
        self, site: EventSite, given: Iterations
    ) -> Iterator[tuple[SharedAccess, Iterations, bool]]:
        """Yields the accesses that a thread may run after a statement without waiting."""
        spot, heads = self._paths.after(site), dict(given)
        forest = self._graph.loop_forest
        for access in self._accesses:
            own = self._paths.spot(access.site)
            kinds = self._paths.kinds(spot, own)
            if own == spot and access.site.found.start > site.found.start:
                kinds.append(FORWARD)
            inside = {*forest.heads_around(own.block)}
            for kind in kinds if heads.keys() <= inside else ():
                if kind == FORWARD or kind == self._innermost(site.block, heads):
                    moved = {it: number + (it == kind) for it, number in heads.items()}
                    iterations = self._entered(iterations_of(moved), own.block)
                    yield access, iterations, self._paths.is_always(spot, own, kind)

    def _innermost(self, block: int, heads: dict[int, int]) -> int:
        """Returns the innermost of some loops around a block."""
        around = self._graph.loop_forest.heads_around(block)
        return next((each for each in around if each in heads), FORWARD)


def _conflicts(first: SharedAccess, second: SharedAccess) -> bool:
    """Whether two accesses have to be ordered, in whichever order they run."""
    if first.is_asynchronous:
        return not second.is_asynchronous and may_conflict(second.event, first.event)
    return may_conflict(first.event, second.event)
