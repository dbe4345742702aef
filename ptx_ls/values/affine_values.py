"""Finds the affine forms of what instructions write.

A value that is not a sum of multiples of others is a term of its own.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, Protocol
from weakref import proxy

from ptx_ls.values.affine import (
    AffineForm,
    AffineTerm,
    TermKind,
    term_form,
)
from ptx_ls.values.code_place import ENTRY, CodePlace
from ptx_ls.values.instruction_forms import MAX_FORM_WIDTH, MIN_FORM_WIDTH, InstructionForms

if TYPE_CHECKING:
    from collections.abc import Sequence

    from ptx_ls.syntax.operands import OperandSyntax
    from ptx_ls.values.decoding import DecodedInstruction
    from ptx_ls.values.function_input import FunctionInput
    from ptx_ls.values.paths import Paths
    from ptx_ls.values.slices import Component
    from ptx_ls.values.term_ranges import TermRanges
    from ptx_ls.values.unconditional_values import UnconditionalValues

_NO_LOOP: Final = -1
_MAX_DEPTH: Final = 24
"""Maximum number of instructions of a cycle that are followed from one to the next."""


class InductionSource(Protocol):
    """Finds induction variables."""

    def solve(self, members: Sequence[int]) -> None:
        """Finds the induction variables among definitions that depend on each other."""

    def form_at(self, use: int, writes: tuple[int, ...]) -> AffineForm | None:
        """Returns the form of an induction variable at a use; None if it is none there."""


class AffineValues:
    """The affine form of each definition; see `evaluate`.

    Attributes:
        known: the forms of the definitions that were evaluated.
        ranges: the ranges of terms and forms.
        counters: the counters of loops.

    Whoever sets `ranges` and `counters` keeps these objects; here, they may be weak references.
    An unstable term in a form means the value that it has when the instruction runs.
    """

    def __init__(self, given: FunctionInput, plain: UnconditionalValues, paths: Paths) -> None:
        self._given, self._plain, self._paths = given, plain, paths
        self.known: dict[int, AffineForm | None] = {}
        self._waiting: set[int] = set()
        self._depth = 0
        self.ranges: TermRanges
        self.counters: InductionSource
        self._instructions = InstructionForms(given, plain, proxy(self))

    def evaluate(self, component: Component) -> None:
        """Finds the forms of definitions, given those of all that they depend on."""
        if component.is_cut:
            (use,) = component.members
            self.known[use] = self.own_form(use)
            return
        outer, self._waiting = self._waiting, set(component.members)
        for use in component.members:
            self._evaluate(use)
        self._waiting = outer
        if component.is_cyclic:
            self.counters.solve(component.members)

    def _evaluate(self, use: int) -> AffineForm | None:
        if use not in self._waiting:
            return self.known.get(use)
        self._waiting.discard(use)
        self._depth += 1
        found = self._instructions.form(use) if self._depth < _MAX_DEPTH else None
        self._depth -= 1
        self.known[use] = self.own_form(use) if found is None else found
        return self.known[use]

    def own_form(self, use: int) -> AffineForm | None:
        """Returns the form of a value that is a term of its own."""
        width = self._given.decoder.width(use)
        if not MIN_FORM_WIDTH <= width <= MAX_FORM_WIDTH:
            return None
        return term_form(width, self.definition_term((use,), width))

    def definition_term(self, definitions: tuple[int, ...], width: int) -> AffineTerm:
        """Returns the term for what one of some definitions writes."""
        flow = self._given.flow
        name = flow.name_of(next(each for each in reversed(definitions) if each != ENTRY))
        kind = TermKind.MERGE if len(definitions) > 1 else TermKind.DEFINITION
        is_stable = all(self.is_outside_loops(each) for each in definitions if each != ENTRY)
        return AffineTerm(kind, name, width, definitions=definitions, is_stable=is_stable)

    def is_outside_loops(self, use: int) -> bool:
        """Whether an instruction runs at most once in each execution of the function."""
        flow = self._given.flow
        block = flow.index.block_of(use)
        return block >= 0 and flow.blocks.loop_forest.innermost(block) == _NO_LOOP

    def read(self, use: int) -> AffineForm | None:
        """Returns the form of the register at a use that reads it."""
        width = self._given.decoder.width(use)
        if not MIN_FORM_WIDTH <= width <= MAX_FORM_WIDTH:
            return None
        writes, from_entry, _ = self._given.flow.definitions(use)
        if len(writes) == 1 and not from_entry:
            return self._current(writes[0], use)
        counted = self.counters.form_at(use, writes) if not from_entry else None
        if counted is not None:
            return counted
        if not writes:
            return self._parameter_register(use, width)
        if not from_entry and self._waiting.isdisjoint(writes):
            forms = {self.known.get(each) for each in writes}
            first = self.known.get(writes[0])
            if len(forms) == 1 and first is not None and is_stable(first):
                return first
        definitions = (ENTRY, *writes) if from_entry else writes
        return term_form(width, self.definition_term(definitions, width))

    def operand(
        self, instruction: DecodedInstruction, operand: OperandSyntax, width: int
    ) -> AffineForm | None:
        """Returns the form of an operand that is read with a type of a width."""
        return self._instructions.operands.of(instruction, operand, width)

    def _current(self, definition: int, use: int) -> AffineForm | None:
        """Returns the form of a definition, in terms that still have the same values at a use."""
        form = self._evaluate(definition)
        if form is None or is_stable(form):
            return form
        index = self._given.flow.index
        place = CodePlace(index.block_of(use), index.first(use))
        if all(self.is_kept(term, definition, place) for term, _ in form.terms):
            return form
        return self.own_form(definition)

    def is_kept(self, term: AffineTerm, definition: int, place: CodePlace) -> bool:
        """Whether a term of a definition's form has the same value at a later place.

        If the definition is one of those that the term merges, it replaces the value.
        """
        is_replaced = _is_merged(definition, term)
        return not is_replaced and self._paths.is_same(term, definition, None, place)

    def _parameter_register(self, use: int, width: int) -> AffineForm | None:
        flow = self._given.flow
        if flow.uses.codes[use] not in flow.registers.parameters:
            return None
        return term_form(width, AffineTerm(TermKind.PARAMETER, flow.name_of(use), width))


def _is_merged(definition: int, term: AffineTerm) -> bool:
    """Whether a definition is one of those that a term, or one of its factors, merges."""
    is_own = term.kind is TermKind.MERGE and definition in term.definitions
    return is_own or any(_is_merged(definition, each) for each in term.factors)


def is_stable(form: AffineForm) -> bool:
    """Whether a form means the same value everywhere in one execution of the function."""
    return all(term.is_stable for term, _ in form.terms)
