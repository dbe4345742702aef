"""Facts about values from the conditions at a place: branches on all paths to it, and its guard."""

from __future__ import annotations

from copy import copy
from typing import TYPE_CHECKING, Final

from ptx_ls.source.named_tuple import NamedTuple
from ptx_ls.syntax.register_events import GUARDS, NEGATED, READS
from ptx_ls.values.abstract_value import (
    AbstractValue,
    shifted_by,
    truncated,
    unknown,
)
from ptx_ls.values.affine import AffineForm, AffineTerm, TermKind, Terms
from ptx_ls.values.code_place import CodePlace
from ptx_ls.values.comparisons import NO_FACTS, predicate_facts
from ptx_ls.values.known_bits import MAX_WIDTH
from ptx_ls.values.spans import UNBOUNDED, Span, as_value, is_within, product_of, reading
from ptx_ls.values.transfer.comparison import MIRRORED, satisfying

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

    from ptx_ls.syntax.operands import OperandSyntax
    from ptx_ls.values.affine_values import AffineValues
    from ptx_ls.values.comparisons import HeldComparison, PredicateFacts
    from ptx_ls.values.decoding import DecodedInstruction
    from ptx_ls.values.function_input import FunctionInput
    from ptx_ls.values.paths import BranchEdge, Paths
    from ptx_ls.values.unconditional_values import UnconditionalValues

_MAX_NESTED: Final = 3
"""Maximum number of instructions whose results are computed again with what holds at a place."""

_MAX_RESULTS: Final = 32
"""Maximum number of results that are computed again for one place."""


class Condition(NamedTuple):
    """A condition that holds at a place because a predicate has a value.

    `edge`: the branch that decides it, or None for a guard. `facts`: what follows from it.
    """

    edge: BranchEdge | None
    facts: PredicateFacts


class Evaluation(NamedTuple):
    """The parts of the evaluation of a function that conditions need.

    `ensure` evaluates definitions. `compared`: the sides of comparisons, by their places.
    `conditions`: those of edges.
    """

    given: FunctionInput
    plain: UnconditionalValues
    forms: AffineValues
    paths: Paths
    ensure: Callable[[Iterable[int]], None]
    compared: dict[tuple[int, int], tuple[Side, Side]]
    conditions: dict[BranchEdge, Condition]


class Side(NamedTuple):
    """One side of a comparison: its form, and what is known of it without conditions."""

    form: AffineForm | None
    value: AbstractValue


