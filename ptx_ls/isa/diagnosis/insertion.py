"""Inserts a missing modifier in its place among the written ones."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from ptx_ls.isa.checking.check import complete_forms, is_legal
from ptx_ls.isa.checking.ignored_modifiers import repeated
from ptx_ls.isa.checking.match import canonical_order, place
from ptx_ls.isa.checking.nearest import forms_lacking
from ptx_ls.isa.checking.verdict import Context
from ptx_ls.isa.model import Instruction
from ptx_ls.isa.operand import Operand


def inserted(
    instruction: Instruction,
    modifiers: Sequence[str],
    modifier: str,
    operands: Sequence[Operand],
    context: Context,
) -> tuple[str, ...]:
    """Returns the modifiers with one more, in the manual's order if legal; () if no order is."""
    indices = dict.fromkeys(
        (*_in_order(instruction, modifiers, modifier), *range(len(modifiers), -1, -1))
    )
    refused: set[tuple[tuple[int, tuple[str, ...]], ...]] = set()
    for index in indices:
        changed = (*modifiers[:index], modifier, *modifiers[index:])
        skipped = frozenset(number for number, _ in repeated(instruction, changed))
        takers = complete_forms(instruction, changed, skipped)
        reading = tuple((id(form), tuple(placement.values)) for form, placement in takers)
        if reading and reading in refused:
            continue  # the operands do not fit, or a gate is closed, wherever the modifier is
        if is_legal(instruction, changed, operands, context):
            return changed
        refused.add(reading)
    return ()


def completed(
    instruction: Instruction,
    modifiers: Sequence[str],
    missing: Sequence[str],
    operands: Sequence[Operand],
    context: Context,
) -> tuple[str, ...]:
    """Returns the modifiers with all missing ones, in the manual's order; () if that is illegal."""
    given = (*modifiers, *missing)
    (takers,) = forms_lacking(instruction, given, 0)
    for form in takers:
        placement = place(form.row, given, frozenset())
        found = tuple(given[index] for index in canonical_order(placement))
        if len(found) == len(given) and is_legal(instruction, found, operands, context):
            return found
    return ()


def _in_order(instruction: Instruction, modifiers: Sequence[str], modifier: str) -> Iterator[int]:
    """Yields the index at which the manual puts the modifier, for each form that takes it."""
    (takers,) = forms_lacking(instruction, [*modifiers, modifier], 0)
    for form in takers:
        placement = place(form.row, modifiers, frozenset(), explain=False)
        for slot in form.row.accepts[modifier]:
            if placement.filled_by[slot] < 0:
                yield 1 + max(placement.filled_by[:slot], default=-1)
