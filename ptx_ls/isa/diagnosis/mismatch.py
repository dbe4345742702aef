"""Finds why no form fits, or which modifier breaks a rule, and what would be legal instead."""

from __future__ import annotations

from collections import Counter
from collections.abc import Container, Iterable, Sequence

from ptx_ls.isa.checking.match import Placement, place
from ptx_ls.isa.checking.nearest import nearest_forms
from ptx_ls.isa.checking.scalar_check import found_text, spec_type
from ptx_ls.isa.checking.verdict import Part, Verdict, Violation, ViolationKind
from ptx_ls.isa.diagnosis.blamed_operand import blamed_operand
from ptx_ls.isa.model import Form, Instruction, OperandSpec
from ptx_ls.isa.notation.expression import evaluate, slots_in
from ptx_ls.isa.notation.expression_scope import ExpressionScope
from ptx_ls.isa.notation.table import FormRow, FormRule
from ptx_ls.isa.operand import Operand
from ptx_ls.source.english import either
from ptx_ls.source.named_tuple import NamedTuple

_MISSING_COST = 2
_OPERAND_COST = 2
_ORDER_COST = 1


class Nearest(NamedTuple):
    """The nearest form for modifiers that no form takes.

    `placement`: their places in the form. `operand_specs`: an item for each written operand.
    """

    form: Form
    placement: Placement
    operand_specs: tuple[OperandSpec | None, ...]


def nearest(
    instruction: Instruction,
    modifiers: Sequence[str],
    operands: Sequence[Operand],
    skipped: frozenset[int],
) -> Nearest:
    """Returns the nearest form. Modifiers whose index is in `skipped` are ignored."""
    wanted = tuple(each for index, each in enumerate(modifiers) if index not in skipped)
    known = tuple(each for each in wanted if each in instruction.known)  # no form takes the rest
    placements = [
        (form, place(form.row, known, frozenset())) for form in nearest_forms(instruction, known)
    ]
    form, _ = min(placements, key=lambda pair: _distance(pair[0], pair[1], operands))
    placement = place(form.row, modifiers, skipped)
    scope = form.scope(placement.values)
    specs: list[OperandSpec | None] = [
        OperandSpec(row, tuple(spec_type(spec, scope) for spec in row.specs))
        for row in form.row.operands[: len(operands)]
    ]
    specs += [None] * (len(operands) - len(specs))
    return Nearest(form, placement, tuple(specs))


def describe_mismatch(
    instruction: Instruction,
    modifiers: Sequence[str],
    operands: Sequence[Operand],
    skipped: frozenset[int],
) -> Verdict:
    """Returns the verdict on modifiers that no form takes, against the nearest form.

    Modifiers whose index is in `skipped` are ignored.
    """
    form, placement, specs = nearest(instruction, modifiers, operands, skipped)
    violations = tuple(_explain(form, placement, modifiers, instruction.known))
    slots = form.by_slot(placement.values)
    return Verdict(form, slots, violations, specs)


def n_unfit(form: Form, operands: Sequence[Operand]) -> int:
    """Returns how many operands are missing, or are too many, for a form."""
    most = len(form.row.operands)
    least = sum(not row.optional for row in form.row.operands)
    return max(0, least - len(operands), len(operands) - most)


def _distance(form: Form, placement: Placement, operands: Sequence[Operand]) -> tuple[int, int]:
    cost = (
        _MISSING_COST * len(placement.missing)
        + _OPERAND_COST * n_unfit(form, operands)
        + _ORDER_COST * len(placement.out_of_order)
    )
    return len(placement.leftover), cost


def _explain(
    form: Form,
    placement: Placement,
    modifiers: Sequence[str],
    known: Container[str],
) -> Iterable[Violation]:
    row = form.row
    missing = list(placement.missing)
    n_before = _repetitions(modifiers)
    for index in placement.leftover:
        found = index, modifiers[index], n_before[index]
        yield _leftover(row, placement, found, missing, known)
    for index in placement.out_of_order:
        order = [position for position in placement.filled_by if position >= 0]
        canonical = "".join(modifiers[position] for position in order)
        yield Violation(
            ViolationKind.MODIFIER_ORDER, ("modifier", index), modifiers[index], (canonical,)
        )
    for slot in missing:
        others = tuple(row.slots[each].values for each in missing if each != slot)
        kind, expected = ViolationKind.MISSING_MODIFIER, row.slots[slot].values
        yield Violation(kind, ("opcode",), expected=expected, others=others)


