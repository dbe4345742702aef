"""Finds the numbers of each term with which a place in a function is reached."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from ptx_ls.values.affine import AffineForm, TermKind
from ptx_ls.values.spans import UNBOUNDED, Span
from ptx_ls.values.transfer.comparison import MIRRORED

if TYPE_CHECKING:
    from ptx_ls.values.affine import AffineTerm
    from ptx_ls.values.comparisons import HeldComparison
    from ptx_ls.values.loops.counters import LoopCounters
    from ptx_ls.values.loops.shared_loops import SharedLoops
    from ptx_ls.values.place_facts import Condition, Evaluation, PlaceFacts
    from ptx_ls.values.reached.launch_conditions import LaunchConditions

_LIMITED: Final = (TermKind.SPECIAL, TermKind.COUNTER, TermKind.DEFINITION)
"""The kinds of terms whose conditions are understood."""
_BELOW: Final = ("lt", "le")
_WORD: Final = 31
"""Number of bits of a number that is the same as signed and unsigned."""


class PlaceLimits:
    """The conditions of places in a function, as limits of terms.

    With `in_full_blocks`, a comparison of the index of a thread in the grid with a parameter, as in
    `if (index < n)`, is passed by all threads of some block.
    """

    def __init__(
        self,
        evaluation: Evaluation,
        counters: LoopCounters,
        launch: LaunchConditions,
        shared_loops: SharedLoops,
        *,
        in_full_blocks: bool,
    ) -> None:
        self._parts, self._counters, self._launch = evaluation, counters, launch
        self._shared_loops, self._in_full_blocks = shared_loops, in_full_blocks

    def at(self, facts: PlaceFacts, block: int) -> dict[AffineTerm, Span] | None:
        """Returns the numbers of each term with which a place is reached; None if unknown."""
        flow = self._parts.given.flow
        if block < 0 or not flow.blocks.dominators.is_reached(block):
            return None
        if flow.blocks.starts is None and flow.graph.opened:
            return None
        found = self._allowed(facts, block)
        explained = {each.edge.block for each in facts.conditions if each.edge is not None}
        for deciding in self._deciding(block) if found is not None else ():
            if deciding not in explained and not (
                self._is_exact_test(deciding, block) or self._is_shared_test(deciding, block)
            ):
                return None
        return found

    def _allowed(self, facts: PlaceFacts, block: int) -> dict[AffineTerm, Span] | None:
        """Returns the numbers of each term for which all conditions hold; None if unknown.

        If a parameter limits the number of a thread, and a constant does, too, the constant is the
        smaller limit in some launch.
        """
        found: dict[AffineTerm, Span] = {}
        by_parameters: list[AffineTerm] = []
        for condition in facts.conditions:
            limits = self._of_condition(condition, facts, block)
            if limits is None:
                return None
            for term, span in limits:
                found[term] = found.get(term, UNBOUNDED).meet(span or UNBOUNDED)
                by_parameters += [term] if span is None else []
        is_limited = all(found[each].high is not None for each in by_parameters)
        return found if is_limited else None

    def _deciding(self, block: int) -> set[int]:
        """Returns the blocks whose branches decide whether a block runs for the first time."""
        flow = self._parts.given.flow
        dependence, dominates = flow.graph.control_dependence, flow.blocks.dominators.dominates
        found: set[int] = set()
        waiting = [block]
        while waiting:
            for each in dependence[waiting.pop()]:
                if each not in found and not dominates(block, each):
                    found.add(each)
                    waiting.append(each)
        return found

    def _is_exact_test(self, tested: int, block: int) -> bool:
        """Whether a branch is the only test of a loop around a block, and its counter is exact."""
        graph = self._parts.given.flow.graph
        head = graph.loop_forest.innermost(tested)
        if head not in graph.loop_forest.heads_around(block) or not self._counters.is_exact(head):
            return False
        return not graph.loop_forest.blocks(head).issuperset(graph.successors[tested])

    def _is_shared_test(self, tested: int, block: int) -> bool:
        """Whether a branch is the only test of a loop around a block that threads share."""
        forest = self._parts.given.flow.graph.loop_forest
        head = forest.innermost(tested)
        if head not in forest.heads_around(block):
            return False
        loop = self._shared_loops.at(head)
        return loop is not None and loop.tested == tested

    def _of_condition(
        self, condition: Condition, facts: PlaceFacts, block: int
    ) -> list[tuple[AffineTerm, Span | None]] | None:
        """Returns the numbers of terms for which a condition holds; None if that is not exact.

        For a term that only parameters limit, there are no numbers.
        """
        edge = condition.edge
        if edge is not None and self._is_exact_test(edge.block, block):
            head = self._parts.given.flow.graph.loop_forest.innermost(edge.block)
            last = self._counters.bounds(head).high  # the iteration whose test fails
            assert last is not None  # noqa: S101  the counter is exact
            return [(self._counters.counter(head), Span(0, last - 1))]
        if not condition.facts.is_exact or not condition.facts.comparisons:
            return None
        found: list[tuple[AffineTerm, Span | None]] = []
        for held in condition.facts.comparisons:
            limit = self._of_comparison(held, condition, facts)
            limits = [limit] if limit is not None else self._of_launch(held, facts)
            if limits is None:
                return None
            found += limits
        return found

    def _of_launch(
        self, held: HeldComparison, facts: PlaceFacts
    ) -> list[tuple[AffineTerm, Span | None]] | None:
        """Returns the same for a comparison that some blocks of a launch pass as a whole."""
        launch = self._launch
        if not self._in_full_blocks:
            return None
        if launch.compares_parameters(held):
            return []
        block = launch.block_after_the_first(held)
        if block is not None:
            return [(block, Span(1, None))]
        if launch.has_small_limit(held, facts.value):
            return None
        if launch.holds_in_whole_blocks(held) or self._is_counting(held):
            return []
        number = launch.limited_number(held)
        return None if number is None else [(number, None)]

    def _is_counting(self, held: HeldComparison) -> bool:
        """Whether a comparison ends a loop after as many iterations as parameters say."""
        counter = self._launch.limited_counter(held)
        return counter is not None and not self._counters.is_exact(counter.head)

    def _of_comparison(
        self, held: HeldComparison, condition: Condition, facts: PlaceFacts
    ) -> tuple[AffineTerm, Span] | None:
        """Returns the numbers of the only term of a comparison with a constant."""
        forms, instruction = self._parts.forms, held.instruction
        self._parts.ensure(self._parts.given.definitions_of(instruction))
        left, right = (forms.operand(instruction, it, held.width) for it in (held.left, held.right))
        operator = held.operator
        if left is None or right is None:
            return None
        if not left.terms:
            left, right, operator = right, left, MIRRORED[operator]
        if right.terms or len(left.terms) != 1:
            return None
        if not facts.is_same(left, instruction, condition.edge):
            return None
        ((term, times),) = left.terms
        if term.kind not in _LIMITED and self._shared_loops.of_counter(term) is None:
            return None
        limit = right.offset
        if not held.is_signed:
            limit &= (1 << held.width) - 1
        if forms.ranges.fits(left, held.width, is_signed=held.is_signed):
            return _solved(operator, term, times, limit - left.offset)
        # `%tid.x - 1 < 64` excludes 0, too, because unsigned numbers wrap around.
        own = AffineForm(left.width, left.terms, 0)
        is_range = not held.is_signed and times == 1 and left.offset < 0 <= limit < 1 << _WORD
        if (
            not is_range
            or operator not in _BELOW
            or not forms.ranges.fits(own, _WORD, is_signed=False)
        ):
            return None
        return term, Span(-left.offset, limit - left.offset - (operator == _BELOW[0]))


def _solved(
    operator: str, term: AffineTerm, times: int, limit: int
) -> tuple[AffineTerm, Span] | None:
    """Returns the numbers of a term for which `times * term` compares with a limit."""
    if times < 0:
        times, limit, operator = -times, -limit, MIRRORED[operator]
    below, at_most = -(-limit // times) - 1, limit // times
    match operator:
        case "lt":
            return term, Span(None, below)
        case "le":
            return term, Span(None, at_most)
        case "gt":
            return term, Span(at_most + 1, None)
        case "ge":
            return term, Span(below + 1, None)
        case "eq" if limit % times == 0:
            return term, Span(at_most, at_most)
        case _:
            return None
