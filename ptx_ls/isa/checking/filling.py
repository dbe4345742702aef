"""Whether modifiers that are still missing can make a form legal: a search over its empty slots.

Rules and gates say what must hold among modifiers. The modifiers typed so far may break some of
them only because others are still missing.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from itertools import product

from ptx_ls.isa.checking.gates import binding_gates
from ptx_ls.isa.checking.verdict import Context
from ptx_ls.isa.model import Form
from ptx_ls.isa.notation.expression import evaluate, slots_in
from ptx_ls.isa.notation.expression_scope import ExpressionScope
from ptx_ls.isa.notation.table import Node
from ptx_ls.source.named_tuple import NamedTuple

_MAX_STEPS = 300
"""Maximum number of assignments to try; after that, the form counts as possible."""
_MAX_HINTS = 3
"""Maximum number of results to keep: the result for a modifier often fits the next modifier."""


class Constraint(NamedTuple):
    """A condition that must or must not hold, and the modifier slots that it depends on.

    A lenient constraint is required by the manual, but not by ptxas.
    """

    test: Node | None
    wanted: bool
    slots: tuple[int, ...]
    lenient: bool = False

    def is_met(self, scope: ExpressionScope) -> bool:
        """Whether the modifiers in a scope meet the constraint."""
        return self.test is not None and bool(evaluate(self.test, scope)) is self.wanted


@lru_cache(maxsize=1024)
def rules_of(form: Form) -> tuple[Constraint, ...]:
    """Returns what a form requires of its modifiers in any version and for any target."""
    return tuple(
        _constraint(form, rule.test, wanted=True, lenient=rule.lenient)
        for rule in form.row.rules
        if not rule.needs_operands
    )


def ptxas_rules_of(form: Form) -> tuple[Constraint, ...]:
    """Returns what ptxas requires of a form's modifiers: without rules that only the manual has."""
    return tuple(rule for rule in rules_of(form) if not rule.lenient)


@lru_cache(maxsize=4096)
def closed_gates(form: Form, context: Context) -> tuple[Constraint, ...]:
    """Returns the conditions of the gates closed in a module, which modifiers must not meet."""
    return tuple(
        _constraint(form, gate.condition, wanted=False)
        for gate in binding_gates(form.row, context)
        if not (gate.lenient or gate.needs_operands)
    )


def constraints_of(form: Form, context: Context) -> tuple[Constraint, ...]:
    """Returns what a form requires of its modifiers in a module: rules, and gates closed there."""
    return (*closed_gates(form, context), *rules_of(form))


def can_be_added(form: Form, values: Sequence[str], slots: Sequence[int]) -> bool:
    """Whether some modifiers can be added in these slots, all at once, without breaking a rule.

    `values` are the modifiers in all slots of the form, "" for empty ones. A rule counts only if it
    holds without the added modifiers, because an illegal instruction may break others.
    """
    before = form.scope(values)
    holding = [
        rule
        for rule in rules_of(form)
        if not set(slots).isdisjoint(rule.slots) and rule.is_met(before)
    ]
    tried = list(values)
    for added in product(*(form.row.slots[slot].values for slot in slots)):
        for slot, value in zip(slots, added, strict=True):
            tried[slot] = value
        after = form.scope(tried)
        if all(rule.is_met(after) for rule in holding):
            return True
    return False


class Filler:
    """Fills the empty slots of a form so that it is complete and some constraints are met."""

    def __init__(self, form: Form, constraints: tuple[Constraint, ...]) -> None:
        self._form = form
        self._constraints = constraints
        self._steps = 0
        self._hints: list[list[str]] = []

    def filled(self, values: Sequence[str], first: int = 0) -> list[str] | None:
        """Returns `values` with modifiers filled in for "", so that the constraints are met.

        Slots that nothing requires, and those before `first`, stay empty. Returns None if no
        modifiers meet the constraints.
        """
        for hint in self._hints:
            tried = [
                value or (other if slot >= first else "")
                for slot, (value, other) in enumerate(zip(values, hint, strict=True))
            ]
            if self._broken(tried) is None:
                return tried
        end = self._form.row.n_modifier_slots
        free = {slot for slot in range(first, end) if not values[slot]}
        self._steps = 0
        found = self._search(list(values), free)
        if found is not None:
            self._hints.insert(0, found)
            del self._hints[_MAX_HINTS:]
        return found

    def _broken(self, values: list[str]) -> Constraint | None:
        scope = self._form.scope(values)
        return next((each for each in self._constraints if not each.is_met(scope)), None)

    def _search(self, values: list[str], free: set[int]) -> list[str] | None:
        self._steps += 1
        if self._steps > _MAX_STEPS:
            return values
        broken = self._broken(values)
        if broken is not None:
            return self._branch(values, free, [slot for slot in broken.slots if slot in free])
        slots = self._form.row.slots
        missing = [slot for slot in sorted(free) if not slots[slot].optional]
        return self._branch(values, free, missing[:1]) if missing else values

    def _branch(
        self, values: list[str], free: set[int], candidates: Sequence[int]
    ) -> list[str] | None:
        for slot in candidates:
            free = free - {slot}  # if all its values fail, it stays empty
            for value in self._form.row.slots[slot].values:
                tried = list(values)
                tried[slot] = value
                found = self._search(tried, free)
                if found is not None:
                    return found
            if not self._form.row.slots[slot].optional:
                return None
        return None


def is_documented(form: Form) -> bool:
    """Whether the manual allows some instruction of this form; others only ptxas accepts."""
    return Filler(form, rules_of(form)).filled([""] * len(form.row.slots)) is not None


def _constraint(
    form: Form, test: Node | None, *, wanted: bool, lenient: bool = False
) -> Constraint:
    slots = sorted(set(slots_in(test))) if test is not None else []
    own = tuple(slot for slot in slots if slot < form.row.n_modifier_slots)
    return Constraint(test, wanted, own, lenient)
