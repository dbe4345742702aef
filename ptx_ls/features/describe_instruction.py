"""Instructions explained: the form in use, each modifier, each operand with its declared type."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ptx_ls import isa
from ptx_ls.features import markup
from ptx_ls.semantics.operands import SPECIAL

if TYPE_CHECKING:
    from ptx_ls.isa import Instruction, OperandSpec
    from ptx_ls.semantics.analysis import JudgedInstruction
    from ptx_ls.syntax.operands import OperandSyntax


def instruction(judged: JudgedInstruction) -> str | None:
    """Markdown on an instruction as it stands; None for an opcode that nothing is known of."""
    if judged.instruction is None:
        if judged.opcode in isa.database().keywords:
            return f"`{judged.opcode}`: an opcode of PTX"
        return None
    prose = judged.instruction.prose
    verdict = judged.verdict
    form = verdict.form if verdict else None
    heading = markup.block(form.syntax + ";" if form else judged.opcode)
    return markup.paragraphs(
        heading,
        f"**{prose.summary}**",
        form.summary if form else "",
        _modifiers(judged),
        _operands(judged),
        markup.block(prose.semantics, "c") if prose.semantics else "",
        _problems(judged),
        prose.doc,
        _pitfalls(judged.instruction),
        markup.manual(prose.section),
    )


def opcode(found: Instruction) -> str:
    """Markdown on an opcode by itself, as completion shows it."""
    prose = found.prose
    forms = "\n".join(form.syntax + ";" for form in found.forms)
    return markup.paragraphs(
        f"**{prose.summary}**",
        markup.block(forms),
        prose.doc,
        _pitfalls(found),
        markup.block(prose.example) if prose.example else "",
        markup.manual(prose.section),
    )


def modifier(judged: JudgedInstruction, number: int) -> str | None:
    """Markdown on one modifier of an instruction; `number` counts from 0."""
    found = judged.instruction
    if found is None or number >= len(judged.modifiers):
        return None
    text = judged.modifiers[number]
    slot = _slot_of(judged, text)
    doc = found.modifier_doc(text, slot) or _general(text)
    lines = [
        f"- {markup.code(violation.found)}: {violation.note or violation.kind.value}"
        for violation in (judged.verdict.violations if judged.verdict else ())
        if violation.part == ("modifier", number) and violation.required
    ]
    where = f" of `{judged.opcode}`" + (f", place `.{slot}`" if slot else "")
    return markup.paragraphs(f"{markup.code(text)}: modifier{where}", doc, "\n".join(lines))


def _general(text: str) -> str:
    """What a type or state space means anywhere."""
    database = isa.database()
    known = database.types.get(text) or database.state_spaces.get(text)
    return known.summary if known is not None else ""


def _slot_of(judged: JudgedInstruction, text: str) -> str:
    slots = judged.verdict.slots if judged.verdict else {}
    return next((name for name, value in slots.items() if value == text and name != text), "")


def _modifiers(judged: JudgedInstruction) -> str:
    found = judged.instruction
    if found is None:
        return ""
    lines = []
    for text in judged.modifiers:
        doc = found.modifier_doc(text, _slot_of(judged, text)) or _general(text)
        lines.append(f"- {markup.code(text)}" + (f": {doc}" if doc else ""))
    return "\n".join(lines)


def _operands(judged: JudgedInstruction) -> str:
    """A table of the operands: the manual's name, what is written, its declared type, its role."""
    found, verdict = judged.instruction, judged.verdict
    if found is None or verdict is None or not judged.operands:
        return ""
    rows = []
    for index, operand in enumerate(judged.operands):
        spec = verdict.operand_specs[index] if index < len(verdict.operand_specs) else None
        rows.append(
            (
                markup.code(spec.name) if spec else "",
                markup.code(" ".join(operand.text.split())),
                _declared(judged, operand),
                _role(found, spec),
            )
        )
    return markup.table(("operand", "here", "declared", "what it is"), rows)


def _role(found: Instruction, spec: OperandSpec | None) -> str:
    if spec is None:
        return ""
    doc = found.operand_doc(spec.name)
    return f"{spec.role}: {doc}" if doc else spec.role


def _declared(judged: JudgedInstruction, operand: OperandSyntax) -> str:
    """Declared types of the names in an operand."""
    types: list[str] = []
    stack = [operand]
    while stack:
        part = stack.pop(0)
        if part.identifier >= 0:
            facts = judged.facts[part.identifier]
            shown = facts.type or (facts.kind if facts.kind and facts.kind != SPECIAL else "")
            if shown and shown not in types:
                types.append(shown)
        stack = [*part.elements, *([part.paired] if part.paired else []), *stack]
    return ", ".join(markup.code(name) for name in types)


def _pitfalls(found: Instruction) -> str:
    return "\n".join(f"- ⚠ {text}" for text in found.prose.pitfalls)


def _problems(judged: JudgedInstruction) -> str:
    """What the module would need for this instruction."""
    violations = judged.verdict.violations if judged.verdict else ()
    needs = dict.fromkeys(violation.required for violation in violations if violation.required)
    return "\n".join(f"Requires {need}." for need in needs)
