"""Finds values that are surely reached, unlike the bounds of a range.

Some thread of every launch has each number of a special register up to the stated size of a block,
and a loop with one exit runs through all numbers of its counter. A statement only counts if the
conditions before it are understood, so that such a thread gets there.

If a condition or a mask limits the number of a thread or a block, it does so for some of them.
Therefore, the last number within the limit is reached: if there is a thread 9 that `%tid.x <= 8`
excludes, there is a thread 8, too.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from ptx_ls.values.affine import AffineForm, TermKind
from ptx_ls.values.first_row import LANE, LANES, THREAD
from ptx_ls.values.loops.shared_loops import SharedLoops
from ptx_ls.values.reached.cut_numbers import CutNumbers
from ptx_ls.values.reached.launch_conditions import LaunchConditions
from ptx_ls.values.spans import UNBOUNDED, Span
from ptx_ls.values.special_registers import NOT_ATTAINED, Attained, attained
from ptx_ls.values.transfer.comparison import MIRRORED

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from ptx_ls.values.affine import AffineTerm
    from ptx_ls.values.comparisons import HeldComparison
    from ptx_ls.values.first_row import FirstRow
    from ptx_ls.values.loops.counters import LoopCounters
    from ptx_ls.values.place_facts import Condition, Evaluation, PlaceFacts

_LIMITED: Final = (TermKind.SPECIAL, TermKind.COUNTER, TermKind.DEFINITION)
"""The kinds of terms whose conditions are understood."""
_BELOW: Final = ("lt", "le")
_WORD: Final = 31
"""Number of bits of a number that is the same as signed and unsigned."""
_BLOCK_INDEX: Final = "%ctaid."
_INDEPENDENT: Final = ("%tid.x", "%tid.y", "%tid.z", "%ctaid.x", "%ctaid.y", "%ctaid.z")
"""Special registers of which some thread has any combination of attained numbers."""


class AttainedValues:
    """The values that are surely reached in a function.

    With `in_full_blocks`, a comparison of the index of a thread in the grid with a parameter, as in
    `if (index < n)`, is passed by all threads of some block. With `of_any_data`, a mask of a number
    from memory leaves any number that it can leave.
    """

    def __init__(
        self,
        evaluation: Evaluation,
        counters: LoopCounters,
        first_row: FirstRow,
        *,
        in_full_blocks: bool,
        of_any_data: bool = False,
    ) -> None:
        self._parts, self._counters, self._first_row = evaluation, counters, first_row
        self._in_full_blocks, self._of_any_data = in_full_blocks, of_any_data
        self._cut = CutNumbers(evaluation, counters)
        self._launch = LaunchConditions(evaluation.given, evaluation.forms)
        self._shared_loops = SharedLoops(evaluation.given, evaluation.forms, evaluation.ensure)

    def of(self, form: AffineForm, facts: PlaceFacts, block: int) -> Attained:
        """Returns the smallest and largest value of a form that is surely reached at a place.

        A value that is nowhere known to be reached is None.
        """
        limits = self._limits(facts, block)
        if limits is None:
            return NOT_ATTAINED
        parts = {it for it, _ in form.terms} | limits.keys()
        counters = [head for it in parts if (head := self._counter(it)) is not None]
        if len(counters) > len({*counters}):
            return NOT_ATTAINED  # two terms may not be largest in the same iteration
        if counters and self._is_count_limited(counters, facts):
            return NOT_ATTAINED
        if any(self._is_of_row(it) and it.kind is TermKind.DEFINITION for it in parts):
            return self._in_row(form, limits)
        if any(self._term(it, limits) == NOT_ATTAINED for it in limits):
            return NOT_ATTAINED
        return self._of_terms(form, limits)

    def _is_count_limited(self, counters: Iterable[AffineTerm], facts: PlaceFacts) -> bool:
        """Whether a condition on parameters may limit an unknown number of iterations."""
        if all(self._counters.is_exact(each.head) for each in counters):
            return False
        return any(
            self._launch.has_small_limit(held, facts.value)
            for condition in facts.conditions
            for held in condition.facts.comparisons
        )

    def _in_row(self, form: AffineForm, limits: dict[AffineTerm, Span]) -> Attained:
        """Returns what is reached in the first row of the first block.

        The other terms of the form, such as counters, must not depend on the number of a thread.
        """
        if not self._parts.given.is_kernel:
            return NOT_ATTAINED
        inner = [(it, times) for it, times in form.terms if self._is_of_row(it)]
        others = [each for each in form.terms if each not in inner]
        own = {it: span for it, span in limits.items() if self._counter(it) is None}
        sizes = self._parts.given.bounds
        found = self._first_row.attained(AffineForm(form.width, (*inner,), 0), own, sizes)
        if found is None or any(it.kind is TermKind.MERGE for it, _ in others):
            return NOT_ATTAINED
        if any(name in found.others for it, _ in others for name in _specials(it)):
            return NOT_ATTAINED
        kept = {it: span for it, span in limits.items() if it not in own}
        if any(self._term(it, kept) == NOT_ATTAINED for it in kept):
            return NOT_ATTAINED
        rest = self._of_terms(form._replace(terms=(*others,)), limits)
        if rest.low is None or rest.high is None:
            return NOT_ATTAINED
        return Attained(rest.low + min(found.numbers), rest.high + max(found.numbers))

    def _counter(self, term: AffineTerm) -> AffineTerm | None:
        """Returns the loop counter that a term is, or is a part of."""
        return term if term.kind is TermKind.COUNTER else self._cut.counter(term)

    def _is_of_row(self, term: AffineTerm) -> bool:
        """Whether a term is a number that may differ from thread to thread of a row."""
        if term.kind is not TermKind.DEFINITION:
            return term.name in (THREAD, LANE)
        is_data = self._of_any_data and self._cut.of_data(term) is not None
        return not is_data and self._cut.counter(term) is None

    def _of_terms(self, form: AffineForm, limits: dict[AffineTerm, Span]) -> Attained:
        """Returns what is reached by the smallest or largest value of each term."""
        low: int | None = form.offset
        high: int | None = form.offset
        for term, times in form.terms:
            found = self._product(term, form, limits) or self._term(term, limits)
            found = found if found.high is not None else Attained(found.low, found.low)
            ends = (found.low, found.high) if times > 0 else (found.high, found.low)
            low = None if low is None or ends[0] is None else low + ends[0] * times
            high = None if high is None or ends[1] is None else high + ends[1] * times
        specials = [it.name for it, _ in form.terms if it.kind is TermKind.SPECIAL]
        if len(specials) > 1 and not all(each in _INDEPENDENT for each in specials):
            return NOT_ATTAINED
        return Attained(low, high)

    def by_whole_blocks(self, facts: PlaceFacts, block: int) -> bool:
        """Whether all threads of some block surely get to a place."""
        limits = self._limits(facts, block) if self._parts.given.is_kernel else None
        return limits is not None and all(it.kind is TermKind.COUNTER for it in limits)

    def _product(
        self, term: AffineTerm, form: AffineForm, limits: dict[AffineTerm, Span]
    ) -> Attained | None:
        """Returns what a product with the number of a block attains: 0, in the first block.

        None for other terms, and if the place excludes that block, or another term depends on it.
        """
        numbers = [each for each in term.factors if each.name.startswith(_BLOCK_INDEX)]
        if len(numbers) != 1 or numbers[0].kind is not TermKind.SPECIAL or numbers[0] in limits:
            return None
        names = [name for other, _ in form.terms for name in _specials(other)]
        is_alone = names.count(numbers[0].name) == 1 and self._parts.given.is_kernel
        return Attained(0, None) if is_alone else None

    def _term(self, term: AffineTerm, limits: dict[AffineTerm, Span]) -> Attained:
        span = limits.get(term, UNBOUNDED)
        if term.kind is TermKind.SPECIAL:
            return self._number(term, span)
        cut = self._cut.attained(term, limits)
        if cut is None and self._of_any_data:
            cut = self._cut.of_data(term)
        if cut is not None:
            return _limited(cut, span)
        if term.kind is TermKind.COUNTER and self._counters.is_exact(term.head):
            return _limited(Attained(*self._counters.bounds(term.head)), span)
        loop = self._shared_loops.of_counter(term)
        if loop is None or not self._parts.given.is_kernel:
            return NOT_ATTAINED
        threads = limits.get(loop.thread, UNBOUNDED)
        if _limited(Attained(0, loop.last), threads) != Attained(0, loop.last):
            return NOT_ATTAINED
        return _limited(Attained(0, loop.last), span)

    def _number(self, term: AffineTerm, span: Span) -> Attained:
        """Returns the numbers within limits that threads, lanes or blocks surely have."""
        if not self._parts.given.is_kernel:
            return NOT_ATTAINED  # only some threads may call a device function
        found = attained(term.name, self._parts.given.bounds)
        if term.name == LANE and self._parts.given.has_full_warps:
            found = Attained(0, LANES - 1)
        if found.low is None or found.high is not None:
            return _limited(found, span)
        most = self._parts.forms.ranges.term(term).high
        low, high = max(found.low, span.low or 0), span.high
        if high is not None and (most is None or high < most):
            return Attained(low, high) if low <= high else NOT_ATTAINED
        return Attained(low, None)

    def _limits(self, facts: PlaceFacts, block: int) -> dict[AffineTerm, Span] | None:
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


def _specials(term: AffineTerm) -> Iterator[str]:
    """Yields the names of the special registers in a term."""
    if term.kind is TermKind.SPECIAL:
        yield term.name
    for factor in term.factors:
        yield from _specials(factor)


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


def _limited(found: Attained, limits: Span) -> Attained:
    """Returns what is attained within limits: the ends, if both are known to be reached."""
    low, high = found
    if low is None:
        return NOT_ATTAINED
    first = low if limits.low is None else max(low, limits.low)
    if high is None:
        # Only the smallest number is surely reached, and only if it is within the limits.
        is_allowed = first == low and (limits.high is None or low <= limits.high)
        return Attained(low, None) if is_allowed else NOT_ATTAINED
    last = high if limits.high is None else min(high, limits.high)
    return Attained(first, last) if first <= last else NOT_ATTAINED