class PlaceFacts:
    """Facts about forms and terms from the conditions at a place.

    Attributes:
        place: the place.
        conditions: the conditions, outermost first.
        is_of_block: whether the same holds everywhere in the block, except for the guard.
    """

    def __init__(self, evaluation: Evaluation, place: CodePlace, guard: int | None) -> None:
        self._parts, self.place = evaluation, place
        self.is_of_block = True
        self.conditions = [*self._conditions(guard)]
        self._values: dict[tuple[int, Terms], tuple[int, AbstractValue]] = {}
        self._sums: dict[Terms, Span] = {}
        self._terms: dict[AffineTerm, Span] = {}
        self._read: dict[int, AbstractValue] = {}
        self._depth, self._n_left = 0, _MAX_RESULTS
        self._depends: dict[tuple[int, int], bool] = {}
        self._restricted: set[AffineTerm] = set()
        for condition in self.conditions:
            for held in condition.facts.comparisons:
                self._add(held, condition.edge)

    def at(self, place: CodePlace) -> PlaceFacts:
        """Returns the same facts at another place of the block."""
        if place == self.place:
            return self
        moved = copy(self)
        moved.place, moved._read, moved._terms = place, {}, {}  # noqa: SLF001  a new object
        moved._n_left = _MAX_RESULTS  # noqa: SLF001
        return moved

    def _conditions(self, guard: int | None) -> Iterator[Condition]:
        given = self._parts.given
        for edge in self._parts.paths.edges_before(self.place.block):
            condition = self._parts.conditions.get(edge)
            if condition is None:
                use = given.guard_at_end(edge.block, edge.code)
                facts = NO_FACTS if use is None else predicate_facts(given, use, value=edge.value)
                condition = self._parts.conditions[edge] = Condition(edge, facts)
            yield condition
        if guard is not None and given.flow.uses.ways[guard] & GUARDS:
            is_negated = bool(given.flow.uses.ways[guard] & NEGATED)
            yield Condition(None, predicate_facts(given, guard, value=not is_negated))

    def _add(self, held: HeldComparison, edge: BranchEdge | None) -> None:
        """Adds what a comparison says about both of its sides."""
        width, sides = held.width, self._sides(held)
        if any(each.value.width != width for each in sides):
            return
        known = [
            each.form is not None and self.is_same(each.form, held.instruction, edge)
            for each in sides
        ]
        values = [
            side.value.meet(self.value(side.form)) if is_known and side.form else side.value
            for side, is_known in zip(sides, known, strict=True)
        ]
        for number, operator in ((0, held.operator), (1, MIRRORED[held.operator])):
            form = sides[number].form
            if form is not None and known[number] and form.terms:
                value, other = values[number], values[1 - number]
                found = satisfying(operator, value, other, is_signed=held.is_signed)
                if found[:7] != value[:7]:
                    self._store(form, found)

    def _sides(self, held: HeldComparison) -> tuple[Side, Side]:
        """Returns the sides of a comparison."""
        compared, place = self._parts.compared, held.instruction.found.start
        if place not in compared:
            self._parts.ensure(self._parts.given.definitions_of(held.instruction))
            compared[place] = self._side(held, held.left), self._side(held, held.right)
        return compared[place]

    def _side(self, held: HeldComparison, operand: OperandSyntax) -> Side:
        parts, width = self._parts, held.width
        form = parts.forms.operand(held.instruction, operand, width)
        value = truncated(
            parts.plain.operand(held.instruction, operand, width, parts.plain.read), width
        )
        if form is not None and value.width == width:
            value = value.meet(as_value(parts.forms.ranges.form(form), width))
        return Side(form, value)

    def is_same(
        self, form: AffineForm, instruction: DecodedInstruction, edge: BranchEdge | None
    ) -> bool:
        """Whether a form means the same at the place as at an instruction before it."""
        paths, block = self._parts.paths, self.place.block
        since = instruction.uses.start
        for term, _ in form.terms:
            if not term.is_stable:
                if any(changed == block for changed, _ in paths.changes(term)):
                    self.is_of_block = False
                if not paths.is_same(term, since, edge, self.place):
                    return False
        return True

    def _store(self, form: AffineForm, value: AbstractValue) -> None:
        self._terms.clear()
        self._depends.clear()
        self._values[form.width, form.terms] = form.offset, value._replace(affine=None)
        for term, _ in form.terms:
            self._restricted.add(term._replace(is_signed=False))
        span = self._parts.forms.ranges.form(form, self.term)
        for is_signed in (False, True):
            if is_within(span, form.width, is_signed=is_signed):
                low, high = (
                    (value.signed_low, value.signed_high) if is_signed else (value.low, value.high)
                )
                known = self._sums.get(form.terms, UNBOUNDED)
                moved = Span(low - form.offset, high - form.offset)
                self._sums[form.terms] = known.meet(moved)

    @property
    def is_empty(self) -> bool:
        """Whether nothing follows from the conditions."""
        return not self._values

    def value(self, form: AffineForm) -> AbstractValue:
        """Returns what is known of a form at the place."""
        found = as_value(self.span(form), form.width)
        known = self._values.get((form.width, form.terms))
        if known is not None:
            found = found.meet(shifted_by(known[1], form.offset - known[0]))
        return found

    def span(self, form: AffineForm) -> Span:
        """Returns the range of a form at the place, as a sum of whole numbers."""
        found = self._parts.forms.ranges.form(form, self.term)
        for terms, span in self._sums.items():
            times = _multiple(form.terms, terms)
            if times:
                found = found.meet(span.times(times).plus(Span(form.offset, form.offset)))
        return found

    def term(self, term: AffineTerm) -> Span:
        """Returns the range of a term at the place."""
        found = self._terms.get(term)
        if found is None:
            found = self._parts.forms.ranges.term(term)
            if self._values:
                found = self._restrict(term, found)
            self._terms[term] = found
        return found

    def _restrict(self, term: AffineTerm, found: Span) -> Span:
        """Returns the range of a term with what the conditions say about it."""
        if term.kind is TermKind.PRODUCT:
            found = found.meet(product_of(*map(self.term, term.factors)))
        found = found.meet(self._sums.get(((term, 1),), UNBOUNDED))
        known = self._values.get((term.width, ((term._replace(is_signed=False), 1),)))
        if known is not None and known[0] == 0:
            found = found.meet(reading(known[1], term))
        if term.kind is TermKind.DEFINITION and self._is_restricted(
            term.definitions[0], _MAX_NESTED
        ):
            found = found.meet(self._definition_span(term))
        return found

    def _definition_span(self, term: AffineTerm) -> Span:
        """Returns the range of a definition whose operands are restricted at the place."""
        (use,) = term.definitions
        if not self._is_restricted(use, _MAX_NESTED):
            return UNBOUNDED
        if not self._parts.paths.is_same(term, use, None, self.place):
            return UNBOUNDED
        if self._depth == _MAX_NESTED or not self._n_left:
            return UNBOUNDED
        self._depth += 1
        value = self._restricted_result(use, term)
        self._depth -= 1
        return reading(value, term) if value.width == term.width else UNBOUNDED

    def _restricted_result(self, use: int, term: AffineTerm) -> AbstractValue:
        """Returns what an instruction computes from operands that are restricted at the place."""
        value, form = self._result(use, _MAX_NESTED), self._parts.forms.known.get(use)
        if value.width != term.width:
            return value
        if form is not None and form.terms != ((term._replace(is_signed=False), 1),):
            instruction = self._parts.given.decoder.of_use(use)
            if self.is_same(form, instruction, None):
                value = value.meet(self.value(form))
        return value

    def _is_restricted(self, definition: int, depth: int) -> bool:
        """Whether the conditions say something about a value that a definition depends on."""
        if not depth or definition in self._parts.plain.cyclic:
            return False
        key = definition, depth
        if key not in self._depends:
            self._depends[key] = self._find_restricted(definition, depth)
        return self._depends[key]

    def _find_restricted(self, definition: int, depth: int) -> bool:
        flow = self._parts.given.flow
        for use in self._parts.given.decoder.of_use(definition).uses:
            if flow.uses.ways[use] & READS:
                form = self._parts.forms.read(use)
                if form is not None and any(
                    self._mentions(term, depth - 1) for term, _ in form.terms
                ):
                    return True
        return False

    def _mentions(self, term: AffineTerm, depth: int) -> bool:
        if term._replace(is_signed=False) in self._restricted:
            return True
        if any(self._mentions(each, depth) for each in term.factors):
            return True
        return term.kind is TermKind.DEFINITION and self._is_restricted(term.definitions[0], depth)

    def read(self, use: int) -> AbstractValue:
        """Returns what is known of the register that the instruction at the place reads."""
        return self._refined(use, _MAX_NESTED)

    def _refined(self, use: int, depth: int) -> AbstractValue:
        """Returns what is known at the place of a register that an instruction before it reads."""
        if use not in self._read:
            plain = self._read[use] = self._parts.plain.read(use)  # in case it depends on itself
            self._read[use] = self._find(use, plain, depth)
        return self._read[use]

    def _find(self, use: int, value: AbstractValue, depth: int) -> AbstractValue:
        parts = self._parts
        form = parts.forms.read(use)
        if form is not None and form.width == value.width:
            instruction = parts.given.decoder.of_use(use)
            is_here = instruction.uses.start == self.place.use
            if is_here or self.is_same(form, instruction, None):
                value = value.meet(self.value(form))
        if depth and value.constant is None:
            definition = parts.given.flow.definition(use)
            if definition is not None and self._is_restricted(definition, depth):
                value = value.meet(self._result(definition, depth))
        return value

    def _result(self, definition: int, depth: int) -> AbstractValue:
        plain = self._parts.plain.known.get(definition)
        if plain is None:
            return unknown(self._parts.given.decoder.width(definition) or MAX_WIDTH)
        if not depth or not self._n_left or definition in self._parts.plain.cyclic:
            return plain
        self._n_left -= 1
        return plain.meet(
            self._parts.plain.result(definition, lambda use: self._refined(use, depth - 1))
        )


def _multiple(terms: Terms, other: Terms) -> int:
    """Returns by what whole number terms are multiples of others; 0 if they are not."""
    if len(terms) != len(other) or not terms:
        return 0
    times, rest = divmod(terms[0][1], other[0][1])
    if rest or any(
        term != same or each != times * own
        for (term, each), (same, own) in zip(terms, other, strict=True)
    ):
        return 0
    return times
