"""The modifiers that may follow what is typed so far, for completion."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from ptx_ls.isa.expression import Scope, evaluate
from ptx_ls.isa.gates import check_gates
from ptx_ls.isa.match import Placement, place
from ptx_ls.isa.model import Form, Instruction
from ptx_ls.isa.verdict import Context, Violation


class ModifierChoice(NamedTuple):
    """One modifier that fits after those typed.

    `is_canonical` says that the end is its canonical place. `requires` names the version or target
    that the module lacks, "" when it lacks none; `is_legal` is False then. `completes` is True when
    the instruction needs no further modifier.
    """

    modifier: str
    slot: str
    is_canonical: bool
    requires: str
    is_legal: bool
    completes: bool
    doc: str


def next_modifiers(
    instruction: Instruction, typed: Sequence[str], context: Context
) -> list[ModifierChoice]:
    """Modifiers that can follow `typed`, in canonical order, each once. Never raises."""
    found: dict[str, ModifierChoice] = {}
    for form in instruction.forms:
        placement = place(form.row, typed, frozenset())
        if placement.leftover or placement.out_of_order:
            continue
        for choice in _choices(instruction, form, placement, typed, context):
            other = found.get(choice.modifier)
            if other is None or _quality(choice) > _quality(other):
                found[choice.modifier] = choice
    return sorted(found.values(), key=lambda choice: not choice.is_canonical)


def accepting_forms(instruction: Instruction, typed: Sequence[str]) -> list[tuple[Form, Placement]]:
    """The forms that take these modifiers, whatever else they need; in the order of the data."""
    placed = [(form, place(form.row, typed, frozenset())) for form in instruction.forms]
    return [
        (form, placement)
        for form, placement in placed
        if not (placement.leftover or placement.out_of_order or _breaks_rules(form, placement))
    ]


def _quality(choice: ModifierChoice) -> tuple[bool, bool, bool]:
    return choice.is_legal, choice.is_canonical, choice.completes


def _choices(
    instruction: Instruction,
    form: Form,
    placement: Placement,
    typed: Sequence[str],
    context: Context,
) -> list[ModifierChoice]:
    last = max((slot for slot, index in enumerate(placement.filled_by) if index >= 0), default=-1)
    choices = []
    for slot in range(form.row.n_modifier_slots):
        if placement.filled_by[slot] >= 0:
            continue
        skipped = any(
            not form.row.slots[other].optional and placement.filled_by[other] < 0
            for other in range(last + 1, slot)
        )
        for value in form.row.slots[slot].values:
            tried = place(form.row, [*typed, value], frozenset())
            if tried.leftover or tried.out_of_order or tried.filled_by[slot] < 0:
                continue
            if _breaks_rules(form, tried):
                continue
            requires = _requires(form, tried, context)
            choices.append(
                ModifierChoice(
                    modifier=value,
                    slot=form.row.slots[slot].name,
                    is_canonical=slot > last and not skipped,
                    requires=requires,
                    is_legal=not requires,
                    completes=not tried.missing,
                    doc=instruction.modifier_doc(value, form.row.slots[slot].name),
                )
            )
    return choices


def _breaks_rules(form: Form, placement: Placement) -> bool:
    """True when a rule is broken, by ptxas or by the manual, that no modifier to come can mend."""
    scope = Scope(placement.values, form.types, form.row.tables)
    for rule in form.row.rules:
        if rule.needs_operands or evaluate(rule.test, scope):
            continue
        if not _can_be_mended(form, placement, rule.test):
            return True
    return False


def _can_be_mended(form: Form, placement: Placement, test: tuple[object, ...]) -> bool:
    """True when filling one or two of the empty slots makes the rule hold."""
    empty = [slot for slot in range(form.row.n_modifier_slots) if placement.filled_by[slot] < 0]
    values = list(placement.values)

    def search(depth: int) -> bool:
        for slot in empty:
            if values[slot]:
                continue
            for value in form.row.slots[slot].values:
                values[slot] = value
                if evaluate(test, Scope(values, form.types, form.row.tables)):
                    return True
                if depth > 1 and search(depth - 1):
                    return True
            values[slot] = ""
        return False

    return search(1)


def _requires(form: Form, placement: Placement, context: Context) -> str:
    scope = Scope(placement.values, form.types, form.row.tables)
    violations: list[Violation] = [
        violation for violation in check_gates(form.row, scope, context) if not violation.lenient
    ]
    return violations[-1].required if violations else ""
