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
from ptx_ls.values.reached.place_limits import PlaceLimits
from ptx_ls.values.spans import UNBOUNDED, Span
from ptx_ls.values.special_registers import NOT_ATTAINED, Attained, attained

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from ptx_ls.values.affine import AffineTerm
    from ptx_ls.values.first_row import FirstRow
    from ptx_ls.values.loops.counters import LoopCounters
    from ptx_ls.values.place_facts import Evaluation, PlaceFacts

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
        self._of_any_data = of_any_data
        self._cut = CutNumbers(evaluation, counters)
        self._launch = LaunchConditions(evaluation.given, evaluation.forms)
        self._shared_loops = SharedLoops(evaluation.given, evaluation.forms, evaluation.ensure)
        self._place_limits = PlaceLimits(
            evaluation, counters, self._launch, self._shared_loops, in_full_blocks=in_full_blocks
        )

    def of(self, form: AffineForm, facts: PlaceFacts, block: int) -> Attained:
        """Returns the smallest and largest value of a form that is surely reached at a place.

        A value that is nowhere known to be reached is None.
        """
        limits = self._place_limits.at(facts, block)
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
        limits = self._place_limits.at(facts, block) if self._parts.given.is_kernel else None
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


def _specials(term: AffineTerm) -> Iterator[str]:
    """Yields the names of the special registers in a term."""
    if term.kind is TermKind.SPECIAL:
        yield term.name
    for factor in term.factors:
        yield from _specials(factor)


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
