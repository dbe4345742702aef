"""The conditions of a form on modifiers and operands, each with the slots it depends on.

A change of one slot affects only the conditions that depend on it, so all others are judged
once.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from itertools import count

from ptx_ls.isa.checking.filling import children, slots_in
from ptx_ls.isa.checking.gates import binding_gates
from ptx_ls.isa.checking.operand_check import bind, bindings, check_operand
from ptx_ls.isa.checking.verdict import Context
from ptx_ls.isa.model import Form
from ptx_ls.isa.notation.expression import ExpressionScope, evaluate
from ptx_ls.isa.notation.table import AvailabilityGate, FormRule, Node, OperandRow
from ptx_ls.isa.operand import Operand, OperandKind

_MAX_ANSWERS = 4096
"""The most answers that a condition keeps, one for each combination of its modifiers."""
_MAX_NEEDS = 4096
"""The most different demands on operands that are kept."""
_MAX_OPERANDS = 4096
"""The most different operands that are numbered."""
_MAX_KEPT_ANSWERS = 1 << 16
"""The most answers that are kept for all operands together."""
_OF_OPERANDS = frozenset({"?", "inspect"})
"""Operators of expressions that examine operands."""


class Condition:
    """A rule about modifiers only, or the condition of a gate; answers are kept."""

    __slots__ = ("_answers", "_form", "_seen", "_test", "lenient", "slots")

    def __init__(self, form: Form, test: Node, *, lenient: bool) -> None:
        self._form, self._test, self.lenient = form, test, lenient
        self.slots = frozenset(slots_in(test))
        """The slots it depends on."""
        self._seen = tuple(self.slots)
        self._answers: dict[tuple[str, ...], bool] = {}

    def holds(self, values: Sequence[str]) -> bool:
        """Whether it holds for the modifiers in the slots of its form."""
        key = tuple([values[slot] for slot in self._seen])
        found = self._answers.get(key)
        if found is None:
            if len(self._answers) >= _MAX_ANSWERS:
                self._answers.clear()
            scope = ExpressionScope(values, self._form.types, self._form.row.tables)
            found = self._answers[key] = bool(evaluate(self._test, scope))
        return found


class OperandNeed:
    """A demand of a form on operands: on one in its place, or a rule that examines some.

    `is_alone`: it examines only the operand in its place.
    """

    __slots__ = ("index", "is_alone", "row", "rule", "seen", "slots")

    def __init__(
        self,
        slots: frozenset[int],
        *,
        row: OperandRow | None = None,
        index: int = -1,
        rule: FormRule | None = None,
    ) -> None:
        self.slots, self.row, self.index, self.rule = slots, row, index, rule
        self.seen = tuple(slots)
        self.is_alone = row is not None and not any(map(_looks_at_operands, _nodes_of(row)))


@lru_cache(maxsize=1024)
def rules_of_modifiers(form: Form) -> tuple[Condition, ...]:
    """Returns the rules about modifiers only."""
    return tuple(
        Condition(form, rule.test, lenient=rule.lenient)
        for rule in form.row.rules
        if not rule.needs_operands
    )


@lru_cache(maxsize=4096)
def closed_gates(form: Form, context: Context) -> tuple[Condition, ...]:
    """Returns the conditions of gates closed in the module, none of which modifiers may meet."""
    return tuple(
        Condition(form, _condition(gate), lenient=False)
        for gate in binding_gates(form.row, context)
        if not gate.lenient and not gate.needs_operands
    )


def _condition(gate: AvailabilityGate) -> Node:
    return gate.condition if gate.condition is not None else ("constant", True)


class Binding:
    """One way to align operands with the places of a form, and the demands on each."""

    __slots__ = ("needs", "rows")

    def __init__(self, form: Form, rows: tuple[OperandRow, ...]) -> None:
        self.rows = rows
        has_selectors = len(form.row.slots) > form.row.n_modifier_slots
        of_rows = [
            _need_of(row, index, form if has_selectors or _is_of_form(row) else None)
            for index, row in enumerate(rows)
        ]
        of_rules = [
            OperandNeed(frozenset(slots_in(rule.test)), rule=rule)
            for rule in form.row.rules
            if rule.needs_operands and not rule.lenient
        ]
        self.needs = (*of_rows, *of_rules)


@lru_cache(maxsize=_MAX_NEEDS)
def _need_of(row: OperandRow, index: int, form: Form | None) -> OperandNeed:
    """Returns the demand on one operand, shared by all forms unless it depends on `form`."""
    del form
    return OperandNeed(frozenset(_slots_of(row)), row=row, index=index)


class _Kept:
    """Answers about operands, kept for later instructions that have the same ones.

    Operands are identified by number, since comparing vectors of registers is slow.
    """

    def __init__(self) -> None:
        self._numbers: dict[Operand, int] = {}
        self._next = count()
        self.answers: dict[tuple[object, ...], bool] = {}

    def number(self, operand: Operand) -> int:
        """Returns the number of an operand, which no other operand has."""
        found = self._numbers.get(operand)
        if found is None:
            if len(self._numbers) >= _MAX_OPERANDS:
                self._numbers.clear()
            found = self._numbers[operand] = next(self._next)
        return found

    def keep(self, key: tuple[object, ...], answer: bool) -> bool:  # noqa: FBT001  it is the value
        """Keeps the answer to a question, and returns it."""
        if len(self.answers) >= _MAX_KEPT_ANSWERS:
            self.answers.clear()
        self.answers[key] = answer
        return answer


_KEPT = _Kept()


class Operands:
    """The operands of one instruction, judged against forms with different modifiers.

    Each operand is judged once for all modifiers on which its place does not depend, and for all
    instructions that have the same operand.
    """

    __slots__ = ("_bound", "_look_around", "_numbers", "_operands")

    def __init__(self, operands: Sequence[Operand]) -> None:
        self._operands = operands
        self._look_around = [_looks_around(operand) for operand in operands]
        self._numbers = tuple([_KEPT.number(operand) for operand in operands])
        self._bound: dict[int, dict[str, Operand]] = {}

    def fitting(
        self, form: Form, values: Sequence[str], slot: int, candidates: Sequence[str]
    ) -> set[str]:
        """Returns the candidates for a slot with which the form takes the operands.

        `values` are the modifiers in all slots. Without a slot (-1), all candidates are equal.
        """
        changed = list(values)
        found: set[str] = set()
        for binding in _bindings(form, len(self._operands)):
            concerned = self._concerned(form, values, binding, slot)
            if concerned is None:
                continue
            for candidate in candidates:
                if slot >= 0:
                    changed[slot] = candidate
                if candidate not in found and self._are_met(concerned, form, changed, binding):
                    found.add(candidate)
        return found

    def fit(self, form: Form, values: Sequence[str]) -> bool:
        """Whether the form takes the operands with these modifiers."""
        return any(
            self._are_met(binding.needs, form, values, binding)
            for binding in _bindings(form, len(self._operands))
        )

    def unmet(self, form: Form, values: Sequence[str]) -> list[OperandNeed] | None:
        """Returns the unmet demands of the best fit; None if the number of operands is wrong."""
        found = [
            [need for need in binding.needs if not self._are_met((need,), form, values, binding)]
            for binding in _bindings(form, len(self._operands))
        ]
        return min(found, key=len, default=None)

    def _concerned(
        self, form: Form, values: Sequence[str], binding: Binding, slot: int
    ) -> list[OperandNeed] | None:
        """Returns the demands that a change of a slot affects; None if another one is not met."""
        around = self._look_around
        concerned: list[OperandNeed] = []
        others: list[OperandNeed] = []
        for need in binding.needs:
            if slot in need.slots or (need.row is not None and around[need.index]):
                concerned.append(need)
            else:
                others.append(need)
        return concerned if self._are_met(others, form, values, binding) else None

    def _are_met(
        self, needs: Sequence[OperandNeed], form: Form, values: Sequence[str], binding: Binding
    ) -> bool:
        for need in needs:
            around = need.row is not None and self._look_around[need.index]
            is_alone = need.is_alone and not around
            asked = self._numbers[need.index] if is_alone else self._numbers
            seen = values if around else [values[slot] for slot in need.seen]
            key = (need, asked, *seen)
            is_met = _KEPT.answers.get(key)
            if is_met is None:
                is_met = _KEPT.keep(key, self._judge(need, form, values, binding))
            if not is_met:
                return False
        return True

    def _judge(
        self, need: OperandNeed, form: Form, values: Sequence[str], binding: Binding
    ) -> bool:
        if len(form.row.slots) > form.row.n_modifier_slots:
            values = list(values)
            for row, operand in zip(binding.rows, self._operands, strict=True):
                if row.selector >= 0:
                    values[row.selector] = operand.selector
        bound = self._bound.get(id(binding))
        if bound is None:
            bound = self._bound[id(binding)] = bind(binding.rows, self._operands)
        scope = ExpressionScope(values, form.types, form.row.tables, bound)
        if need.rule is not None:
            return bool(evaluate(need.rule.test, scope))
        assert need.row is not None  # noqa: S101  a need is a rule or an operand
        found = check_operand(need.row, self._operands[need.index], scope, need.index)
        return all(violation.lenient for violation in found)


def _looks_around(operand: Operand) -> bool:
    """Whether ptxas judges an operand by all that is written: names, and what has a selector."""
    inner = (operand, *operand.elements)
    return any(one.kind is OperandKind.NAME or one.selector for one in inner)


@lru_cache(maxsize=4096)
def _bindings(form: Form, n_operands: int) -> tuple[Binding, ...]:
    return tuple(Binding(form, rows) for rows in bindings(form.row, n_operands))


def _slots_of(row: OperandRow) -> list[int]:
    """Returns the slots that determine what a place takes."""
    found = [slot for node in _nodes_of(row) for slot in slots_in(node)]
    return [*found, *_selectors_of(row)]


def _nodes_of(row: OperandRow) -> list[Node]:
    """Returns the expressions that determine what a place takes."""
    nodes = [node for spec in row.specs for node in (spec.type, spec.size, spec.n_before)]
    own = [node for node in nodes if node is not None]
    return [*own, *(node for part in row.parts for node in _nodes_of(part))]


def _selectors_of(row: OperandRow) -> list[int]:
    own = [row.selector] if row.selector >= 0 else []
    return [*own, *(slot for part in row.parts for slot in _selectors_of(part))]


def _is_of_form(row: OperandRow) -> bool:
    """Whether tables or other operands of the form determine what a place takes."""
    nodes = _nodes_of(row)
    return any(map(_looks_up, nodes)) or any(map(_looks_at_operands, nodes))


def _looks_up(node: Node) -> bool:
    return node[0] == "lookup" or any(map(_looks_up, children(node)))


def _looks_at_operands(node: Node) -> bool:
    return node[0] in _OF_OPERANDS or any(map(_looks_at_operands, children(node)))
