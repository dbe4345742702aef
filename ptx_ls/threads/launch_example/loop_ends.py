"""Finds in which iteration the threads of an example launch leave a loop."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final
from weakref import proxy

from ptx_ls.source.named_tuple import NamedTuple
from ptx_ls.threads.launch_example.iterations import iterations_of
from ptx_ls.values.comparisons import predicate_facts

if TYPE_CHECKING:
    from ptx_ls.threads.launch_example.iterations import Iterations
    from ptx_ls.threads.launch_example.launch import LaunchExample
    from ptx_ls.threads.launch_example.thread_numbers import ThreadNumbers
    from ptx_ls.values.comparisons import HeldComparison
    from ptx_ls.values.function_values import FunctionValues

_MAX_ITERATIONS: Final = 1 << 15
"""Number of iterations of a loop that are followed, times the number of threads."""


class LoopExit(NamedTuple):
    """The only edge that leaves a loop, from `block`."""

    block: int
    following: int


class LoopEnd(NamedTuple):
    """The numbers of iterations that threads have finished when they leave a loop.

    `fewest`: the smallest one, which may be too small. `most`: the largest one; None if unknown.
    `of_threads`: the number of each thread; none if `most` is unknown.
    """

    fewest: int
    most: int | None
    of_threads: tuple[int, ...] = ()

    @property
    def same(self) -> int | None:
        """The number for all threads; None if it is unknown, or if they differ."""
        return self.most if self.most == self.fewest else None


_UNKNOWN: Final = LoopEnd(0, None)


class LoopEnds:
    """The iterations in which threads leave the loops of a function."""

    def __init__(
        self, values: FunctionValues, launch: LaunchExample, numbers: ThreadNumbers
    ) -> None:
        own: ThreadNumbers = proxy(numbers)  # the numbers ask for the ends, too
        self._values, self._launch, self._numbers = values, launch, own
        self._exits: dict[int, LoopExit | None] = {}
        self._found: dict[tuple[int, Iterations], LoopEnd] = {}

    def exit(self, head: int) -> LoopExit | None:
        """Returns the only edge that leaves a loop; None if threads may leave it elsewhere."""
        if head not in self._exits:
            graph = self._values.graph
            blocks = graph.loop_forest.blocks(head)
            edges = {(each, to) for each in blocks for to in graph.successors[each]}
            leaving = [edge for edge in edges if edge[1] not in blocks]
            is_only = len(leaving) == 1 and blocks.isdisjoint(graph.leaves)
            self._exits[head] = LoopExit(*leaving[0]) if is_only else None
        return self._exits[head]

    def end(self, head: int, iterations: Iterations) -> LoopEnd:
        """Returns when threads leave a loop, in some iterations of the loops around it."""
        forest = self._values.graph.loop_forest
        around = {*forest.heads_around(head)} - {head}
        outer = iterations_of({each: n for each, n in iterations if each in around})
        key = head, outer
        if key not in self._found:
            self._found[key] = _UNKNOWN  # while the test of the loop depends on itself
            self._found[key] = self._followed(head, outer)
        return self._found[key]

    def last(self, head: int, iterations: Iterations) -> int:
        """Returns the iteration in which all threads leave a loop; 0 if that is unknown."""
        return self.end(head, iterations).same or 0

    def _followed(self, head: int, outer: Iterations) -> LoopEnd:
        test = self.test(head)
        if not test:
            return _UNKNOWN
        left = dict[int, int]()
        staying = frozenset(range(self._launch.n_threads))
        n_iterations = _MAX_ITERATIONS // self._launch.n_threads
        for number in range(n_iterations):
            passed = self._numbers.passing(test, iterations_of({**dict(outer), head: number}))
            if passed is None:
                return LoopEnd(min([number, *left.values()]), None)
            left |= dict.fromkeys(staying - passed, number)
            staying &= passed
            if not staying:
                numbers = tuple(left[each] for each in range(self._launch.n_threads))
                return LoopEnd(min(numbers), max(numbers), numbers)
        return LoopEnd(min([n_iterations, *left.values()]), None)

    def test(self, head: int) -> tuple[HeldComparison, ...]:
        """Returns what holds if a thread stays in a loop; nothing if that is unclear."""
        flow, leaving = self._values.flow, self.exit(head)
        if leaving is None or not self.is_in_each(leaving.block, head):
            return ()
        blocks = self._values.graph.loop_forest.blocks(head)
        staying = blocks.intersection(self._values.graph.successors[leaving.block])
        fact = flow.edge_fact(leaving.block, *staying) if len(staying) == 1 else None
        use = self._values.given.guard_at_end(leaving.block, fact[0]) if fact is not None else None
        if fact is None or use is None:
            return ()
        facts = predicate_facts(self._values.given, use, value=fact[1])
        return facts.comparisons if facts.is_exact else ()

    def is_in_each(self, block: int, head: int) -> bool:
        """Whether each iteration that another one follows runs a block once."""
        graph = self._values.graph
        latches = [each for each, to in graph.back_edges if to == head]
        is_once = graph.loop_forest.innermost(block) == head
        return is_once and all(graph.dominators.dominates(block, each) for each in latches)
