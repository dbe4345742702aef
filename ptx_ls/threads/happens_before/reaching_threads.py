"""Finds threads of an example launch that surely execute a statement."""

from __future__ import annotations

from itertools import product
from typing import TYPE_CHECKING, Final

from ptx_ls.source.named_tuple import NamedTuple
from ptx_ls.source.reachability import reached
from ptx_ls.syntax.register_events import NEGATED, READS
from ptx_ls.threads.happens_before.joined_paths import joined_paths
from ptx_ls.threads.happens_before.locked_blocks import LockedBlocks
from ptx_ls.threads.happens_before.possible_writes import WriterFinder
from ptx_ls.threads.launch_example.assumptions import (
    agree,
    compared,
    is_met_by_large_parameter,
    is_outside_grid,
)
from ptx_ls.threads.launch_example.elected_threads import elected_threads
from ptx_ls.threads.launch_example.iterations import iterations_of
from ptx_ls.threads.launch_example.thread_comparisons import compared_numbers, threads_that_pass
from ptx_ls.values.affine_values import is_stable
from ptx_ls.values.comparisons import predicate_facts
from ptx_ls.values.data_sources import DataSourceFinder
from ptx_ls.values.paths import MAX_EDGES

if TYPE_CHECKING:
    from collections.abc import Iterator
    from collections.abc import Set as AbstractSet

    from ptx_ls.threads.events.sites import EventSite
    from ptx_ls.threads.launch_example.assumptions import Assumptions
    from ptx_ls.threads.launch_example.iterations import Iterations
    from ptx_ls.threads.launch_example.launch import LaunchExample
    from ptx_ls.threads.launch_example.loop_ends import LoopEnds
    from ptx_ls.threads.launch_example.thread_number import ThreadNumber
    from ptx_ls.threads.launch_example.thread_numbers import ThreadNumbers
    from ptx_ls.values.comparisons import HeldComparison
    from ptx_ls.values.function_values import FunctionValues
    from ptx_ls.values.paths import BranchEdge
    from ptx_ls.values.place_facts import Condition

_MBARRIER: Final = "mbarrier"
_PASSING_ON: Final = frozenset({"mov", "not", "selp", "setp"})
"""Instructions that compilers insert between a wait and the branch that depends on it."""
_MAX_STEPS: Final = 4
"""Number of these instructions."""
_EXITS: Final = ("exit", "ret")


class DataCondition(NamedTuple):
    """A condition that data in memory decides.

    `decided`: what identifies the predicate and its value. `is_same`: whether all threads read the
    same data, so that they all take the same way.
    """

    decided: object
    is_same: bool


class ReachingThreads(NamedTuple):
    """Threads that execute a statement if the parameters are as in `assumptions`.

    `data`: the conditions on data in memory under which they do so.
    """

    threads: frozenset[int]
    assumptions: Assumptions
    data: frozenset[DataCondition] = frozenset()

    @property
    def needs_data(self) -> bool:
        """Whether they only execute the statement for some data in memory."""
        return bool(self.data)

    def may_run_with(self, other: ReachingThreads) -> bool:
        """Whether some data surely lets threads execute both this statement and another one.

        If both need data, that may let only one thread run, such as the first one of a list.
        """
        fewer, more = sorted((self.data, other.data), key=len)
        return fewer <= more and all(each.is_same for each in fewer)