def _repetitions(modifiers: Iterable[str]) -> list[int]:
    """Returns for each modifier the number of its earlier occurrences."""
    seen: Counter[str] = Counter()
    found = []
    for modifier in modifiers:
        found.append(seen[modifier])
        seen[modifier] += 1
    return found


def conflict(others: Iterable[str]) -> str:
    """Returns the note on a modifier that cannot be combined with others."""
    quoted = [f"`{other}`" for other in dict.fromkeys(others)]
    return f"it cannot be combined with {either(quoted)}"


def _leftover(
    row: FormRow,
    placement: Placement,
    modifier: tuple[int, str, int],
    missing: list[int],
    known: Container[str],
) -> Violation:
    """Returns the violation of a modifier without a slot: unknown, repeated, conflicting, foreign.

    `modifier`: its index, its text, and the number of earlier occurrences.
    """
    index, found, n_before = modifier
    part: Part = ("modifier", index)
    if found not in known:
        kind = ViolationKind.UNKNOWN_MODIFIER
    elif n_before and len(row.accepts.get(found, ())) <= n_before:
        return Violation(ViolationKind.DUPLICATE_MODIFIER, part, found)
    else:
        kind = ViolationKind.ILLEGAL_MODIFIER
    taken = [placement.values[slot] for slot in row.accepts.get(found, ())]
    if taken and all(taken):
        return Violation(kind, part, found, note=conflict(taken))
    if missing:
        return Violation(kind, part, found, row.slots[missing.pop(0)].values)
    free = [
        value
        for slot in range(row.n_modifier_slots)
        if placement.filled_by[slot] < 0
        for value in row.slots[slot].values
    ]
    return Violation(kind, part, found, tuple(dict.fromkeys(free)))


def rule_violation(
    form: FormRow,
    rule: FormRule,
    placement: Placement,
    scope: ExpressionScope,
    operands: Sequence[Operand] = (),
) -> Violation:
    """Blames an operand, or a modifier present or missing, for a broken rule; lists legal ones."""
    blamed = blamed_operand(rule, scope, operands) if rule.needs_operands else None
    if blamed is not None:
        kind, part, operand = blamed
        return Violation(kind, part, found_text(operand), note=_note(rule), lenient=rule.lenient)
    slots = [slot for slot in dict.fromkeys(slots_in(rule.test)) if slot < form.n_modifier_slots]
    note = _note(rule)
    for slot in slots:
        if placement.values[slot]:
            continue
        legal = _legal_values(form, rule, slot, scope)
        if legal and form.slots[slot].optional:
            return Violation(
                ViolationKind.MISSING_MODIFIER, ("opcode",), "", legal, note=note,
                lenient=rule.lenient,
            )  # fmt: skip
    written = [slot for slot in slots if placement.filled_by[slot] >= 0]
    written.sort(key=lambda slot: not form.slots[slot].optional)
    for slot in written:
        legal = _legal_values(form, rule, slot, scope)
        removable = form.slots[slot].optional and _holds_with(rule, slot, "", scope)
        if legal or removable:
            return _blame(placement, slot, legal, note, lenient=rule.lenient)
    if written:
        return _blame(placement, written[0], (), note, lenient=rule.lenient)
    return Violation(
        ViolationKind.OPERAND_COUNT if "?" in rule.text else ViolationKind.OPERAND_KIND,
        ("opcode",), note=note, lenient=rule.lenient,
    )  # fmt: skip


def _note(rule: FormRule) -> str:
    return rule.note or f"rule of this form: {rule.text}"


def _blame(
    placement: Placement, slot: int, legal: tuple[str, ...], note: str, *, lenient: bool
) -> Violation:
    return Violation(
        ViolationKind.ILLEGAL_MODIFIER,
        ("modifier", placement.filled_by[slot]),
        placement.values[slot],
        legal,
        note=note,
        lenient=lenient,
    )


def _legal_values(
    form: FormRow, rule: FormRule, slot: int, scope: ExpressionScope
) -> tuple[str, ...]:
    return tuple(
        value
        for value in form.slots[slot].values
        if value != scope.values[slot] and _holds_with(rule, slot, value, scope)
    )


def _holds_with(rule: FormRule, slot: int, value: str, scope: ExpressionScope) -> bool:
    values = list(scope.values)
    values[slot] = value
    return bool(
        evaluate(rule.test, ExpressionScope(values, scope.types, scope.tables, scope.operands))
    )
