"""Where ptxas accepts more than the manual allows: lists for the documentation, from the data."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

from ptx_ls import isa
from ptx_ls.handbook.forms import form_facts
from ptx_ls.handbook.wording.availability import AvailabilityFacts, needs_of
from ptx_ls.handbook.wording.expressions import Wording
from ptx_ls.isa.notation.table import OperandRow
from ptx_ls.source.english import listed

_TARGET: Final = re.compile(r"sm_\w+")


def lenient_rules(instruction: isa.Instruction) -> list[str]:
    """Rules of the manual that ptxas does not enforce, and gates that it does not know."""
    found: dict[str, None] = {}
    for form in instruction.forms:
        syntax = _specific_syntax(form)
        for rule in form_facts(instruction, form).rules:
            if not rule.enforced:
                found.setdefault(rule.sentence.replace("in this form", f"in `{syntax}`"))
        needs = needs_of((*form.row.gates, *form.row.until), Wording(form))
        found.update(dict.fromkeys(_need(each, syntax) for each in needs if not each.enforced))
    return list(found)


def _specific_syntax(form: isa.Form) -> str:
    """Returns the syntax of a form, with the modifiers that have only one value in it."""
    syntax = form.syntax
    for slot in form.row.slots:
        if len(slot.values) == 1 and not slot.literal and not slot.optional:
            name = rf"\.{re.escape(slot.name)}(?![\w:])"
            syntax = re.sub(name, slot.values[0], syntax, count=1)
    return syntax


def _need(need: AvailabilityFacts, syntax: str) -> str:
    """Returns a requirement of the manual that ptxas does not check."""
    where = f" if {need.condition}" if need.condition else ""
    targets = set(_TARGET.findall(need.note))
    is_repeated = bool(targets) and targets.issubset(_TARGET.findall(need.text))
    note = f" ({need.note})" if need.note and not is_repeated else ""
    return (
        f"The manual requires {need.text} for `{syntax}`{where}{note}; ptxas does not check this."
    )


def lenient_operands(instruction: isa.Instruction) -> list[str]:
    """Operands with an alternative that only ptxas accepts."""
    found: dict[tuple[str, str], dict[str, None]] = {}
    for form in instruction.forms:
        for row in _rows(form.operands):
            for spec in row.specs:
                if "lenient" in spec.flags:
                    key = (form.syntax, _KINDS.get(spec.kind, spec.kind))
                    found.setdefault(key, {}).setdefault(row.name)
    return [
        f"ptxas accepts {what} as {_codes(list(names))} in `{syntax}`."
        for (syntax, what), names in found.items()
    ]


_KINDS = {
    "any": "any operand",
    "reg": "registers of other types",
    "imm": "constants",
    "vec": "vectors",
    "pack": "vectors",
    "addr": "addresses",
    "name": "names",
    "pred": "predicates",
    "sreg": "special registers",
}


def _rows(operands: tuple[OperandRow, ...]) -> Iterator[OperandRow]:
    for row in operands:
        yield row
        yield from _rows(row.parts)


def ignored_modifiers(instruction: isa.Instruction) -> list[str]:
    """Modifiers that ptxas ignores in this instruction alone, in the notation of the data."""
    own = instruction.ignored - instruction.tables.ignored
    return sorted(own.union(*(form.row.ignored for form in instruction.forms)))


def ignored_sentences(ignored: list[str]) -> list[str]:
    """Sentences on ignored modifiers, without those that a form excepts (`!.b2`)."""
    anywhere = [word for word in ignored if not word.startswith("!") and not word.endswith("$")]
    late = [word[:-1] for word in ignored if word.endswith("$") and word[:-1] not in anywhere]
    found = []
    for words, where in ((anywhere, ""), (late, " after the types of the instruction")):
        if words:
            modifiers = "modifiers" if len(words) > 1 else "modifier"
            found.append(f"ptxas ignores the {modifiers} {_codes(words)}{where}.")
    return found


def leniencies(database: isa.Database) -> str:
    """The section of the page: for every opcode a list, and what holds for all of them."""
    lines = [
        f"ptxas accepts these modifiers twice: {_codes(sorted(database.repeatable))}.",
        "",
        f"ptxas ignores these modifiers in any instruction: {_codes(sorted(database.ignored))}.",
        "",
    ]
    for opcode in sorted(database.opcodes):
        instruction = database.instruction(opcode)
        if instruction is not None:
            lines += _section(instruction)
    return "\n".join(lines).rstrip() + "\n"


def _section(instruction: isa.Instruction) -> list[str]:
    items = lenient_rules(instruction)
    items += lenient_operands(instruction)
    items += ignored_sentences(ignored_modifiers(instruction))
    if not items:
        return []
    return [f"### {instruction.opcode}", "", *(f"- {item}" for item in items), ""]


def _codes(words: list[str]) -> str:
    return listed([f"`{word}`" for word in words], "and")
