"""Instructions as the rest of ptx-ls sees them: forms, operand specifications, documentation."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, Final

from ptx_ls.isa.notation.expression import evaluate
from ptx_ls.isa.notation.expression_scope import ExpressionScope
from ptx_ls.isa.notation.table import (
    ConditionalWord,
    FactRow,
    FormRow,
    ModifierSlot,
    OperandRow,
    SpecRow,
)
from ptx_ls.isa.stored_forms import revive_facts

if TYPE_CHECKING:
    from ptx_ls.isa.operand import Operand
    from ptx_ls.isa.tables import IsaTables

_CONDITION: Final = "  // if "
"""Separates a text from the condition that selects the variants of the instruction with it."""


class Prose:
    """The texts of an instruction file. Decoded only when one is used."""

    __slots__ = (
        "category",
        "defaults",
        "doc",
        "example",
        "facts",
        "flow",
        "headlines",
        "modifiers",
        "not_computable",
        "operands",
        "pitfall_conditions",
        "pitfalls",
        "section",
        "see",
        "semantics",
        "summary",
    )  # fmt: skip

    def __init__(self, data: Mapping[str, Any]) -> None:
        self.summary: str = data.get("summary", "")
        """One line about the instruction."""
        self.doc: str = data.get("doc", "")
        """Several sentences, in Markdown."""
        self.section: tuple[str, ...] = tuple(data.get("section", ()))
        """Sections of the PTX ISA manual."""
        self.category: str = data.get("category", "")
        """The manual's group, such as "integer arithmetic"."""
        self.flow: str = data.get("flow", "")
        """Its kind of control flow: `branch`, `exit`, `return`, `call`, `barrier` or ""."""
        self.modifiers: Mapping[str, str] = data.get("modifiers", {})
        """The description of each modifier (`.sat`) and of each slot (`type`)."""
        self.operands: Mapping[str, str] = data.get("operands", {})
        """The description of each operand, by name."""
        self.headlines: tuple[tuple[str, str], ...] = _conditional(data.get("headline", ()))
        """Sentences on variants, each with a condition; the first one that holds is used."""
        pitfalls = _conditional(data.get("pitfalls", ()))
        self.pitfalls: tuple[str, ...] = tuple(text for text, _ in pitfalls)
        self.pitfall_conditions: tuple[str, ...] = tuple(condition for _, condition in pitfalls)
        """For each pitfall, which variants have it: a condition in pseudo-code, "" for all."""
        self.example: str = data.get("example", "")
        self.semantics: str = data.get("semantics", "")
        """The pseudo-code of what the instruction computes."""
        self.not_computable: str = data.get("not-computable", "")
        """Why the pseudo-code cannot be executed (`memory`, `control flow`); "" if it can be."""
        self.see: tuple[str, ...] = tuple(data.get("see", ()))
        """Related opcodes."""
        self.defaults: Mapping[str, str] = data.get("defaults", {})
        """The meaning of omitting an optional modifier (`.sat`), or all of a slot (`ss`)."""
        self.facts: tuple[FactRow, ...] = tuple(map(revive_facts, data.get("facts", ())))
        """Facts about each form, in the order of the forms."""


def _conditional(texts: Sequence[str]) -> tuple[tuple[str, str], ...]:
    """Splits texts from their conditions in pseudo-code; "" for all variants."""
    parts = (text.partition(_CONDITION) for text in texts)
    return tuple((text, condition) for text, _, condition in parts)


class OperandSpec:
    """One operand position of a form, and what it takes."""

    __slots__ = ("row", "types")

    def __init__(self, row: OperandRow, types: tuple[str, ...]) -> None:
        self.row = row
        self.types = types
        """The type of each alternative for this instruction; "" when any type fits."""

    @property
    def name(self) -> str:
        """The manual's name of the operand: `d`, `a`, `cache-policy`."""
        return self.row.name

    @property
    def role(self) -> str:
        """How the operand is used: `read`, `write`, `readwrite` or `address`."""
        return self.row.role

    @property
    def pair(self) -> str:
        """The name of the second destination in `d|p`, or ""."""
        return self.row.pair

    @property
    def is_optional(self) -> bool:
        """Whether the operand may be omitted."""
        return self.row.optional

    @property
    def syntax(self) -> str:
        """The operand in the manual's notation: `[a]`, `d{|p}`, `{!}c`."""
        return self.row.syntax

    @property
    def type(self) -> str:
        """The operand's type in this instruction (`.u32`), "" when it has none."""
        for name in self.types:
            if name:
                return name
        return ""

    @property
    def kinds(self) -> tuple[str, ...]:
        """The kinds of operands allowed here: `reg`, `imm`, `vec`, `addr`, `name`, `sreg`, ..."""
        return tuple(dict.fromkeys(spec.kind for spec in self.row.specs))

    @property
    def alternatives(self) -> tuple[SpecRow, ...]:
        """The operand specifications, one of which the operand has to meet."""
        return self.row.specs


