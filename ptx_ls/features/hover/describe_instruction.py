"""Instructions explained: the form in use, each modifier, each operand with its declared type."""

from __future__ import annotations

import re
from functools import lru_cache
from typing import TYPE_CHECKING, Final

from ptx_ls import isa
from ptx_ls.features import markup
from ptx_ls.features.hover import describe_operands
from ptx_ls.features.hover.relevant_pitfalls import relevant_pitfalls
from ptx_ls.features.markup import Markdown
from ptx_ls.isa.checking.filling import can_be_added
from ptx_ls.isa.checking.match import place
from ptx_ls.semantics.constants.values import value_of
from ptx_ls.syntax.operands import OperandForm

if TYPE_CHECKING:
    from collections.abc import Sequence

    from ptx_ls.isa import Instruction
    from ptx_ls.isa.layout import MatrixLayout
    from ptx_ls.isa.model import Form
    from ptx_ls.semantics.analysis import Analysis, JudgedInstruction
    from ptx_ls.source import Position

_MAX_LINES: Final = 40
"""Lines of a hover, about; the least useful parts are cut first."""
_MAX_LINES_OVER: Final = 8
"""So many lines over that, even the text on the opcode is cut to a sentence."""
_MAX_PITFALLS: Final = 3
_MAX_OTHER_MODIFIERS: Final = 16
"""Other modifiers that a hover on one lists at most."""
_HOLDING: Final = (OperandForm.VECTOR, OperandForm.IDENTIFIER)
"""Operands that may hold elements of a matrix."""
_LANES_OF_ROW: Final = 4
_MAX_SECTIONS: Final = 4
"""Sections of the manual that are named."""
_SHAPE: Final = re.compile(r"\.m(\d+)n(\d+)k(\d+)").fullmatch
_SENTENCE: Final = re.compile(r".+?[.:](?=\s|$)", re.DOTALL).match
_MODIFIER: Final = re.compile(r"\.[A-Za-z][\w:]*").findall
_MODIFIER_NAME: Final = re.compile(r"\.[A-Za-z][\w:]*").sub
_PART_OF_OPCODE: Final = re.compile(r"\{[^{}]*\}|\.[A-Za-z][\w:]*").sub
_PLAIN_SLOT: Final = "type"
"""A slot whose own text says nothing that its value does not say."""


def instruction(analysis: Analysis, judged: JudgedInstruction) -> Markdown | None:
    """Markdown on an instruction as it stands; None for an opcode that nothing is known of."""
    found = judged.instruction
    if found is None:
        if judged.opcode in isa.database().keywords:
            return markup.filled("{}: an opcode of PTX", markup.code(judged.opcode))
        return None
    from ptx_ls.features.hover import describe_variant
    from ptx_ls.features.hover.pseudo_code import operand_texts, pseudo_code
    from ptx_ls.features.hover.pseudo_code_conditions import variant_of
    from ptx_ls.handbook.sentences import manual

    prose = found.prose
    form = judged.verdict.form if judged.verdict else None
    operands = operand_texts(judged)
    variant = variant_of(judged, operands)
    computed = pseudo_code(judged, operands, variant)
    code = markup.block(computed, "c") if computed else ""
    here = [
        markup.block(_headline(judged)),
        _summary(prose.summary, form.summary if form else ""),
        _problems(judged),
        describe_variant.endings(judged),
        code,
        markup.joined("\n", filter(None, (_modifiers(judged), describe_variant.defaults(judged)))),
        describe_operands.table(judged),
        describe_operands.names(analysis, judged),
        describe_variant.layouts(judged),
        describe_variant.facts(judged),
    ]
    shown = markup.paragraphs(*here)
    if (
        _height(shown) > _MAX_LINES + _MAX_LINES_OVER
    ):  # of the largest it says less than the layouts do
        here.remove(code)
        shown = markup.paragraphs(*here)
    general = [
        prose.doc,
        _pitfalls(relevant_pitfalls(judged, variant)),
    ]
    section = found.section(form) if form else prose.section
    room = _MAX_LINES - _height(shown)
    ours = map(markup.own, (*_shortened(general, room), manual(section, _MAX_SECTIONS)))
    return markup.paragraphs(shown, *ours)


@lru_cache(maxsize=256)
def _summary(of_opcode: str, of_form: str = "") -> Markdown:
    """The summary of an opcode, and what a form does beyond it."""
    shown = markup.filled("**{}**", markup.own(of_opcode))
    return markup.joined(" ", [shown, markup.own(of_form)] if of_form else [shown])


