"""A modifier by itself: its meaning, and the instructions that take it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from ptx_ls.handbook.instructions import meaning
from ptx_ls.handbook.page import Entry, Heading, Page, Table, Text
from ptx_ls.handbook.wording.phrases import code

if TYPE_CHECKING:
    from ptx_ls.isa.database import Database


@dataclass(frozen=True, slots=True)
class ModifierUse:
    """The meaning of a modifier in some instructions."""

    instructions: tuple[str, ...]
    doc: str


@dataclass(frozen=True, slots=True)
class SharedModifierFacts:
    """A modifier, with its meanings in all instructions, the most common one first."""

    name: str
    summary: str
    """Its most common meaning."""
    uses: tuple[ModifierUse, ...]


def modifier(database: Database, name: str) -> Entry | None:
    """Returns a modifier by its name, `.sat`; None if no instruction has it."""
    uses: dict[str, dict[str, None]] = {}
    for opcode in sorted(database.opcodes):
        instruction = database.instruction(opcode)
        if instruction is None or name not in instruction.known:
            continue
        for form in instruction.forms:
            for slot in form.slots:
                if name in slot.values:
                    doc = meaning(instruction, name, slot.name)
                    uses.setdefault(doc, {})[opcode] = None
    if not uses:
        return None
    ordered = sorted(uses.items(), key=lambda item: -len(item[1]))
    facts = SharedModifierFacts(
        name, ordered[0][0], tuple(ModifierUse(tuple(opcodes), doc) for doc, opcodes in ordered)
    )
    rows = tuple(
        (use.doc, " ".join(f"[`{opcode}`]({opcode})" for opcode in use.instructions))
        for use in facts.uses
    )
    n_instructions = len({opcode for use in facts.uses for opcode in use.instructions})
    blocks = (
        Text(
            f"**A modifier of {n_instructions} instruction{'' if n_instructions == 1 else 's'}.**"
        ),
        Heading(2, "Meanings"),
        Table(("meaning", "instructions"), rows),
    )
    return Entry("modifier", name, facts.summary, facts, Page(code(name), blocks))