class Form:
    """One form of an instruction: a line of the manual's notation with its conditions."""

    __slots__ = ("opcode", "row", "types")

    def __init__(self, opcode: str, row: FormRow, types: Mapping[str, tuple[int, str]]) -> None:
        self.opcode = opcode
        self.row = row
        self.types = types
        """The width in bits and the class of every type."""

    @property
    def id(self) -> str:
        """The name of the form within its file."""
        return self.row.id

    @property
    def syntax(self) -> str:
        """The form in the manual's notation."""
        return self.row.syntax

    @property
    def summary(self) -> str:
        """One line about this form, or ""."""
        return self.row.summary

    @property
    def slots(self) -> tuple[ModifierSlot, ...]:
        """The modifier slots in canonical order."""
        return self.row.slots[: self.row.n_modifier_slots]

    @property
    def operands(self) -> tuple[OperandRow, ...]:
        """The operand places in order."""
        return self.row.operands

    def scope(
        self, values: Sequence[str], operands: Mapping[str, Operand] | None = None
    ) -> ExpressionScope:
        """Returns the scope of the form's expressions; `values` are the modifiers in its slots."""
        return ExpressionScope(values, self.types, self.row.tables, operands)

    def by_slot(self, values: Sequence[str]) -> dict[str, str]:
        """Returns the modifiers by the names of their slots, without empty slots."""
        return {slot.name: it for slot, it in zip(self.row.slots, values, strict=True) if it}

    def __repr__(self) -> str:
        return f"Form({self.opcode}, {self.id})"


class Instruction:
    """An opcode: its forms and its documentation."""

    __slots__ = (
        "_prose",
        "_read_prose",
        "forms",
        "forms_with",
        "ignored",
        "known",
        "opcode",
        "tables",
    )

    def __init__(
        self,
        opcode: str,
        rows: tuple[FormRow, ...],
        ignored: frozenset[str],
        read_prose: Callable[[], Prose],
        tables: IsaTables,
    ) -> None:
        self.opcode = opcode
        self.forms = tuple(Form(opcode, row, tables.type_facts) for row in rows)
        self.tables = tables
        self.forms_with: dict[str, int] = {}
        """For each modifier, a bit set of the forms that take it: bit `n` is for `forms[n]`."""
        for number, row in enumerate(rows):
            for token in row.accepts:
                self.forms_with[token] = self.forms_with.get(token, 0) | 1 << number
        self.known = frozenset(self.forms_with)
        """Every modifier that some form takes."""
        self.ignored = ignored | (tables.ignored - self.known)
        """Modifiers that ptxas accepts and ignores in forms that do not have them."""
        self._read_prose = read_prose
        self._prose: Prose | None = None

    @property
    def prose(self) -> Prose:
        """The texts of the data file."""
        if self._prose is None:
            self._prose = self._read_prose()
        return self._prose

    @property
    def summary(self) -> str:
        """One line about the instruction."""
        return self.prose.summary

    @property
    def flow(self) -> str:
        """Its kind of control flow: `branch`, `exit`, `return`, `call`, `barrier` or ""."""
        return self.prose.flow

    def modifier_doc(self, modifier: str, slot: str = "") -> str:
        """Returns a modifier's meaning: from the instruction's file, else from the shared texts."""
        own = self.prose.modifiers
        shared = self.tables.modifier_texts["modifiers"]
        for texts in (own, shared):
            for key in (f"{slot}{modifier}" if slot else "", modifier):
                if key in texts:
                    return texts[key]
        return own.get(slot, "") or shared.get(slot, "")

    def default_doc(self, modifier: str, slot: str = "") -> str:
        """Returns the meaning of omitting a modifier, from the instruction or the shared texts."""
        for texts in (self.prose.defaults, self.tables.modifier_texts["defaults"]):
            for key in (slot, modifier):
                if key in texts:
                    return texts[key]
        return ""

    def effects(self, form: Form, slots: Mapping[str, str] | None = None) -> tuple[str, ...]:
        """Returns a form's effects beyond writing registers: keys of `ptx_ls.isa.facts.EFFECTS`.

        `slots`: the modifiers by slot (`Verdict.slots`); without it, returns all possible effects.
        """
        return holding(self.facts(form).effects, form, slots)

    def convergence(self, form: Form, slots: Mapping[str, str] | None = None) -> tuple[str, ...]:
        """Returns the keys of `ptx_ls.isa.facts.CONVERGENCE` that apply; see `effects`."""
        return holding(self.facts(form).convergence, form, slots)

    def section(self, form: Form) -> tuple[str, ...]:
        """Returns the manual's sections about a form, else its sections about the instruction."""
        return self.facts(form).section or self.prose.section

    def facts(self, form: Form) -> FactRow:
        """Returns the facts about a form, with their conditions."""
        return self.prose.facts[self.forms.index(form)]

    def operand_doc(self, name: str) -> str:
        """Returns an operand's purpose: from the instruction's file, else from the shared texts."""
        return self.prose.operands.get(name, "") or self.tables.modifier_texts["operands"].get(
            name, ""
        )

    def __repr__(self) -> str:
        return f"Instruction({self.opcode})"


def holding(
    facts: Sequence[ConditionalWord], form: Form, slots: Mapping[str, str] | None
) -> tuple[str, ...]:
    """Returns the words whose conditions the modifiers in `slots` (by slot name) meet, in order.

    Without `slots`, returns all words.
    """
    if slots is None:
        return tuple(dict.fromkeys(fact.word for fact in facts))
    values = [slots.get(slot.name, "") for slot in form.row.slots]
    scope = form.scope(values)
    return tuple(
        dict.fromkeys(
            fact.word for fact in facts if fact.condition is None or evaluate(fact.condition, scope)
        )
    )
