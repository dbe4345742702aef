"""The single changes of modifiers that make an instruction legal.

No single change helps in forms that lack a place for more than one modifier; these are excluded
with bit sets. In each other form, the free places show which changes are possible, and the
conditions on the changed place decide which modifiers are legal there.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from enum import IntEnum
from functools import lru_cache
from typing import Final

from ptx_ls.isa.checking.filling import closed_gates, rules_of
from ptx_ls.isa.checking.nearest import forms_lacking
from ptx_ls.isa.checking.verdict import Context
from ptx_ls.isa.diagnosis.edits import EditKind, ModifierEdit
from ptx_ls.isa.diagnosis.operand_needs import Operands
from ptx_ls.isa.diagnosis.readings import ModifierReading, read_modifiers
from ptx_ls.isa.model import Form, Instruction
from ptx_ls.isa.notation.table import ModifierSlot
from ptx_ls.isa.operand import Operand
from ptx_ls.source.named_tuple import NamedTuple

_MAX_SELECTIONS: Final = 1 << 14
"""Maximum number of cached selections of modifiers: mistakes often share one."""


class Fit(IntEnum):
    """How much of the instruction is legal after a change, the best first."""

    LEGAL = 0
    CLOSED = 1
    """It is legal in another version or for another target."""
    MISFIT = 2
    """The modifiers are legal, but the operands do not fit them."""
    CLOSED_MISFIT = 3


_FITS: Final = tuple(Fit)


class Remedy(NamedTuple):
    """A change: an edit of a form, and the modifiers that may be there ("" for a removal)."""

    form: Form
    edit: ModifierEdit
    fit: Fit
    values: tuple[str, ...]


class RemedySearch:
    """Finds the single changes of modifiers that make one instruction legal."""

    __slots__ = ("_context", "_edits", "_modifiers", "_operands", "_readings")

    def __init__(
        self,
        instruction: Instruction,
        modifiers: Sequence[str],
        operands: Sequence[Operand],
        context: Context,
    ) -> None:
        self._modifiers, self._context = modifiers, context
        self._operands = Operands(operands)
        self._readings = [
            (form, read_modifiers(form, modifiers))
            for forms in forms_lacking(instruction, modifiers, 1)
            for form in forms
        ]
        self._edits: list[tuple[Form, ModifierEdit]] | None = None

    def remedies(
        self, may_replace: Callable[[str, ModifierSlot], bool], *, only_replaced: bool = False
    ) -> list[Remedy]:
        """Returns the changes, including those after which operands misfit or a gate is closed.

        `may_replace` decides whether a modifier may be replaced by the modifiers of a place. With
        `only_replaced`, nothing is inserted or removed.
        """
        found: list[Remedy] = []
        for form, edit in self._all_edits():
            if edit.kind is not EditKind.REPLACE:
                if only_replaced:
                    continue
            elif not may_replace(self._modifiers[edit.position], form.row.slots[edit.slot]):
                continue
            found += self._tried(form, edit)
        return found

    def _all_edits(self) -> list[tuple[Form, ModifierEdit]]:
        """Returns the edits after which a form has a place for each modifier; found once."""
        if self._edits is None:
            self._edits = [
                (form, edit)
                for form, reading in self._readings
                for edit in (
                    self._changes(form, reading) if reading.is_complete else reading.repairs
                )
            ]
        return self._edits

    def _changes(self, form: Form, reading: ModifierReading) -> Iterable[ModifierEdit]:
        """Returns the edits that may repair a form which has a place for each modifier.

        They change only slots on which all its unmet requirements depend.
        """
        values = [self._modifiers[index] if index >= 0 else "" for index in reading.filled]
        scope = form.scope(values)
        broken = [frozenset(rule.slots) for rule in rules_of(form) if not rule.is_met(scope)]
        if not broken:
            broken = [frozenset(need.slots) for need in self._operands.unmet(form, values) or ()]
        return reading.changes(frozenset.intersection(*broken)) if broken else ()

    def _tried(self, form: Form, edit: ModifierEdit) -> Iterator[Remedy]:
        """Yields a remedy for each `Fit` of the modifiers that are legal in the edit's slot."""
        values = edit.values(self._modifiers)
        candidates = _legal_beside(form, edit.slot, values, self._context)
        if not candidates:
            return
        fitting = self._operands.fitting(
            form, values, edit.slot, [value for value, _ in candidates]
        )
        legal: dict[Fit, list[str]] = {}
        for value, is_closed in candidates:
            fit = _FITS[is_closed + 2 * (value not in fitting)]
            legal.setdefault(fit, []).append(value)
        for fit, these in legal.items():
            yield Remedy(form, edit, fit, tuple(these))


@lru_cache(maxsize=_MAX_SELECTIONS)
def _legal_beside(
    form: Form, slot: int, others: tuple[str, ...], context: Context
) -> tuple[tuple[str, bool], ...]:
    """Returns the modifiers that no rule forbids in a slot, and whether a gate closes each.

    `others`: the modifiers in the other slots. Without a slot (-1), the only candidate is "".
    """
    values = list(others)
    scope = form.scope(values)  # it sees later changes to `values`
    rules = rules_of(form)
    if not all(slot in rule.slots or rule.lenient or rule.is_met(scope) for rule in rules):
        return ()
    about = [rule for rule in rules if slot in rule.slots]
    gates = closed_gates(form, context)
    found: list[tuple[str, bool]] = []
    for value in form.row.slots[slot].values if slot >= 0 else ("",):
        if slot >= 0:
            values[slot] = value
        if all(rule.is_met(scope) for rule in about):
            found.append((value, not all(gate.is_met(scope) for gate in gates)))
    return tuple(found)
