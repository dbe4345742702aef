"""Answers what is known of the values in a function's registers, on demand."""

from __future__ import annotations

from functools import cached_property, lru_cache
from typing import TYPE_CHECKING, Final
from weakref import proxy

from ptx_ls.flow.function_flow import function_flow
from ptx_ls.semantics.symbols.region_text import MAX_RECENT_FUNCTIONS
from ptx_ls.syntax.operands import OperandForm
from ptx_ls.syntax.register_events import GUARDS, NEGATED
from ptx_ls.values import abstract_value
from ptx_ls.values.abstract_value import AbstractValue, constant, unknown
from ptx_ls.values.affine import TermKind, form_of
from ptx_ls.values.affine_values import AffineValues
from ptx_ls.values.attained import AttainedValues
from ptx_ls.values.code_place import CodePlace
from ptx_ls.values.first_row import FirstRow
from ptx_ls.values.function_input import FunctionInput
from ptx_ls.values.known_bits import MAX_WIDTH
from ptx_ls.values.loops.counters import LoopCounters
from ptx_ls.values.loops.wrong_tests import WrongLoopTest, wrong_loop_test
from ptx_ls.values.paths import Paths
from ptx_ls.values.place_facts import Condition, Evaluation, PlaceFacts
from ptx_ls.values.slices import components
from ptx_ls.values.spans import as_value
from ptx_ls.values.special_registers import NOT_ATTAINED, Attained
from ptx_ls.values.taken_graph import taken_graph
from ptx_ls.values.term_ranges import TermRanges
from ptx_ls.values.transfer.number_types import INTEGER_TYPES
from ptx_ls.values.transfer.operations import operation_of, predicate
from ptx_ls.values.unconditional_values import UnconditionalValues

if TYPE_CHECKING:
    from collections.abc import Iterable

    from ptx_ls.document.function import Function
    from ptx_ls.flow.function_flow import FunctionFlow
    from ptx_ls.flow.graph import FlowGraph
    from ptx_ls.semantics.symbols.module import ModuleFacts
    from ptx_ls.semantics.symbols.region_text import Found
    from ptx_ls.syntax.operands import OperandSyntax
    from ptx_ls.values.affine import AffineForm, AffineTerm
    from ptx_ls.values.decoding import DecodedInstruction

_LANES: Final = 32
_ADDRESS_WIDTH: Final = 64
_MAX_CONDITIONAL_LINES: Final = 2_000
"""Number of lines of a function in which conditions restrict what a register may hold.

In a longer one, it takes too long to find the conditions of each place.
"""


