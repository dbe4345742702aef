"""Tries one form of an instruction on operands: how they align, and what does not fit."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from ptx_ls.isa.checking.match import Placement, canonical_order
from ptx_ls.isa.checking.operand_check import bind, bindings, check_operand
from ptx_ls.isa.checking.verdict import Violation, ViolationKind
from ptx_ls.isa.model import Form
from ptx_ls.isa.notation.expression import evaluate, walk
from ptx_ls.isa.notation.expression_scope import ExpressionScope
from ptx_ls.isa.notation.table import FormRow, FormRule, ModifierSlot, OperandRow
from ptx_ls.isa.operand import Operand, OperandKind
from ptx_ls.source.named_tuple import NamedTuple


class FormTrial(NamedTuple):
    """One way to read an instruction as a form, with its violations except violations of gates."""

    rows: Sequence[OperandRow]
    scope: ExpressionScope
    violations: list[Violation]
    is_bound: bool = True
    """Whether the form takes this number of operands."""


def attempts(
    form: Form, placement: Placement, modifiers: Sequence[str], operands: Sequence[Operand]
) -> Iterator[FormTrial]:
    """Yields a trial for each way to bind the operands to the form, at least one."""
    order = _order_violation(placement, modifiers)
    choices = bindings(form.row, len(operands))
    if not choices:
        scope = form.scope(placement.values)
        rules = _check_rules(form.row, placement, scope, None)
        violations = [*order, *rules, _count(form.row, operands)]
        yield FormTrial(form.row.operands[: len(operands)], scope, violations, is_bound=False)
    for rows in choices:
        values = _with_selectors(form.row, placement.values, rows, operands)
        scope = form.scope(values, bind(rows, operands))
        violations = [*order, *_check_selectors(form.row, values, rows)]
        violations += _check_rules(form.row, placement, scope, operands)
        for index, (row, operand) in enumerate(zip(rows, operands, strict=True)):
            violations += check_operand(row, operand, scope, index)
        yield FormTrial(rows, scope, violations)


def _with_selectors(
    form: FormRow, values: list[str], rows: Sequence[OperandRow], operands: Sequence[Operand]
) -> list[str]:
    if len(form.slots) == form.n_modifier_slots:
        return values
    values = list(values)
    for row, operand in zip(rows, operands, strict=True):
        if row.selector >= 0:
            values[row.selector] = operand.selector
    return values


def _check_selectors(
    form: FormRow, values: list[str], rows: Sequence[OperandRow]
) -> list[Violation]:
    found = []
    for index, row in enumerate(rows):
        if row.selector < 0:
            continue
        slot, value = form.slots[row.selector], values[row.selector]
        if not _selects(slot, value):
            found.append(
                Violation(ViolationKind.OPERAND_KIND, ("operand", index), value, tuple(slot.values))
            )
    return found


def _selects(slot: ModifierSlot, value: str) -> bool:
    """Whether a selector matches; selectors may be given as patterns, `.h[0-3][0-3]`."""
    if not value:
        return slot.optional
    if value in slot.values:
        return True
    from fnmatch import fnmatchcase

    return any(fnmatchcase(value, pattern) for pattern in slot.values)


def _count(form: FormRow, operands: Sequence[Operand]) -> Violation:
    least = sum(not row.optional for row in form.operands)
    most = len(form.operands)
    expected = str(least) if least == most else f"{least} to {most}"
    return Violation(ViolationKind.OPERAND_COUNT, ("opcode",), str(len(operands)), (expected,))


def _check_rules(
    form: FormRow, placement: Placement, scope: ExpressionScope, operands: Sequence[Operand] | None
) -> list[Violation]:
    """Returns the violations of rules; without operands, only of rules about modifiers."""
    found = []
    for rule in form.rules:
        if rule.needs_operands and operands is None:
            continue
        if rule.needs_operands and _has_unknown(scope) and _inspects(rule):
            continue
        if not evaluate(rule.test, scope):
            from ptx_ls.isa.diagnosis.mismatch import rule_violation

            found.append(rule_violation(form, rule, placement, scope, operands or ()))
    return found


def _has_unknown(scope: ExpressionScope) -> bool:
    return any(operand.kind is OperandKind.UNKNOWN for operand in scope.operands.values())


def _inspects(rule: FormRule) -> bool:
    """Whether a rule examines an operand, rather than only its presence."""
    return any(node[0] == "inspect" for node in walk(rule.test))


def _order_violation(placement: Placement, modifiers: Sequence[str]) -> list[Violation]:
    """Returns a hint at the first modifier that is not in canonical order."""
    order = canonical_order(placement)
    for index, in_order in zip(order, sorted(order), strict=True):
        if index != in_order:
            canonical = "".join(modifiers[position] for position in order)
            return [
                Violation(
                    ViolationKind.MODIFIER_ORDER,
                    ("modifier", in_order),
                    modifiers[in_order],
                    (canonical,),
                    lenient=True,
                )
            ]
    return []
