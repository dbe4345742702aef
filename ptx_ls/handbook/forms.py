"""The facts about a form of an instruction, such as its operands, required versions and targets."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from ptx_ls.handbook.wording.availability import (
    AvailabilityFacts,
    Ending,
    deprecations_of,
    needs_of,
    removals_of,
)
from ptx_ls.handbook.wording.effects import EffectFacts, effects_of, with_convergence
from ptx_ls.handbook.wording.expressions import Wording
from ptx_ls.handbook.wording.memory_sentences import TOLD, form_sentences
from ptx_ls.handbook.wording.partial_evaluation import as_documented
from ptx_ls.handbook.wording.places import accepted, flattened
from ptx_ls.handbook.wording.rules import RuleFacts, rule_facts
from ptx_ls.isa.facts import CONVERGENCE, EFFECTS

if TYPE_CHECKING:
    from ptx_ls.isa.model import Form, Instruction
    from ptx_ls.isa.notation.table import OperandRow


_TOGETHER: Final = "must execute the instruction together"


@dataclass(frozen=True, slots=True)
class SlotFacts:
    """A place for a modifier: its values, one of which is written, or none if it is optional."""

    name: str
    values: tuple[str, ...]
    is_optional: bool
    is_literal: bool
    """Whether the syntax contains its only value, instead of the name of a set."""


@dataclass(frozen=True, slots=True)
class OperandFacts:
    """An operand of a form, or a part of one."""

    name: str
    syntax: str
    role: str
    """`read`, `write`, `readwrite` or `address`; "" if it consists of parts."""
    accepts: str
    """A description of the operands that are allowed."""
    is_optional: bool
    doc: str


@dataclass(frozen=True, slots=True)
class FormFacts:
    """Everything about one form."""

    id: str
    syntax: str
    summary: str
    slots: tuple[SlotFacts, ...]
    """The slots in canonical order; ptxas enforces it only among the first `head` and types."""
    head: int
    operands: tuple[OperandFacts, ...]
    rules: tuple[RuleFacts, ...]
    needs: tuple[AvailabilityFacts, ...]
    removed: tuple[Ending, ...]
    deprecated: tuple[Ending, ...]
    effects: tuple[EffectFacts, ...]
    convergence: tuple[EffectFacts, ...]
    memory: tuple[str, ...]
    """Sentences about the effects of the instructions on memory and on other threads."""
    sections: tuple[str, ...]

    @property
    def other_effects(self) -> tuple[EffectFacts, ...]:
        """The effects, and how threads must reach the instructions, if `memory` does not say so."""
        told = TOLD if self.memory else frozenset()
        found = tuple(each for each in self.effects if each.word not in told)
        says_together = any(_TOGETHER in each for each in self.memory)
        return found + (() if says_together else self.convergence)


def form_facts(
    instruction: Instruction, form: Form, given: Mapping[str, str] | None = None
) -> FormFacts:
    """Returns the facts about a form, narrowed to the modifiers in `given`, by slot."""
    wording = Wording(form, given)
    facts = instruction.facts(form)
    convergence = effects_of(facts.convergence, CONVERGENCE, wording)
    possible = wording.known.values
    slots = tuple(
        SlotFacts(
            slot.name,
            tuple(value for value in values if value),
            slot.optional and "" in values,
            slot.literal,
        )
        for slot, values in zip(form.row.slots, possible, strict=True)
    )
    return FormFacts(
        id=form.id,
        syntax=form.syntax,
        summary=form.summary,
        slots=slots,
        head=form.row.head,
        operands=tuple(_operand(instruction, row, wording) for row in flattened(form.row.operands)),
        rules=_rules(form, wording),
        needs=needs_of(form.row.gates, wording),
        removed=removals_of(form.row.until, wording),
        deprecated=deprecations_of(form.row.deprecated, wording),
        effects=effects_of(facts.effects, EFFECTS, wording),
        convergence=convergence,
        memory=tuple(with_convergence(form_sentences(facts.events, wording), convergence)),
        sections=instruction.section(form),
    )


def _operand(instruction: Instruction, row: OperandRow, wording: Wording) -> OperandFacts:
    return OperandFacts(
        row.name,
        row.syntax,
        "" if row.parts else row.role,
        accepted(row, wording),
        row.optional,
        instruction.operand_doc(row.name),
    )


def _rules(form: Form, wording: Wording) -> tuple[RuleFacts, ...]:
    """Returns the rules that otherwise legal instructions of this form can break."""
    found = []
    rows = flattened(form.row.operands)
    subjects = {f".{slot.name}" for slot in form.row.slots if not slot.literal}
    subjects |= {row.name for row in rows}
    for rule in form.row.rules:
        words = wording.requirement(as_documented(rule.test, rows))
        if words is not True:
            text = "" if words is False else words
            found.append(
                rule_facts(text, rule.text, rule.note, subjects, enforced=not rule.lenient)
            )
    return tuple(found)