class FunctionValues:
    """Known facts about the values in a function.

    Each answer is true in every execution. Nothing is known of a function that cannot be read.

    The parts that ask each other refer back to one another weakly, so that they are freed with this
    object: no garbage is collected while a large document is checked.
    """

    def __init__(self, flow: FunctionFlow, module: ModuleFacts) -> None:
        self.flow = flow
        self._given = FunctionInput(flow, module)
        self._is_readable = not any(read.problems for read in flow.text.distinct)
        self._has_conditions = len(flow.text.records) <= _MAX_CONDITIONAL_LINES
        self._plain, self._paths = UnconditionalValues(self._given), Paths(flow)
        self._forms = AffineValues(self._given, self._plain, self._paths)
        own: FunctionValues = proxy(self)

        def ensure(definitions: Iterable[int]) -> None:
            own._ensure(definitions)

        self._counters = LoopCounters(self._given, self._plain, self._forms, self._paths, ensure)
        self._ranges = TermRanges(self._given, self._plain, self._counters.bounds)
        self._forms.counters, self._forms.ranges = proxy(self._counters), proxy(self._ranges)
        self._places: dict[tuple[int, int], PlaceFacts] = {}
        self._evaluation = Evaluation(
            self._given, self._plain, self._forms, self._paths, ensure, {}, {}
        )
        self._first_row = FirstRow(self._given, self._forms, ensure)
        parts = self._evaluation, self._counters, self._first_row
        self._attained = {
            each: AttainedValues(*parts, in_full_blocks=each) for each in (False, True)
        }
        self._assumed = AttainedValues(*parts, in_full_blocks=True, of_any_data=True)

    @property
    def given(self) -> FunctionInput:
        """The function with its decoded instructions."""
        return self._given

    @cached_property
    def graph(self) -> FlowGraph:
        """Its flow graph without the edges that no execution takes."""
        return taken_graph(self._given, self.read) if self._is_readable else self.flow.graph

    @property
    def is_readable(self) -> bool:
        """Whether all statements of the function can be read."""
        return self._is_readable

    def _ensure(self, definitions: Iterable[int]) -> None:
        """Evaluates definitions and all that they depend on."""
        for component in components(definitions, self._plain.sources, self._plain.known):
            self._plain.evaluate(component)
            self._forms.evaluate(component)
            for use in component.members:
                self._improve(use)

    def _improve(self, use: int) -> None:
        """Restricts a value to the range of its form."""
        form, value = self._forms.known.get(use), self._plain.known[use]
        if form is not None and form.width == value.width:
            self._plain.known[use] = value.meet(as_value(self._ranges.form(form), form.width))

    def read(self, use: int) -> AbstractValue:
        """Returns the value of the register at a use that reads it."""
        width = self._given.decoder.width(use) or MAX_WIDTH
        if not self._is_readable:
            return unknown(width)
        self._ensure(self.flow.definitions(use).writes)
        form = self._forms.read(use)
        value = self._plain.read(use)
        if form is not None:
            value = value.meet(as_value(self._ranges.form(form), form.width))
        if self._has_conditions and (form is None or form.terms):
            facts = self._facts(self._given.decoder.of_use(use), is_guard=self._is_guard(use))
            if not facts.is_empty:
                value = value.meet(facts.read(use))
        return value._replace(affine=form)

    def _is_guard(self, use: int) -> bool:
        return bool(self.flow.uses.ways[use] & GUARDS)

    def _facts(self, instruction: DecodedInstruction, *, is_guard: bool = False) -> PlaceFacts:
        """Returns what the conditions of an instruction say; those before its guard for a guard."""
        uses = instruction.uses
        first = uses.start if uses else self._given.decoder.use_after(instruction.found)
        place = CodePlace(instruction.block, first)
        guard = uses.start if uses and self._is_guard(uses.start) and not is_guard else None
        key = instruction.block, -1 if guard is None else guard
        found = self._places.get(key)
        if found is None or not (found.is_of_block or place == found.place):
            found = self._places[key] = PlaceFacts(self._evaluation, place, guard)
        return found.at(place)

    def written(self, use: int) -> AbstractValue:
        """Returns the value that a use writes."""
        if not self._is_readable:
            return unknown(self._given.decoder.width(use) or MAX_WIDTH)
        self._ensure([use])
        return self._plain.known[use]._replace(affine=self._forms.known.get(use))

    def operand(self, found: Found, number: int) -> AbstractValue:
        """Returns the value of an operand of a statement that is read, by its number from 0."""
        instruction = self._given.decoder.of_statement(found)
        if number >= len(instruction.operands):
            return unknown(MAX_WIDTH)
        width = _width_of_operand(instruction, number)
        return self._operand(instruction, instruction.operands[number], width)

    def element(self, found: Found, number: int, element: int) -> AbstractValue:
        """Returns the value of an element of a vector operand, or of a part of an address."""
        instruction = self._given.decoder.of_statement(found)
        operands = instruction.operands
        if number >= len(operands) or element >= len(operands[number].elements):
            return unknown(MAX_WIDTH)
        width = _width_of_operand(instruction, number)
        return self._operand(instruction, operands[number].elements[element], width)

    def address(self, found: Found, number: int) -> AbstractValue:
        """Returns the number in brackets in an operand of a statement, as in `[%rd1+8]`."""
        instruction = self._given.decoder.of_statement(found)
        operands = instruction.operands
        is_address = number < len(operands) and operands[number].form is OperandForm.ADDRESS
        if not is_address or not operands[number].elements:
            return unknown(_ADDRESS_WIDTH)
        return self._operand(instruction, operands[number].elements[0], _ADDRESS_WIDTH)

    def address_form(self, found: Found, number: int) -> AffineForm | None:
        """Returns the form of the number in brackets, which takes less time than `address`."""
        instruction = self._given.decoder.of_statement(found)
        operands = instruction.operands
        is_address = number < len(operands) and operands[number].form is OperandForm.ADDRESS
        if not is_address or not operands[number].elements or not self._is_readable:
            return None
        operand = operands[number].elements[0]
        sum_ = self._given.register_and_offset(instruction, operand)
        if sum_ is None:
            return self._forms.operand(instruction, operand, _ADDRESS_WIDTH)
        use, offset = sum_
        form = self.form(use)
        return None if form is None else form_of(form.width, form.terms, form.offset + offset)

    def form(self, use: int) -> AffineForm | None:
        """Returns the form of the register at a use that reads it."""
        if not self._is_readable:
            return None
        self._ensure(self.flow.definitions(use).writes)
        return self._forms.read(use)

    def definition_form(self, use: int) -> AffineForm | None:
        """Returns the form of what a use writes."""
        if not self._is_readable:
            return None
        self._ensure([use])
        return self._forms.known.get(use)

    def source_form(
        self, instruction: DecodedInstruction, operand: OperandSyntax, width: int
    ) -> AffineForm | None:
        """Returns the form of an operand that an instruction reads with a type of a width."""
        if not self._is_readable:
            return None
        self._ensure(self._given.definitions_of(instruction))
        return self._forms.operand(instruction, operand, width)

    def conditions(self, found: Found) -> tuple[Condition, ...]:
        """Returns what the branches before a statement and its guard need, outermost first."""
        return tuple(self._facts(self._given.decoder.of_statement(found)).conditions)

    def register(self, found: Found, name: str) -> AbstractValue | None:
        """Returns the value of a register that a statement reads, by its name."""
        instruction = self._given.decoder.of_statement(found)
        use = self._given.decoder.reading_use(instruction, name)
        return None if use is None else self.read(use)

    def guard(self, found: Found) -> AbstractValue:
        """Returns whether the guard of a statement lets it run, as one bit."""
        uses = self._given.decoder.of_statement(found).uses
        if not uses or not self.flow.uses.ways[uses.start] & GUARDS:
            return constant(1, 1)
        is_negated = bool(self.flow.uses.ways[uses.start] & NEGATED)
        return predicate(self.read(uses.start), is_negated=is_negated)

    def _operand(
        self, instruction: DecodedInstruction, operand: OperandSyntax, width: int
    ) -> AbstractValue:
        if not self._is_readable:
            return unknown(width)
        sum_ = self._given.register_and_offset(instruction, operand)
        if sum_ is not None:
            use, offset = sum_
            return self._moved(self.read(use), offset)
        value = self._plain.operand(instruction, operand, width, self.read)
        if value.affine is None:
            value = value._replace(affine=self._forms.operand(instruction, operand, value.width))
        return value

    def _moved(self, value: AbstractValue, offset: int) -> AbstractValue:
        """Returns the sum of the value of a register and a constant."""
        if not offset:
            return value
        moved = abstract_value.shifted_by(value, offset)
        form = value.affine
        return moved._replace(affine=form and form_of(form.width, form.terms, form.offset + offset))

    def bounds(self, form: AffineForm, found: Found) -> AbstractValue:
        """Returns what is known of a form, or of a part of one, at a statement."""
        if not self._is_readable:
            return unknown(form.width)
        value = self._facts(self._given.decoder.of_statement(found)).value(form)
        return value._replace(affine=form)

    def attained(self, form: AffineForm, found: Found, *, in_full_blocks: bool = False) -> Attained:
        """Returns the smallest and largest value of a form that a statement surely gets to see.

        The form is a sum of whole numbers, such as the index of an address. With `in_full_blocks`,
        parameters are assumed to be so large that some block passes `if (index < n)` as a whole,
        where `index` is that of a thread in the grid.
        """
        if not self._is_readable:
            return NOT_ATTAINED
        instruction = self._given.decoder.of_statement(found)
        attained = self._attained[in_full_blocks]
        return attained.of(form, self._facts(instruction), instruction.block)

    def assumed(self, form: AffineForm, found: Found) -> Attained:
        """Returns the same in full blocks if a mask of data is needed, as in `data & 15`."""
        if not self._is_readable:
            return NOT_ATTAINED
        instruction = self._given.decoder.of_statement(found)
        return self._assumed.of(form, self._facts(instruction), instruction.block)

    def wrong_loop_test(self, head: int) -> WrongLoopTest | None:
        """Returns the only test of a loop, given by its first block, if it is a mistake."""
        if not self._is_readable:
            return None
        found = wrong_loop_test(self._given, self._counters, self._paths, self.source_form, head)
        return found if found is not None and self.may_run(head) else None

    def may_run(self, block: int) -> bool:
        """Whether no condition on all paths to a block is known to fail."""
        for edge in self._paths.edges_before(block):
            use = self._given.guard_at_end(edge.block, edge.code)
            known = None if use is None else self.read(use).constant
            if known is not None and bool(known) is not edge.value:
                return False
        return True

    def first(self, form: AffineForm, found: Found) -> int | None:
        """Returns the number that a form is when a statement first runs; None if unknown."""
        if not self._is_readable:
            return None
        instruction = self._given.decoder.of_statement(found)
        is_guarded = self.guard(found).constant != 1
        return None if is_guarded else self._counters.first(form, instruction.block)

    def by_whole_blocks(self, found: Found) -> bool:
        """Whether all threads of some block get to a statement, as in `attained`."""
        if not self._is_readable:
            return False
        instruction = self._given.decoder.of_statement(found)
        facts = self._facts(instruction)
        return self._attained[True].by_whole_blocks(facts, instruction.block)

    def difference_of_threads(self, term: AffineTerm) -> int | None:
        """Returns how much a term is larger in thread 1 of a block than in thread 0, if known."""
        found = self._first_row.term(term, range(2))
        return None if found is None else found.numbers[1] - found.numbers[0]

    def of_lanes(self, form: AffineForm) -> list[int] | None:
        """Returns a form in the lanes of the first warp, apart from what they have in common.

        None if it is unknown.
        """
        terms = [it for it in form.terms if it[0].kind in (TermKind.DEFINITION, TermKind.SPECIAL)]
        is_unknown = any(it.kind in (TermKind.MERGE, TermKind.PRODUCT) for it, _ in form.terms)
        varying = form_of(form.width, terms, 0)
        if varying is None or is_unknown:
            return None
        found = self._first_row.form(varying, range(_LANES))
        return None if found is None else found.numbers

    def term_value(self, term: AffineTerm) -> AbstractValue:
        """Returns what is known of a term, over the whole function."""
        return as_value(self._ranges.term(term), term.width)


