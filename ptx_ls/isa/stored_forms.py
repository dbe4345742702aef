"""Turns the rows of compiled data, which are plain tuples, back into named tuples."""

from __future__ import annotations

from typing import Any

from ptx_ls.isa.notation.table import (
    AvailabilityGate,
    ConditionalWord,
    EventRow,
    EventRows,
    FactRow,
    FormRow,
    FormRule,
    ModifierSlot,
    OperandRow,
    SlotText,
    SpecRow,
)


def revive_form(data: tuple[Any, ...]) -> FormRow:
    """Turns a stored form back into named tuples."""
    row = FormRow(*data)
    return row._replace(
        slots=tuple(ModifierSlot(*slot) for slot in row.slots),
        operands=tuple(_revive_operand(operand) for operand in row.operands),
        rules=tuple(FormRule(*rule) for rule in row.rules),
        gates=tuple(AvailabilityGate(*gate) for gate in row.gates),
        until=tuple(AvailabilityGate(*gate) for gate in row.until),
        deprecated=tuple(AvailabilityGate(*gate) for gate in row.deprecated),
    )


def _revive_operand(data: tuple[Any, ...]) -> OperandRow:
    row = OperandRow(*data)
    return row._replace(
        specs=tuple(SpecRow(*spec) for spec in row.specs),
        parts=tuple(_revive_operand(part) for part in row.parts),
    )


def revive_facts(data: tuple[Any, ...]) -> FactRow:
    """Turns the stored facts about a form back into named tuples."""
    row = FactRow(*data)
    return row._replace(
        effects=tuple(ConditionalWord(*fact) for fact in row.effects),
        convergence=tuple(ConditionalWord(*fact) for fact in row.convergence),
        events=_revive_events(row.events),
    )


def _revive_events(data: tuple[Any, ...]) -> EventRows:
    rows = EventRows(*data)
    return rows._replace(
        events=tuple(map(_revive_event, rows.events)),
        executed_by=tuple(ConditionalWord(*each) for each in rows.executed_by),
        completion=tuple(ConditionalWord(*each) for each in rows.completion),
    )


def _revive_event(data: tuple[Any, ...]) -> EventRow:
    row = EventRow(*data)
    return row._replace(texts={key: SlotText(*each) for key, each in row.texts.items()})