def _headline(judged: JudgedInstruction) -> str:
    """The form in use, with the modifiers that are written; what may be added is in braces."""
    verdict = judged.verdict
    if verdict is None or verdict.form is None:
        return judged.opcode
    written = tuple(verdict.slots.get(slot.name, "") for slot in verdict.form.row.slots)
    return _form_in_use(verdict.form, written)


@lru_cache(maxsize=1024)
def _form_in_use(form: Form, written: tuple[str, ...]) -> str:
    """A form with the modifiers of its slots, and in braces those that may be added.

    A group of modifiers that is illegal beside those that are written is left out.
    """
    slots = {f".{slot.name}": index for index, slot in enumerate(form.slots)}

    def filled(part: re.Match[str]) -> str:
        group = [slots[name] for name in _MODIFIER(part[0]) if name in slots]
        if any(written[slot] for slot in group):
            return _MODIFIER_NAME(in_use, part[0].strip("{}"))
        is_optional = part[0].startswith("{")
        return part[0] if not is_optional or can_be_added(form, written, group) else ""

    def in_use(name: re.Match[str]) -> str:
        slot = slots.get(name[0], -1)
        return (written[slot] if slot >= 0 else "") or name[0]

    opcode, blank, operands = form.syntax.partition(" ")
    return f"{_PART_OF_OPCODE(filled, opcode)}{blank}{operands};"


def _shortened(general: Sequence[str], room: int) -> list[str]:
    """What holds for the opcode in general, cut to about `room` lines."""
    doc, pitfalls = general
    if _height(doc, pitfalls) <= room:
        return [doc, pitfalls]
    pitfalls = "\n".join(pitfalls.split("\n")[:_MAX_PITFALLS])
    if _height(doc, pitfalls) > room:
        doc = _beginning(doc)
    if _height(doc, pitfalls) > room + _MAX_LINES_OVER:
        doc = _first_sentence(doc)
    return [doc, pitfalls]


def _beginning(doc: str) -> str:
    """The first paragraph, with the list that it announces."""
    first, _, rest = doc.strip().partition("\n\n")
    if not first.endswith(":"):
        return first
    following = rest.partition("\n\n")[0]
    return f"{first}\n\n{following}"


def _first_sentence(doc: str) -> str:
    found = _SENTENCE(doc.strip())
    return found[0] if found else doc


def _height(*parts: str) -> int:
    return sum(part.strip().count("\n") + 2 for part in parts if part)


def opcode(found: Instruction) -> Markdown:
    """Markdown on an opcode by itself, as completion shows it."""
    from ptx_ls.handbook.sentences import manual

    prose = found.prose
    forms = "\n".join(form.syntax + ";" for form in found.forms)
    return markup.paragraphs(
        _summary(prose.summary),
        markup.block(forms),
        markup.own(prose.doc),
        _pitfalls(prose.pitfalls),
        markup.block(prose.example) if prose.example else "",
        markup.own(manual(prose.section, _MAX_SECTIONS)),
    )


def modifier(judged: JudgedInstruction, number: int) -> Markdown | None:
    """Markdown on one modifier of an instruction; `number` counts from 0."""
    found = judged.instruction
    if found is None or number >= len(judged.modifiers):
        return None
    from ptx_ls.features.hover import describe_variant

    text = judged.modifiers[number]
    slot = _slots(judged.modifiers, judged.verdict.form if judged.verdict else None)[number]
    notes = [
        f"Requires {violation.required}." if violation.required else violation.note
        for violation in (judged.verdict.violations if judged.verdict else ())
        if violation.part == ("modifier", number)
    ]
    is_named = slot and f".{slot}" != text
    place_name = markup.filled(" ({})", markup.code(f".{slot}")) if is_named else ""
    opcode = markup.code(judged.opcode)
    return markup.paragraphs(
        markup.filled("{}: modifier of {}{}", markup.code(text), opcode, place_name),
        markup.own(_meaning(found, text, slot)),
        markup.own(" ".join(notes)),
        describe_variant.of_modifier(judged, slot) if slot else "",
        _others(judged, text, slot),
    )


def fragment(judged: JudgedInstruction, position: Position) -> tuple[MatrixLayout, int, int] | None:
    """The matrix of which the register at a position holds elements, and the register's number.

    And the value of the operand that chooses the lanes that count, 0 if it is not known.
    """
    for index, operand in enumerate(judged.operands):
        if operand.form not in _HOLDING:
            continue
        held = operand.elements if operand.form is OperandForm.VECTOR else (operand,)
        places = [judged.statement.position(each.start) for each in held]
        if position in places:
            from ptx_ls.features.hover.describe_variant import fragment_layout

            layout = fragment_layout(judged, index)
            if layout is None:
                return None
            return layout, places.index(position), _selected(judged, layout.selector)
    return None


