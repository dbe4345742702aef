"""Finds induction variables, and how often loops run.

A register that each iteration of a loop changes by the same amount is `start + step * counter`. The
counter is the number of finished iterations. The tests that every iteration makes bound it.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from ptx_ls.source.named_tuple import NamedTuple
from ptx_ls.values.abstract_value import truncated
from ptx_ls.values.affine import (
    AffineForm,
    AffineTerm,
    TermKind,
    added,
    scaled,
    substituted,
    term_form,
)
from ptx_ls.values.affine_values import is_stable
from ptx_ls.values.code_place import CodePlace
from ptx_ls.values.comparisons import predicate_facts
from ptx_ls.values.instruction_forms import MAX_FORM_WIDTH
from ptx_ls.values.loops.trip_counts import LoopTest, passed_tests, until_equal
from ptx_ls.values.spans import Span, is_within
from ptx_ls.values.transfer.comparison import MIRRORED

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

    from ptx_ls.values.affine_values import AffineValues
    from ptx_ls.values.comparisons import HeldComparison
    from ptx_ls.values.function_input import FunctionInput
    from ptx_ls.values.paths import Paths
    from ptx_ls.values.unconditional_values import UnconditionalValues

_NO_LOOP: Final = -1
_COUNTER: Final = "iteration"
_COUNTER_WIDTH: Final = 64
_MAX_NESTING: Final = 4
"""Maximum number of loops whose bounds are found to find that of another one."""
_FROM_ZERO: Final = Span(0, None)


class InductionVariable(NamedTuple):
    """A register at the start of each iteration: a form with the counter of the loop.

    `head`: the first block of the loop. `form`: the value while an iteration has not changed it.
    """

    head: int
    form: AffineForm


class CountedComparison(NamedTuple):
    """A comparison of a number that each iteration of a loop changes by the same amount.

    Attributes:
        operator: `eq`, `ne`, `lt`, `le`, `gt` or `ge`, with that number on its left.
        step: what an iteration adds to it.
        start: what is compared in the first iteration.
        limit: the other side.
        is_mirrored: whether the number is on the right of the comparison in the text.
    """

    operator: str
    step: int
    start: AffineForm
    limit: AffineForm
    is_mirrored: bool


class LoopCounters:
    """The induction variables and the counters of a function's loops."""

    def __init__(
        self,
        given: FunctionInput,
        plain: UnconditionalValues,
        forms: AffineValues,
        paths: Paths,
        ensure: Callable[[Iterable[int]], None],
    ) -> None:
        """`ensure` evaluates definitions."""
        self._given, self._plain, self._forms, self._paths = given, plain, forms, paths
        self._ensure = ensure
        self._variables: dict[tuple[int, ...], InductionVariable] = {}
        self._bounds: dict[int, Span] = {}
        self._is_exact: dict[int, bool] = {}
        self._nesting = 0

    def solve(self, members: Sequence[int]) -> None:
        """Finds the induction variables among definitions that depend on each other."""
        flow, inside = self._given.flow, set(members)
        merges: dict[tuple[int, ...], None] = {}
        for use in members:
            for each in self._given.decoder.of_use(use).uses:
                found = flow.definitions(each)
                if len(found.writes) > 1 and not found.from_entry:
                    merges[found.writes] = None
        solved: dict[tuple[int, ...], AffineForm] = {}
        for writes in merges:
            changed = [each for each in writes if each in inside]
            if len(changed) == 1:
                variable = self._variable(writes, changed[0])
                if variable is not None:
                    self._variables[writes] = variable
                    solved[writes] = variable.form
        if solved:
            self._substitute(members, solved)

    def _substitute(
        self, members: Sequence[int], solved: dict[tuple[int, ...], AffineForm]
    ) -> None:
        """Replaces merged values in the forms of definitions by what they are."""

        def replacement(term: AffineTerm) -> AffineForm | None:
            form = solved.get(term.definitions) if term.kind is TermKind.MERGE else None
            return form if form is not None and not term.is_signed else None

        for use in members:
            form = self._forms.known.get(use)
            if form is not None and any(
                term.definitions in solved and term.width >= form.width for term, _ in form.terms
            ):
                found = substituted(form, replacement)
                self._forms.known[use] = form if found is None else found

    def _variable(self, writes: tuple[int, ...], changed: int) -> InductionVariable | None:
        """Returns the induction variable that an instruction in a loop changes, if it is one."""
        index, forest = self._given.flow.index, self._given.flow.blocks.loop_forest
        block = index.block_of(changed)
        head = forest.innermost(block) if block >= 0 else _NO_LOOP
        if head == _NO_LOOP or head in forest.irreducible or not self._is_in_each(block, head):
            return None
        if index.guard(changed) is not None:
            return None
        others = tuple(each for each in writes if each != changed)
        blocks, outer = forest.blocks(head), forest.around[head]
        around = forest.blocks(outer) if outer != _NO_LOOP else None
        for each in others:
            entered = index.block_of(each)
            if entered in blocks or (around is not None and entered not in around):
                return None
        step = self._step(writes, changed)
        start = self._start(others, head)
        if step is None or start is None:
            return None
        moved = scaled(term_form(start.width, self.counter(head)), step)
        form = None if moved is None else added(start, moved)
        return None if form is None else InductionVariable(head, form)

    def _is_in_each(self, block: int, head: int) -> bool:
        """Whether every iteration of a loop that is followed by another one runs a block."""
        blocks = self._given.flow.blocks
        loop = blocks.loop_forest.blocks(head)
        latches = [each for each in blocks.predecessors[head] if each in loop]
        return all(blocks.dominators.dominates(block, each) for each in latches)

    def _step(self, writes: tuple[int, ...], changed: int) -> int | None:
        """Returns what is added to a merged value in each iteration, if it is a constant."""
        form = self._forms.known.get(changed)
        if form is None or len(form.terms) != 1:
            return None
        ((term, times),) = form.terms
        is_same = term.kind is TermKind.MERGE and term.definitions == writes
        return form.offset if is_same and times == 1 and term.width == form.width else None

    def _start(self, others: tuple[int, ...], head: int) -> AffineForm | None:
        """Returns the value that a loop is entered with, in terms that it does not change."""
        forms = [self._forms.known.get(each) for each in others]
        first = forms[0] if forms else None
        if first is None or first.width > MAX_FORM_WIDTH:
            return None
        if is_stable(first) and all(each == first for each in forms):
            return first
        if len(others) > 1:
            term = self._forms.definition_term(others, first.width)
            is_one_width = all(each is not None and each.width == first.width for each in forms)
            return term_form(first.width, term) if is_one_width and term.is_stable else None
        blocks = self._given.flow.blocks.loop_forest.blocks(head)
        entry = CodePlace(head, self._given.flow.index.firsts[head])
        is_kept = all(
            self._forms.is_kept(term, others[0], entry)
            and blocks.isdisjoint(block for block, _ in self._paths.changes(term))
            for term, _ in first.terms
        )
        return first if is_kept else self._forms.own_form(others[0])

    def form_at(self, use: int, writes: tuple[int, ...]) -> AffineForm | None:
        """Returns the form of an induction variable at a use; None if it is none there."""
        variable = self._variables.get(writes)
        if variable is None:
            return None
        block = self._given.flow.index.block_of(use)
        blocks = self._given.flow.blocks.loop_forest.blocks(variable.head)
        return variable.form if block in blocks else None

    def counter(self, head: int) -> AffineTerm:
        """Returns the term for the number of finished iterations of a loop."""
        label = self._given.flow.label_of(head)
        name = f"{_COUNTER}({label})" if label else _COUNTER
        return AffineTerm(TermKind.COUNTER, name, _COUNTER_WIDTH, head=head, is_stable=False)

    def bounds(self, head: int) -> Span:
        """Returns the range of the counter of a loop."""
        if head not in self._bounds:
            if self._nesting == _MAX_NESTING:
                return _FROM_ZERO
            self._bounds[head] = _FROM_ZERO  # while the tests are evaluated
            self._nesting += 1
            tests = [*self._tests(head)]
            self._nesting -= 1
            bounded = [each.most for each in tests if each.most is not None]
            self._bounds[head] = Span(0, min(bounded, default=None))
            self._is_exact[head] = len(tests) == 1 and tests[0].is_exact
        return self._bounds[head]

    def is_exact(self, head: int) -> bool:
        """Whether the counter of a loop that is entered surely gets to the end of its range."""
        self.bounds(head)
        return self._is_exact.get(head, False) and not self._leaves(head)

    def _leaves(self, head: int) -> bool:
        graph = self._given.flow.graph
        return any(block in graph.leaves for block in graph.loop_forest.blocks(head))

    def _tests(self, head: int) -> Iterable[LoopTest]:
        """Yields a test for each edge that leaves a loop."""
        flow, forest = self._given.flow, self._given.flow.blocks.loop_forest
        loop = forest.blocks(head)
        if head in forest.irreducible:
            return
        for block in sorted(loop):
            following = set(flow.blocks.successors[block])
            if following <= loop:
                continue
            staying = following & loop
            is_always = self._is_in_each(block, head)
            if len(staying) != 1 or not is_always or forest.innermost(block) != head:
                yield LoopTest(None, is_exact=False)
                continue
            fact = flow.edge_fact(block, *staying)
            yield LoopTest(None, is_exact=False) if fact is None else self._test(head, block, fact)

    def _test(self, head: int, block: int, fact: tuple[int, bool]) -> LoopTest:
        """Returns how often a loop runs, given what holds when a block continues it."""
        code, value = fact
        guard = self._given.guard_at_end(block, code)
        if guard is None:
            return LoopTest(None, is_exact=False)
        facts = predicate_facts(self._given, guard, value=value)
        most: int | None = None
        is_exact = False
        for held in facts.comparisons:
            if self._given.flow.blocks.loop_forest.innermost(held.instruction.block) != head:
                continue
            found = self._passed(held, head)
            if found.most is not None and (most is None or found.most < most):
                most, is_exact = found
        return LoopTest(most, is_exact and facts.is_exact and len(facts.comparisons) == 1)

    def _passed(self, held: HeldComparison, head: int) -> LoopTest:
        """Returns after how many iterations a comparison fails, at most."""
        counted = self.counted(held, head)
        if counted is None:
            return LoopTest(None, is_exact=False)
        operator, step, start, right = counted.operator, counted.step, counted.start, counted.limit
        if operator == "ne":
            difference = added(right, start, -1)
            if difference is not None and not difference.terms:
                return until_equal(difference.offset, step, held.width)
        limit = self._forms.ranges.form(right)
        if not is_within(limit, held.width, is_signed=held.is_signed):
            limit = self._plain_span(held, is_left=counted.is_mirrored)
        limits = self._forms.ranges.form(start), limit
        return passed_tests(operator, step, limits, held.width, is_signed=held.is_signed)

    def counted(self, held: HeldComparison, head: int) -> CountedComparison | None:
        """Returns a comparison by what a loop changes in it; None if that is neither or both."""
        forms = self._forms
        self._ensure(self._given.definitions_of(held.instruction))
        operands = held.left, held.right
        left, right = (forms.operand(held.instruction, it, held.width) for it in operands)
        if left is None or right is None:
            return None
        operator, is_mirrored = held.operator, not _steps(left, head)
        if is_mirrored:
            left, right, operator = right, left, MIRRORED[operator]
        step = _steps(left, head)
        if not step or _steps(right, head):
            return None
        rest = tuple(each for each in left.terms if each[0].head != head)
        start = AffineForm(left.width, rest, left.offset)
        return CountedComparison(operator, step, start, right, is_mirrored)

    def first(self, form: AffineForm, block: int) -> int | None:
        """Returns what a form is when a block first runs, if only loops around it change it."""
        for term, _ in form.terms:
            if term.kind is not TermKind.COUNTER or not self._is_in_each(block, term.head):
                return None
        return form.offset

    def span(self, form: AffineForm) -> Span:
        """Returns the range of a form."""
        return self._forms.ranges.form(form)

    def _plain_span(self, held: HeldComparison, *, is_left: bool) -> Span:
        """Returns the range of a side of a comparison without regard to its form."""
        operand = held.left if is_left else held.right
        value = self._plain.operand(held.instruction, operand, held.width, self._plain.read)
        value = truncated(value, held.width)
        if held.is_signed:
            return Span(value.signed_low, value.signed_high)
        return Span(value.low, value.high)


def _steps(form: AffineForm, head: int) -> int:
    """Returns what an iteration of a loop adds to a form."""
    counted = [
        times for term, times in form.terms if term.kind is TermKind.COUNTER and term.head == head
    ]
    return counted[0] if counted else 0