def _width_of_operand(instruction: DecodedInstruction, number: int) -> int:
    """Returns the width with which an instruction reads an operand that is a constant."""
    n_before = instruction.n_destinations
    operation = operation_of(instruction.name, instruction.modifiers, len(instruction.sources))
    if operation is not None and 0 <= number - n_before < len(operation.widths):
        return operation.widths[number - n_before]
    types = [INTEGER_TYPES[each] for each in instruction.modifiers if each in INTEGER_TYPES]
    return types[-1].width if types else _ADDRESS_WIDTH


@lru_cache(maxsize=MAX_RECENT_FUNCTIONS)
def _values_of(flow: FunctionFlow, module: _SameModule) -> FunctionValues:
    return FunctionValues(flow, module.facts)


class _SameModule:
    """The facts of a module, compared by identity."""

    __slots__ = ("facts",)

    def __init__(self, facts: ModuleFacts) -> None:
        self.facts = facts

    def __eq__(self, other: object) -> bool:
        return isinstance(other, _SameModule) and self.facts is other.facts

    def __hash__(self) -> int:
        return id(self.facts)


def function_values(function: Function, module: ModuleFacts) -> FunctionValues:
    """Returns the values of a function of a module; the same object for the last functions."""
    return _values_of(function_flow(function, module.never_returning), _SameModule(module))