def swizzling(judged: JudgedInstruction, position: Position) -> Markdown:
    """A table of the swizzling modes that a matrix descriptor at a position may name."""
    verdict = judged.verdict
    if verdict is None or verdict.form is None:
        return markup.NOTHING
    for operand, spec in zip(judged.operands, verdict.operand_specs, strict=False):
        if spec is not None and judged.statement.position(operand.start) == position:
            from ptx_ls.handbook.swizzling import HEADER, is_descriptor, swizzle_facts, swizzle_rows

            if not is_descriptor(spec.name):
                return markup.NOTHING
            modes = swizzle_facts(judged.opcode, [verdict.form])
            rows = [[markup.own(cell) for cell in row] for row in swizzle_rows(modes)]
            return markup.paragraphs(
                markup.own("Swizzling modes of the matrix:"), markup.table(HEADER, rows)
            )
    return markup.NOTHING


def _selected(judged: JudgedInstruction, selector: str) -> int:
    """The value of an operand, or of the second number in it; 0 where it makes no sense."""
    specs = judged.verdict.operand_specs if judged.verdict is not None else ()
    for operand, spec in zip(judged.operands, specs, strict=False):
        if selector and spec is not None and spec.name == selector:
            chosen = operand.elements[-1] if operand.elements else operand
            value = value_of(chosen.text)
            return int(value) if value is not None and value in range(_LANES_OF_ROW) else 0
    return 0


def _others(judged: JudgedInstruction, text: str, slot: str) -> Markdown:
    """The other modifiers that this form has for the same place."""
    form = judged.verdict.form if judged.verdict else None
    values = _values(form, slot) if form else []
    others = [value for value in values if value != text]
    if not others:
        return markup.NOTHING
    shown = markup.joined(" ", map(markup.code, others[:_MAX_OTHER_MODIFIERS]))
    return markup.filled(
        "Others in its place: {}{}", shown, " …" if len(others) > _MAX_OTHER_MODIFIERS else ""
    )


def _values(form: Form, slot: str) -> list[str]:
    return next((list(each.values) for each in form.slots if each.name == slot), [])


def _slots(modifiers: tuple[str, ...], form: Form | None) -> list[str]:
    """The slot that each modifier fills in the form in use; "" for none."""
    names = [""] * len(modifiers)
    if form is not None:
        placement = place(form.row, modifiers, frozenset())
        for slot, index in zip(form.slots, placement.filled_by, strict=False):
            if index >= 0:
                names[index] = slot.name
    return names


def _meaning(found: Instruction, text: str, slot: str) -> str:
    """What a modifier means in a slot: what it is, and what it is there for."""
    database = isa.database()
    known = database.types.get(text)
    doc = found.modifier_doc(text, slot)
    if known is None:
        space = database.state_spaces.get(text)
        shape = _SHAPE(text)
        if shape is not None:
            m, n, k = shape.groups()
            return f"{doc} Here A is {m}x{k}, B {k}x{n}, C and D {m}x{n}.".lstrip()
        return doc or (space.summary if space is not None else "")
    is_own = text in found.prose.modifiers or slot + text in found.prose.modifiers
    if is_own or not doc or slot == _PLAIN_SLOT:
        return doc if is_own else known.summary
    return doc if doc == known.summary else f"{doc} {known.summary}"


def _modifiers(judged: JudgedInstruction) -> Markdown:
    if judged.instruction is None:
        return markup.NOTHING
    form = judged.verdict.form if judged.verdict else None
    return _modifier_list(judged.instruction, judged.modifiers, form)


@lru_cache(maxsize=256)
def _modifier_list(found: Instruction, modifiers: tuple[str, ...], form: Form | None) -> Markdown:
    lines = []
    for text, slot in zip(modifiers, _slots(modifiers, form), strict=True):
        doc = _meaning(found, text, slot)
        more = markup.filled(": {}", markup.own(doc)) if doc else ""
        lines.append(markup.filled("{}{}", markup.code(text), more))
    return markup.bullets(lines)


@lru_cache(maxsize=256)
def _pitfalls(pitfalls: tuple[str, ...]) -> Markdown:
    return markup.bullets(markup.filled("⚠ {}", markup.own(text)) for text in pitfalls)


def _problems(judged: JudgedInstruction) -> Markdown:
    """What the module would need for this instruction."""
    violations = judged.verdict.violations if judged.verdict else ()
    needs = dict.fromkeys(violation.required for violation in violations if violation.required)
    return markup.joined("\n", (markup.filled("Requires {}.", markup.own(it)) for it in needs))
