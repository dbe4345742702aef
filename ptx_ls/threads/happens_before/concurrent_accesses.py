"""Finds accesses that two threads run at the same time, although no path leads between them.

Both are reached from places that the threads pass together, and neither thread waits in between.
"""

from __future__ import annotations

from itertools import product
from typing import TYPE_CHECKING

from ptx_ls.source.named_tuple import NamedTuple
from ptx_ls.threads.happens_before.conflicting_accesses import ConflictingAccesses, numbers_in
from ptx_ls.threads.happens_before.unordered_paths import FORWARD, IterationPaths
from ptx_ls.threads.launch_example.iterations import iterations_of

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from ptx_ls.flow.graph import FlowGraph
    from ptx_ls.threads.events.sites import EventSite
    from ptx_ls.threads.happens_before.meetings import Meeting
    from ptx_ls.threads.happens_before.shared_accesses import SharedAccess
    from ptx_ls.threads.happens_before.unordered_paths import UnorderedPaths
    from ptx_ls.threads.launch_example.iterations import Iterations


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
        self,
        graph: FlowGraph,
        paths: UnorderedPaths,
        accesses: Sequence[SharedAccess],
        conflicting: ConflictingAccesses,
        may_divide: Callable[[int], bool],
    ) -> None:
        """Prepares a search.

        Args:
            graph: the blocks of the function.
            paths: those on which nothing orders accesses.
            accesses: all of the function.
            conflicting: which of these have to be ordered.
            may_divide: whether threads may take different ways at the end of a block.
        """
        self._graph, self._paths, self._accesses = graph, paths, accesses
        self._conflicting, self._may_divide = conflicting.concurrent, may_divide
        self._iteration = IterationPaths(graph)
        self._always: dict[tuple[int, int], bool] = {}
        self._forks_before: dict[int, list[tuple[int, int]]] = {}

    def in_arms(self) -> Iterator[ConcurrentPair]:
        """Yields accesses in different arms of a branch."""
        for first, own in zip(self._accesses, self._others_in_arms(), strict=True):
            wanted = self._conflicting[first.number] & -1 << first.number
            forks = {number: fork for fork, bits in own for number in numbers_in(bits & wanted)}
            one = first.site.block
            for number, fork in sorted(forks.items()):
                second = self._accesses[number]
                other = second.site.block
                if self._iteration.are_apart(one, other) and self._may_divide(fork):
                    always = self._is_always(fork, one) and self._is_always(fork, other)
                    yield ConcurrentPair(
                        first, second, self._entered((), one), self._entered((), other), always
                    )

    def _others_in_arms(self) -> list[list[tuple[int, int]]]:
        """Returns for each access the forks before it, with the accesses in their other arms.

        No instruction orders accesses on some path from a fork to any of these accesses.
        """
        ways = [self._forks(each) for each in self._accesses]
        after: dict[int, dict[int, int]] = {}
        for access, own in zip(self._accesses, ways, strict=True):
            for fork, arm in own:
                arms = after.setdefault(fork, {})
                arms[arm] = arms.get(arm, 0) | 1 << access.number
        everything = {fork: sum(arms.values()) for fork, arms in after.items()}
        return [
            [(fork, others) for fork, arm in own if (others := everything[fork] ^ after[fork][arm])]
            for own in ways
        ]

    def _forks(self, access: SharedAccess) -> list[tuple[int, int]]:
        """Returns the blocks that all paths to an access pass, and that unordered paths begin at.

        With each, returns the next one of these blocks on the paths.
        """
        spot = self._paths.spot(access.site)
        if not spot.is_first or spot.block < 0:
            return []
        found = self._forks_before.get(spot.block)
        if found is None:
            found = self._forks_before[spot.block] = []
            origins, parents = self._paths.origins(spot.block), self._graph.dominators.parent
            arm = spot.block
            while (fork := parents[arm]) in origins:
                found.append((fork, arm))
                arm = fork
        return found

    def _is_always(self, fork: int, block: int) -> bool:
        """Whether nothing orders accesses on any path from the end of a block to another one."""
        key = fork, block
        if key not in self._always:
            paths = self._paths
            self._always[key] = paths.is_always(paths.end(fork), paths.start(block), FORWARD)
        return self._always[key]

    def _entered(self, given: Iterations, block: int) -> Iterations:
        """Returns iterations with the first one of all other loops around a block."""
        heads = self._graph.loop_forest.heads_around(block)
        return iterations_of({**dict.fromkeys(heads, 0), **dict(given)})

    def after(self, meeting: Meeting) -> Iterator[ConcurrentPair]:
        """Yields the accesses after a meeting, of which one thread runs each."""
        firsts = [*self._reached(meeting.first, meeting.now)]
        seconds = [*self._reached(meeting.second, meeting.later)]
        for (first, now, is_sure), (second, later, is_also) in product(firsts, seconds):
            if self._conflicting[first.number] >> second.number & 1 and first.site != second.site:
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