class ReachFinder:
    """Finds the threads that execute statements of a function."""

    def __init__(
        self,
        values: FunctionValues,
        launch: LaunchExample,
        numbers: ThreadNumbers,
        ends: LoopEnds,
    ) -> None:
        self._values, self._launch, self._numbers, self._ends = values, launch, numbers, ends
        self._locks = LockedBlocks(values)

    def threads(self, site: EventSite, iterations: Iterations) -> ReachingThreads | None:
        """Returns threads that execute a statement in some iterations; None if that is unclear."""
        conditions = self._values.conditions(site.found)
        if len(conditions) >= MAX_EDGES or self._locks.may_be_held(site):
            return None
        threads = self._entering(conditions, site.block, iterations)
        if threads is None:
            return None
        assumed: dict[object, str] = {}
        data = set[DataCondition]()
        for condition in conditions:
            if self._ends_loop(condition, site.block):
                continue
            is_decided = condition.facts.is_exact
            tested = [iterations, *self._first_tests(condition, iterations)]
            for held, each in product(condition.facts.comparisons, tested):
                found = self._holding(held, each, assumed)
                if found is None:
                    is_decided = False
                else:
                    threads &= found
            if not is_decided:
                known = self._elected(condition, site)
                known = self._surely(condition, site, iterations) if known is None else known
                needed = self._on_data(condition, site) if known is None else None
                if known is not None:
                    threads &= known
                elif needed is not None:
                    data.add(needed)
                    threads &= self._writing(condition, site, iterations)
                else:
                    return None
        return ReachingThreads(threads, frozenset(assumed.items()), frozenset(data))

    def _first_tests(self, condition: Condition, iterations: Iterations) -> Iterator[Iterations]:
        """Yields the first iterations of loops that a condition keeps threads in.

        In a later iteration, the condition held in the first one, too.
        """
        edge, given, ends = condition.edge, dict(iterations), self._ends
        if edge is None:
            return
        for head in self._values.graph.loop_forest.heads_around(edge.block):
            left = ends.exit(head)
            if left is None or left.block != edge.block or left.following == edge.following:
                continue
            if given.get(head) and ends.is_in_each(left.block, head):
                yield iterations_of({**given, head: 0})

    def _decided(self, condition: Condition, site: EventSite) -> tuple[int, bool] | None:
        """Returns the use that reads the predicate of a condition, and the value that it needs."""
        edge, given = condition.edge, self._values.given
        if edge is not None:
            use = given.guard_at_end(edge.block, edge.code)
            return None if use is None else (use, edge.value)
        use = given.decoder.of_statement(site.found).uses.start
        return use, not given.flow.uses.ways[use] & NEGATED

    def _elected(self, condition: Condition, site: EventSite) -> frozenset[int] | None:
        """Returns the threads for which a condition holds if `elect.sync` decides it."""
        decided = self._decided(condition, site)
        if decided is None:
            return None
        n_threads = self._launch.n_threads
        elected = elected_threads(self._values, n_threads, decided[0])
        if elected is None or decided[1]:
            return elected
        return frozenset(range(n_threads)) - elected

    def _surely(
        self, condition: Condition, site: EventSite, iterations: Iterations
    ) -> frozenset[int] | None:
        """Returns the threads for which a condition holds, whatever the data is; or None.

        It is the opposite of a conjunction, of which one part does not hold for these threads.
        """
        decided = self._decided(condition, site)
        if decided is None:
            return None
        facts = predicate_facts(self._values.given, decided[0], value=not decided[1])
        everyone = frozenset(range(self._launch.n_threads))
        found = frozenset[int]()
        for held in facts.comparisons:
            sides = compared_numbers(self._numbers, held, iterations)
            if sides is not None and sides[0].unknowns == sides[1].unknowns:
                found |= everyone - threads_that_pass(held, *sides)
        return found or None

    def _on_data(self, condition: Condition, site: EventSite) -> DataCondition | None:
        """Returns a condition that data in memory decides, and that may hold in any thread."""
        decided = self._decided(condition, site)
        if decided is None:
            return None
        use, value = decided
        found = DataSourceFinder(self._values).of_use(use)
        if not found.has_data or not found.is_known:
            return None
        is_same = not found.has_thread and not found.has_own_data
        return DataCondition((self._values.flow.definitions(use), value), is_same)

    def _writing(
        self, condition: Condition, site: EventSite, iterations: Iterations
    ) -> frozenset[int]:
        """Returns the threads that may write what a condition needs, as in `if (a && data)`."""
        decided = self._decided(condition, site)
        if decided is None:
            return frozenset(range(self._launch.n_threads))
        finder = WriterFinder(self._values, self._numbers, self._launch.n_threads)
        return finder.threads(decided, site.block, iterations)

    def _ends_loop(self, condition: Condition, block: int) -> bool:
        """Whether a condition is the only end of a loop before a block, which each thread gets to.

        The condition holds in the last iteration of the loop. A loop that ends when memory has some
        value may be a lock, which lets one thread continue at a time.
        """
        edge, forest = condition.edge, self._values.graph.loop_forest
        if edge is None:
            return False
        around = {*forest.heads_around(block)}
        left = [each for each in forest.heads_around(edge.block) if each not in around]
        if not left or any(self._ends.exit(each) != (edge.block, edge.following) for each in left):
            return False
        if self._is_wait(edge):
            return True
        return condition.facts.is_exact and all(
            compared_numbers(self._numbers, held, iterations_of(dict.fromkeys(left, 0)))
            for held in condition.facts.comparisons
        )

    def _is_wait(self, edge: BranchEdge) -> bool:
        """Whether an edge is taken when a phase of an mbarrier object is complete.

        Inline assembly returns the predicate as a number, which a `setp` compares with 0.
        """
        given = self._values.given
        use = given.guard_at_end(edge.block, edge.code)
        for _ in range(_MAX_STEPS):
            definition = None if use is None else given.flow.definition(use)
            if definition is None:
                return False
            instruction = given.decoder.of_use(definition)
            if instruction.name == _MBARRIER:
                return True
            read = [each for each in instruction.uses if given.flow.uses.ways[each] & READS]
            if instruction.name not in _PASSING_ON or len(read) != 1:
                return False
            use = read[0]
        return False

    def _entering(
        self, conditions: tuple[Condition, ...], block: int, iterations: Iterations
    ) -> frozenset[int] | None:
        """Returns the threads that may get to a block if its own conditions are ignored.

        If a block is reached on several paths, only the index may decide who takes each.
        """
        if self._decide(conditions, block):
            return frozenset(range(self._launch.n_threads))
        paths = joined_paths(self._values.graph, block)
        if paths is None or not self._decide(conditions, block, frozenset(paths.blocks)):
            return None

        def holding(start: int, following: int) -> frozenset[int] | None:
            decided = self._values.flow.edge_fact(start, following)
            use = None if decided is None else self._values.given.guard_at_end(start, decided[0])
            if decided is None or use is None:
                return None
            facts = predicate_facts(self._values.given, use, value=decided[1])
            found, assumed = everyone, dict[object, str]()
            for held in facts.comparisons if facts.is_exact else ():
                own = self._holding(held, iterations, assumed)
                if own is None or assumed:
                    return None
                found &= own
            return found if facts.is_exact else None

        everyone = frozenset(range(self._launch.n_threads))
        return paths.threads(self._values.graph, everyone, holding)

    def _decide(
        self,
        conditions: tuple[Condition, ...],
        block: int,
        also: frozenset[int] = frozenset(),
    ) -> bool:
        """Whether conditions decide alone whether a block runs, at least for the first time.

        `also`: other blocks whose branches are known.
        """
        graph = self._values.graph
        known = also.union(each.edge.block for each in conditions if each.edge is not None)
        if self._may_have_left(block, known):
            return False
        waiting, seen = [block], {block}
        while waiting:
            each = waiting.pop()
            for branch in graph.control_dependence[each]:
                if graph.dominators.dominates(each, branch):
                    continue  # it only decides whether the block runs again
                if branch not in known:
                    return False
                if branch not in seen:
                    seen.add(branch)
                    waiting.append(branch)
        return True

    def _may_have_left(self, block: int, known: AbstractSet[int]) -> bool:
        """Whether some threads may have exited before a block, under a condition that is not known.

        A guarded exit is not a branch, and not on all paths to the block. An exit later in a loop
        around the block only decides whether the block runs again.
        """
        graph = self._values.graph
        dominates = graph.dominators.dominates
        leaving = [
            each
            for each, opcode in graph.leaves.items()
            if graph.successors[each] and opcode in _EXITS
            if each not in known and not dominates(block, each)
        ]
        if not leaving:
            return False
        back, predecessors = {*graph.back_edges}, graph.predecessors
        before = reached(
            [block], lambda each: [it for it in predecessors[each] if (it, each) not in back]
        )
        return not before.isdisjoint(leaving)

    def closed_edges(self, assumptions: Assumptions) -> frozenset[tuple[int, int]]:
        """Returns the edges of the flow graph that maybe no thread takes under some assumptions.

        Only considers conditions on numbers that do not change.
        """
        flow, given = self._values.flow, self._values.given
        found: set[tuple[int, int]] = set()
        for block, successors in enumerate(self._values.graph.successors):
            for following in successors:
                decided = flow.edge_fact(block, following)
                use = given.guard_at_end(block, decided[0]) if decided is not None else None
                if decided is not None and use is not None:
                    facts = predicate_facts(given, use, value=decided[1])
                    if any(self._is_refuted(each, assumptions) for each in facts.comparisons):
                        found.add((block, following))
        return frozenset(found)

    def _is_refuted(self, held: HeldComparison, assumptions: Assumptions) -> bool:
        """Whether a comparison holds for no thread, or may contradict an assumption."""
        for each in (held.left, held.right):
            form = self._values.source_form(held.instruction, each, held.width)
            if form is not None and not is_stable(form):
                return False
        sides = compared_numbers(self._numbers, held, ())
        if sides is None:
            return False
        if sides[0].unknowns != sides[1].unknowns:
            needed = frozenset({(compared(*sides), held.operator)})
            return not agree(assumptions, needed, self._numbers.sources)
        return not threads_that_pass(held, *sides)

    def _holding(
        self, held: HeldComparison, iterations: Iterations, assumed: dict[object, str]
    ) -> frozenset[int] | None:
        """Returns the threads for which a comparison holds; None if that is unknown."""
        sides = compared_numbers(self._numbers, held, iterations)
        if sides is None:
            return None
        if sides[0].unknowns == sides[1].unknowns:
            return threads_that_pass(held, *sides)
        is_assumed = self._may_assume(*sides, held.operator)
        if not is_assumed or assumed.setdefault(compared(*sides), held.operator) != held.operator:
            return None
        return frozenset(range(self._launch.n_threads))

    def _may_assume(self, left: ThreadNumber, right: ThreadNumber, symbol: str) -> bool:
        """Whether a launch exists for which a comparison holds for all threads.

        It does if the numbers are the same for all threads, and if a parameter limits the numbers
        of threads, as in `if (index < n)`.
        """
        sides = compared(left, right)
        if left.is_same and right.is_same:
            return not is_outside_grid(sides, symbol)
        return is_met_by_large_parameter(sides, symbol)
