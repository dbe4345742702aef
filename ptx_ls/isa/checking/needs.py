"""The versions and targets that an instruction requires, regardless of those of the module."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from ptx_ls.isa.checking.attempts import attempts
from ptx_ls.isa.checking.check import check, complete_forms
from ptx_ls.isa.checking.gates import applying
from ptx_ls.isa.checking.ignored_modifiers import repeated
from ptx_ls.isa.checking.verdict import Context
from ptx_ls.isa.model import Form, Instruction
from ptx_ls.isa.notation.expression import walk
from ptx_ls.isa.notation.expression_scope import ExpressionScope
from ptx_ls.isa.notation.table import AvailabilityGate, Node
from ptx_ls.isa.operand import Operand
from ptx_ls.source.named_tuple import NamedTuple

_OF_VALUES: Final = ("value", "word")
_TRUE: Final = ("constant", True)


class GateRequirements(NamedTuple):
    """Gates that all have to be open, and those (`until`) that must not be past."""

    gates: tuple[AvailabilityGate, ...] = ()
    until: tuple[AvailabilityGate, ...] = ()


def needs(
    instruction: Instruction, modifiers: Sequence[str], operands: Sequence[Operand]
) -> tuple[GateRequirements, ...]:
    """Returns the alternative requirements of an instruction; none if it is always illegal.

    Omits requirements that depend on an unknown value of an operand.
    """
    skipped = frozenset(index for index, _ in repeated(instruction, modifiers))
    found = [
        _need(form, attempt.scope)
        for form, placement in complete_forms(instruction, modifiers, skipped)
        for attempt in attempts(form, placement, modifiers, operands)
        if attempt.is_bound and all(violation.lenient for violation in attempt.violations)
    ]
    if not found:
        verdict = check(instruction, modifiers, operands, Context())
        if verdict.form is not None and verdict.is_accepted:  # gates depend on how ptxas reads it
            values = [verdict.slots.get(slot.name, "") for slot in verdict.form.row.slots]
            form = verdict.form
            found.append(_need(form, form.scope(values)))
    return tuple(dict.fromkeys(found))


def _need(form: Form, scope: ExpressionScope) -> GateRequirements:
    gates, until = (
        tuple(gate for gate in applying(found, scope) if not _is_guess(gate.condition, scope))
        for found in (form.row.gates, form.row.until)
    )
    return GateRequirements(gates, until)


def _is_guess(node: Node | None, scope: ExpressionScope) -> bool:
    """Whether an expression depends on a value that is not known."""
    names = (it[2] for it in walk(node or _TRUE) if it[0] == "inspect" and it[1] in _OF_VALUES)
    return any(name in scope.operands and scope.operands[name].value is None for name in names)
