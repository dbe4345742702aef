"""Finds threads of an example launch that surely execute a statement."""

from __future__ import annotations

import operator
from typing import TYPE_CHECKING, Final

from ptx_ls.source.named_tuple import NamedTuple
from ptx_ls.values.affine import AffineTerm, TermKind
from ptx_ls.values.affine_values import is_stable
from ptx_ls.values.comparisons import predicate_facts
from ptx_ls.values.known_bits import as_signed
from ptx_ls.values.paths import MAX_EDGES
from ptx_ls.values.transfer.comparison import MIRRORED, NEGATIONS

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping

    from ptx_ls.threads.events.sites import EventSite
    from ptx_ls.threads.happens_before.launch_example import LaunchExample
    from ptx_ls.threads.happens_before.thread_numbers import (
        Iterations,
        ThreadNumber,
        ThreadNumbers,
    )
    from ptx_ls.values.comparisons import HeldComparison
    from ptx_ls.values.function_values import FunctionValues
    from ptx_ls.values.place_facts import Condition

_COMPARE: Final[Mapping[str, Callable[[int, int], bool]]] = {
    "eq": operator.eq,
    "ne": operator.ne,
    "lt": operator.lt,
    "le": operator.le,
    "gt": operator.gt,
    "ge": operator.ge,
}
_BELOW: Final = ("lt", "le", "ne")

Assumptions = frozenset[tuple[object, str]]
"""Comparisons of numbers that are unknown, each with its operator."""


class ReachingThreads(NamedTuple):
    """Threads that execute a statement if the parameters are as in `assumptions`."""

    threads: frozenset[int]
    assumptions: Assumptions

    def agrees(self, other: ReachingThreads) -> bool:
        """Whether no assumption may contradict one of another statement."""
        given = dict(other.assumptions)
        return all(given.get(key, held) == held for key, held in self.assumptions)


class ReachFinder:
    """Finds the threads that execute statements of a function."""

    def __init__(
        self, values: FunctionValues, launch: LaunchExample, numbers: ThreadNumbers
    ) -> None:
        self._values, self._launch, self._numbers = values, launch, numbers

    def threads(self, site: EventSite, iterations: Iterations) -> ReachingThreads | None:
        """Returns threads that execute a statement in some iterations; None if that is unclear."""
        conditions = self._values.conditions(site.found)
        if len(conditions) >= MAX_EDGES or not self._decide(conditions, site.block):
            return None
        threads = frozenset(range(self._launch.n_threads))
        assumed: dict[object, str] = {}
        for condition in conditions:
            if not condition.facts.is_exact:
                return None
            for held in condition.facts.comparisons:
                found = self._holding(held, iterations, assumed)
                if found is None:
                    return None
                threads &= found
        return ReachingThreads(threads, frozenset(assumed.items()))

    def _decide(self, conditions: tuple[Condition, ...], block: int) -> bool:
        """Whether conditions decide alone whether a block runs, at least for the first time."""
        graph = self._values.flow.graph
        known = {each.edge.block for each in conditions if each.edge is not None}
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

    def closed_edges(self, assumptions: Assumptions) -> frozenset[tuple[int, int]]:
        """Returns the edges of the flow graph that no thread takes under some assumptions.

        Only considers conditions on numbers that do not change.
        """
        flow, given, assumed = self._values.flow, self._values.given, dict(assumptions)
        found: set[tuple[int, int]] = set()
        for block, successors in enumerate(flow.graph.successors):
            for following in successors:
                decided = flow.edge_fact(block, following)
                use = given.guard_at_end(block, decided[0]) if decided is not None else None
                if decided is not None and use is not None:
                    facts = predicate_facts(given, use, value=decided[1])
                    if any(self._is_refuted(each, assumed) for each in facts.comparisons):
                        found.add((block, following))
        return frozenset(found)

    def _is_refuted(self, held: HeldComparison, assumed: Mapping[object, str]) -> bool:
        """Whether a comparison holds for no thread, or contradicts an assumption."""
        for each in (held.left, held.right):
            form = self._values.source_form(held.instruction, each, held.width)
            if form is not None and not is_stable(form):
                return False
        sides = self._sides(held, ())
        if sides is None:
            return False
        if sides[0].unknowns != sides[1].unknowns:
            return assumed.get(_key(*sides)) == NEGATIONS[held.operator]
        return not self._compared(held, *sides)

    def _holding(
        self, held: HeldComparison, iterations: Iterations, assumed: dict[object, str]
    ) -> frozenset[int] | None:
        """Returns the threads for which a comparison holds; None if that is unknown."""
        sides = self._sides(held, iterations)
        if sides is None:
            return None
        if sides[0].unknowns == sides[1].unknowns:
            return self._compared(held, *sides)
        is_assumed = self._may_assume(*sides, held.operator)
        if not is_assumed or assumed.setdefault(_key(*sides), held.operator) != held.operator:
            return None
        return frozenset(range(self._launch.n_threads))

    def _sides(
        self, held: HeldComparison, iterations: Iterations
    ) -> tuple[ThreadNumber, ThreadNumber] | None:
        left, right = (
            self._numbers.operand(held.instruction, each, held.width, iterations)
            for each in (held.left, held.right)
        )
        return None if left is None or right is None else (left, right)

    def _compared(
        self, held: HeldComparison, left: ThreadNumber, right: ThreadNumber
    ) -> frozenset[int]:
        """Returns the threads for which a comparison holds."""
        compare = _COMPARE[held.operator]
        pairs: Iterable[tuple[int, int]] = zip(left.numbers, right.numbers, strict=True)
        if held.is_signed:
            width = held.width
            pairs = ((as_signed(one, width), as_signed(other, width)) for one, other in pairs)
        return frozenset(thread for thread, each in enumerate(pairs) if compare(*each))

    def _may_assume(self, left: ThreadNumber, right: ThreadNumber, symbol: str) -> bool:
        """Whether a launch exists for which a comparison holds for all threads.

        It does if the numbers are the same for all threads, and if a parameter limits the numbers
        of threads, as in `if (index < n)`.
        """
        if left.is_same and right.is_same:
            return True
        if _has_parameter(left):
            left, right, symbol = right, left, MIRRORED[symbol]
        return symbol in _BELOW and not _has_parameter(left) and _has_parameter(right)


def _key(left: ThreadNumber, right: ThreadNumber) -> object:
    """Returns what identifies a comparison of unknown numbers."""
    return left.unknowns, left.numbers[0], right.unknowns, right.numbers[0]


def _has_parameter(number: ThreadNumber) -> bool:
    """Whether a number grows with a parameter."""
    return any(
        times > 0 and isinstance(key, tuple) and _is_parameter(key[0])
        for key, times in number.unknowns
    )


def _is_parameter(term: object) -> bool:
    return isinstance(term, AffineTerm) and term.kind is TermKind.PARAMETER
