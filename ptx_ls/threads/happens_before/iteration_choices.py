"""Chooses iterations of loops in which two accesses are compared.

An unordered path leads from the first access to the second one in each choice, and all threads that
run the loops at all run these iterations.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from ptx_ls.threads.happens_before.unordered_paths import FORWARD
from ptx_ls.threads.launch_example.iterations import iterations_of

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from ptx_ls.flow.graph import FlowGraph
    from ptx_ls.threads.happens_before.unordered_paths import UnorderedPaths
    from ptx_ls.threads.launch_example.iterations import Iterations
    from ptx_ls.threads.launch_example.loop_ends import LoopEnds

    _Chooser = Callable[[int, Iterations], Sequence[int]]

_FIRST: Final = (0, 1, 2)
"""The iterations of a loop that are chosen, besides the last one."""


class IterationChoices:
    """The iterations in which two accesses in `blocks` with a path of a kind are compared."""

    def __init__(
        self,
        graph: FlowGraph,
        paths: UnorderedPaths,
        ends: LoopEnds,
        blocks: tuple[int, int],
        kind: int,
    ) -> None:
        self._graph, self._paths, self._ends = graph, paths, ends
        (self._first, self._second), self._kind = blocks, kind
        forest = graph.loop_forest
        before = [*forest.heads_around(self._first)][::-1]
        after = [*forest.heads_around(self._second)][::-1]
        shared = [each for each in before if each in after]
        if self._kind != FORWARD:
            shared = shared[: shared.index(self._kind) + 1]
        self._shared = shared
        self._left = before[len(shared) :]
        self._entered = after[len(shared) :]

    def pairs(self) -> Iterator[tuple[Iterations, Iterations]]:
        """Yields the iterations of the first access with those of the second one."""
        for now, later in self._of_shared(0, (), ()):
            for first in self._of_loops(self._left, now, self._last_ones):
                for second in self._of_loops(self._entered, later, self._first_ones):
                    yield first, second

    def _of_shared(
        self, depth: int, now: Iterations, later: Iterations
    ) -> Iterator[tuple[Iterations, Iterations]]:
        """Yields the iterations of the loops around both accesses."""
        if depth == len(self._shared):
            yield now, later
            return
        head = self._shared[depth]
        step = int(head == self._kind)
        ends = [self._most(head, now, each) for each in (self._first, self._second)]
        most = None if None in ends else min(each for each in ends if each is not None)
        chosen = [*_FIRST] if most is None else sorted({*_FIRST, most - step})
        for number in chosen:
            if number >= 0 and (most is None or number + step <= most):
                yield from self._of_shared(
                    depth + 1, _added(now, head, number), _added(later, head, number + step)
                )

    def _of_loops(
        self, heads: Sequence[int], outer: Iterations, choose: _Chooser
    ) -> Iterator[Iterations]:
        if not heads:
            yield outer
            return
        for number in choose(heads[0], outer):
            yield from self._of_loops(heads[1:], _added(outer, heads[0], number), choose)

    def _last_ones(self, head: int, outer: Iterations) -> Sequence[int]:
        """Returns iterations of a loop around the first access from which a path leaves it.

        If each iteration orders accesses, that is the last one.
        """
        end = self._ends.end(head, outer)
        most = self._most(head, outer, self._first)
        last = [] if end.same is None or most is None else [most]
        if self._paths.repeats(head) and self._paths.goes_around(self._first, head):
            return sorted({*(each for each in _FIRST if most is None or each <= most), *last})
        return [0] if end.most is None and not end.fewest else [each for each in last if each >= 0]

    def _first_ones(self, head: int, outer: Iterations) -> Sequence[int]:
        """Returns iterations of a loop around the second access to which a path leads."""
        most = self._most(head, outer, self._second)
        chosen = _FIRST if self._paths.repeats(head) else _FIRST[:1]
        return [each for each in chosen if most is None or each <= most]

    def _most(self, head: int, outer: Iterations, block: int) -> int | None:
        """Returns the last iteration in which all threads run a block; None if unknown."""
        end = self._ends.end(head, outer)
        if end.most is None and not end.fewest:
            return None
        return end.fewest - self._is_tested(head, block)

    def _is_tested(self, head: int, block: int) -> bool:
        """Whether the test that ends a loop comes before a block in each iteration."""
        leaving = self._ends.exit(head)
        if leaving is None or leaving.block == block:
            return False
        return self._graph.dominators.dominates(leaving.block, block)


def _added(iterations: Iterations, head: int, number: int) -> Iterations:
    return iterations_of({**dict(iterations), head: number})
