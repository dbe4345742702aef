"""The requirements of a form on its operands, with the slots that each of them depends on.

A change of one slot affects only the requirements that depend on it; all others are judged once.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import lru_cache

from ptx_ls.isa.checking.operand_check import bind, bindings, check_operand
from ptx_ls.isa.model import Form
from ptx_ls.isa.notation.expression import evaluate, slots_in, walk
from ptx_ls.isa.notation.table import FormRule, Node, OperandRow
from ptx_ls.isa.operand import Operand, OperandKind
from ptx_ls.source.named_tuple import NamedTuple


class OperandNeed:
    """A requirement: that the operand at `place` fits its row, or a rule about some operands.

    It is compared by identity. It is not a dataclass, because `dataclasses` takes longer to import
    than the whole diagnosis.
    """

    __slots__ = ("place", "row", "rule", "slots")

    def __init__(
        self,
        slots: tuple[int, ...],
        row: OperandRow | None = None,
        place: int = -1,
        rule: FormRule | None = None,
    ) -> None:
        self.slots, self.row, self.place, self.rule = slots, row, place, rule


class Binding(NamedTuple):
    """One way to align operands with the places of a form, and its requirements on them."""

    rows: tuple[OperandRow, ...]
    needs: tuple[OperandNeed, ...]


class Operands:
    """The operands of one instruction, judged against forms with different modifiers."""

    __slots__ = ("_answers", "_bound", "_look_around", "_operands")

    def __init__(self, operands: Sequence[Operand]) -> None:
        self._operands = operands
        self._look_around = [_looks_around(operand) for operand in operands]
        self._bound: dict[int, dict[str, Operand]] = {}
        self._answers: dict[tuple[object, ...], bool] = {}

    def fitting(
        self, form: Form, values: Sequence[str], slot: int, candidates: Sequence[str]
    ) -> set[str]:
        """Returns the candidates for a slot with which the form takes the operands.

        `values` are the modifiers in all slots. Without a slot (-1), all candidates fit, or none.
        """
        changed = list(values)
        found: set[str] = set()
        for binding in _bindings(form, len(self._operands)):
            concerned = [need for need in binding.needs if self._depends(need, slot)]
            others = [need for need in binding.needs if not self._depends(need, slot)]
            if not self._are_met(others, form, values, binding):
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
        """Returns what the best fit does not meet; None if the number of operands is wrong."""
        found = [
            [need for need in binding.needs if not self._are_met((need,), form, values, binding)]
            for binding in _bindings(form, len(self._operands))
        ]
        return min(found, key=len, default=None)

    def _depends(self, need: OperandNeed, slot: int) -> bool:
        """Whether a change of a slot affects a requirement."""
        return slot in need.slots or self._looks_around(need)

    def _looks_around(self, need: OperandNeed) -> bool:
        return need.row is not None and self._look_around[need.place]

    def _are_met(
        self, needs: Sequence[OperandNeed], form: Form, values: Sequence[str], binding: Binding
    ) -> bool:
        for need in needs:
            seen = values if self._looks_around(need) else [values[slot] for slot in need.slots]
            key = need, *seen
            if key not in self._answers:
                self._answers[key] = self._is_met(need, form, values, binding)
            if not self._answers[key]:
                return False
        return True

    def _is_met(
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
        scope = form.scope(values, bound)
        if need.rule is not None:
            return bool(evaluate(need.rule.test, scope))
        assert need.row is not None  # noqa: S101  a need is a rule or an operand
        found = check_operand(need.row, self._operands[need.place], scope, need.place)
        return all(violation.lenient for violation in found)


def _looks_around(operand: Operand) -> bool:
    """Whether ptxas also looks at the neighbours of an operand, as for names and selectors."""
    inner = (operand, *operand.elements)
    return any(one.kind is OperandKind.NAME or one.selector for one in inner)


@lru_cache(maxsize=4096)
def _bindings(form: Form, n_operands: int) -> tuple[Binding, ...]:
    has_selectors = len(form.row.slots) > form.row.n_modifier_slots
    of_rules = [
        OperandNeed(tuple(slots_in(rule.test)), rule=rule)
        for rule in form.row.rules
        if rule.needs_operands and not rule.lenient
    ]
    found = []
    for rows in bindings(form.row, n_operands):
        of_rows = [
            _need_of(row, place, form if has_selectors or _is_of_form(row) else None)
            for place, row in enumerate(rows)
        ]
        found.append(Binding(rows, (*of_rows, *of_rules)))
    return tuple(found)


@lru_cache(maxsize=4096)
def _need_of(row: OperandRow, place: int, form: Form | None) -> OperandNeed:
    """Returns the requirement for one operand, shared by all forms unless `form` matters."""
    del form
    slots = (slot for node in _nodes_of(row) for slot in slots_in(node))
    return OperandNeed((*slots, *_selectors_of(row)), row, place)


def _is_of_form(row: OperandRow) -> bool:
    """Whether tables or other operands of the form determine what a place takes."""
    nodes = [part for node in _nodes_of(row) for part in walk(node)]
    return any(node[0] in ("lookup", "?", "inspect") for node in nodes)


def _nodes_of(row: OperandRow) -> Iterator[Node]:
    """Yields the expressions that determine what a place takes."""
    for spec in row.specs:
        yield from filter(None, (spec.type, spec.size, spec.n_before))
    for part in row.parts:
        yield from _nodes_of(part)


def _selectors_of(row: OperandRow) -> list[int]:
    own = [row.selector] if row.selector >= 0 else []
    return [*own, *(slot for part in row.parts for slot in _selectors_of(part))]
