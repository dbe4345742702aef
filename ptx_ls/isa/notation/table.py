"""The shape of compiled ISA data: plain tuples and dictionaries, as `marshal` stores them.

The compiler writes them, the loader reads them, and nothing else knows their layout.
"""

from __future__ import annotations

from typing import Any

from ptx_ls.source.named_tuple import NamedTuple

Node = tuple[Any, ...]
"""An expression: `(operator, argument, ...)`; see `ptx_ls.isa.notation.expression`."""

Requirement = tuple[tuple[int, int], tuple[tuple[int, str], ...]]
"""One alternative of a gate: the minimum version, and targets, one of which is required."""


class ModifierSlot(NamedTuple):
    """A place for one modifier in a form, in canonical order."""

    name: str
    values: tuple[str, ...]
    optional: bool
    group: int
    """Slots of one group take their modifiers in order; -1 for a slot without a group."""
    literal: bool
    """Whether the notation spells the modifier out instead of naming a set."""


class FormRule(NamedTuple):
    """A condition that must hold among the slots and operands of a form."""

    test: Node
    text: str
    note: str
    lenient: bool
    needs_operands: bool


class AvailabilityGate(NamedTuple):
    """A gate: when `condition` holds (None: always), one of `requirements` must be met."""

    condition: Node | None
    requirements: tuple[Requirement, ...]
    lenient: bool
    needs_operands: bool
    note: str


class SpecRow(NamedTuple):
    """One alternative of an operand."""

    kind: str
    type: Node | None
    size: Node | None
    flags: frozenset[str]
    """The flags of docs/isa-format.md, and `fixed` for a type that is not of the instruction."""
    words: tuple[str, ...]
    """State spaces of `addr` and `name`."""
    low: int | None
    high: int | None
    multiple: int
    choices: tuple[int | float, ...]
    n_before: Node | None = None
    """The number of elements of a vector before its values, such as a layer or a sample."""


class OperandRow(NamedTuple):
    """An operand position of a form."""

    name: str
    optional: bool
    specs: tuple[SpecRow, ...]
    role: str
    pair: str
    """The name of `q` in `d|q`, or ""."""
    pair_optional: bool
    negation: str
    """The characters that are allowed before the operand."""
    selector: int
    """The index of the slot that a selector such as `.b0` fills, or -1."""
    parts: tuple[Any, ...]
    """The OperandRow of each part of a compound address."""
    syntax: str


class FormRow(NamedTuple):
    """A compiled form."""

    id: str
    syntax: str
    slots: tuple[ModifierSlot, ...]
    accepts: dict[str, tuple[int, ...]]
    """The indices of the slots that each modifier may fill."""
    n_modifier_slots: int
    head: int
    operands: tuple[OperandRow, ...]
    rules: tuple[FormRule, ...]
    gates: tuple[AvailabilityGate, ...]
    until: tuple[AvailabilityGate, ...]
    deprecated: tuple[AvailabilityGate, ...]
    tables: dict[str, dict[str, int]]
    summary: str
    ignored: frozenset[str]
    """Modifiers that ptxas accepts and ignores in this form."""


class ConditionalWord(NamedTuple):
    """A word about a form that holds when `condition` does (None: always)."""

    condition: Node | None
    word: str


class SlotText(NamedTuple):
    """A word that a modifier names: the modifier in a slot without its dot, or else `default`.

    `slot` is the expression for the modifier; None if the word is always `default`.
    """

    slot: Node | None
    default: str


class EventRow(NamedTuple):
    """One access to memory, or one act of synchronisation, of the instructions of a form.

    `kind` is one of `ptx_ls.isa.event_words.ACCESSES`, or `does`. `operand` is the address, the
    barrier or the object, "" if there is none. `texts` has the words of an event, such as its
    `space` and `order`. `argument` is the operand with the number that belongs to the event: bytes,
    arrivals, threads, groups or a phase; `amount` is the number if it is known.
    """

    kind: str
    operand: str
    condition: Node | None
    texts: dict[str, SlotText]
    amount: Node | None
    lanes: Node | None
    argument: str


class EventRows(NamedTuple):
    """The events of a form; see `ptx_ls.isa.memory_events`."""

    events: tuple[EventRow, ...]
    executed_by: tuple[ConditionalWord, ...]
    completion: tuple[ConditionalWord, ...]
    in_flight: tuple[str, ...]
    """The operands whose registers the asynchronous operation uses until it completes."""


class FactRow(NamedTuple):
    """The facts about a form; see `ptx_ls.isa.facts`."""

    effects: tuple[ConditionalWord, ...]
    convergence: tuple[ConditionalWord, ...]
    section: tuple[str, ...]
    """Sections of the PTX ISA manual about this form; empty if those of the instruction apply."""
    events: EventRows
