"""Explains instructions: the form in use, each modifier, each operand with its declared type."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

from ptx_ls import isa
from ptx_ls.features import markup
from ptx_ls.features.hover import describe_operands
from ptx_ls.features.hover.relevant_pitfalls import relevant_pitfalls
from ptx_ls.features.markup import Markdown
from ptx_ls.isa.checking.filling import can_be_added
from ptx_ls.isa.checking.match import place

if TYPE_CHECKING:
    from ptx_ls.isa import Instruction
    from ptx_ls.semantics.analysis import Analysis, JudgedInstruction

_MAX_LINES: Final = 40
"""Approximate maximum number of lines of a hover; the least useful parts are cut first."""
_MAX_LINES_OVER: Final = 8
"""A hover that is longer by more lines loses its pseudo-code, or all but a sentence of its text."""
_MAX_PITFALLS: Final = 3
_MAX_OTHER_MODIFIERS: Final = 16
"""Maximum number of other modifiers of the same slot that are listed."""
_MAX_SECTIONS: Final = 4
"""Maximum number of sections of the manual that are named."""
_SENTENCE: Final = re.compile(r".+?[.:](?=\s|$)", re.DOTALL).match
_PLAIN_SLOT: Final = "type"
"""The slot whose own text adds nothing to the text of its value."""


def instruction(analysis: Analysis, judged: JudgedInstruction) -> Markdown | None:
    """Explains an instruction as it is written; returns None for an unknown opcode."""
    found = judged.instruction
    if found is None:
        if judged.opcode in isa.database().keywords:
            return markup.filled("{}: an opcode of PTX", markup.code(judged.opcode))
        return None
    from ptx_ls.features.hover import describe_variant
    from ptx_ls.features.hover.pseudo_code import operand_texts, pseudo_code
    from ptx_ls.features.hover.pseudo_code_conditions import variant_of
    from ptx_ls.handbook.chapters.links import with_chapters
    from ptx_ls.handbook.sentences import manual

    prose = found.prose
    form = judged.form
    operands = operand_texts(judged)
    variant = variant_of(judged, operands)
    computed = pseudo_code(judged, operands, variant)
    code = markup.block(computed, "c") if computed else ""
    modifiers = _modifiers(judged, found), describe_variant.defaults(judged)
    here = [
        markup.block(_headline(judged)),
        _summary(prose.summary, form.summary if form else ""),
        _problems(judged),
        describe_variant.endings(judged),
        code,
        markup.joined("\n", filter(None, modifiers)),
        describe_operands.table(judged),
        describe_operands.names(analysis, judged),
        describe_variant.layouts(judged),
        describe_variant.facts(judged),
    ]
    shown = markup.paragraphs(*here)
    if _height(shown) > _MAX_LINES + _MAX_LINES_OVER:
        here.remove(code)  # less useful than the matrix layouts, which take most lines
        shown = markup.paragraphs(*here)
    pitfalls = _pitfalls(relevant_pitfalls(judged, variant))
    section = found.section(form) if form else prose.section
    general = _shortened(prose.doc, pitfalls, _MAX_LINES - _height(shown))
    source = with_chapters(manual(section, _MAX_SECTIONS), judged.opcode, judged.modifiers)
    ours = map(markup.own, (*general, source))
    return markup.paragraphs(shown, *ours)


def _summary(of_opcode: str, of_form: str = "") -> Markdown:
    """Returns the summary of an opcode, and what a form does beyond it."""
    shown = markup.filled("**{}**", markup.own(of_opcode))
    return markup.joined(" ", [shown, markup.own(of_form)] if of_form else [shown])


def _headline(judged: JudgedInstruction) -> str:
    """Returns the form in use with the modifiers written, and in braces those that may be added.

    Omits a group of modifiers that is illegal with those that are written.
    """
    form = judged.form
    if form is None:
        return judged.opcode
    written = tuple(judged.all_slots().values())
    slots = {slot.name: index for index, slot in enumerate(form.slots)}
    head, blank, operands = form.syntax.partition(" ")
    shown = ""
    for number, part in enumerate(head.replace("}", "{").split("{")):
        opcode, *names = part.split(".")
        shown += opcode
        is_optional = number % 2 == 1
        for group in [names] if is_optional else [[name] for name in names]:
            filled = [slots[name] for name in group if name in slots]
            if any(written[slot] for slot in filled):
                values = (written[slots[name]] if name in slots else "" for name in group)
                pairs = zip(values, group, strict=True)
                shown += "".join(value or f".{name}" for value, name in pairs)
            elif not is_optional:
                shown += f".{group[0]}"
            elif can_be_added(form, written, filled):
                shown += f"{{{part}}}"
    return f"{shown}{blank}{operands};"


def _shortened(doc: str, pitfalls: str, room: int) -> tuple[str, str]:
    """Returns the text on an opcode and its pitfalls, cut to about `room` lines."""
    if _height(doc, pitfalls) <= room:
        return doc, pitfalls
    pitfalls = "\n".join(pitfalls.split("\n")[:_MAX_PITFALLS])
    if _height(doc, pitfalls) > room:
        doc = _beginning(doc)
    if _height(doc, pitfalls) > room + _MAX_LINES_OVER:
        doc = _first_sentence(doc)
    return doc, pitfalls


def _beginning(doc: str) -> str:
    """Returns the first paragraph, with the list that it introduces."""
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
    """Explains an opcode by itself, as completion shows it."""
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
    """Explains one modifier of an instruction; `number` counts from 0."""
    found = judged.instruction
    if found is None or number >= len(judged.modifiers):
        return None
    from ptx_ls.features.hover import describe_variant

    text = judged.modifiers[number]
    slot = _slots(judged)[number]
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


def _others(judged: JudgedInstruction, text: str, slot: str) -> Markdown:
    """Returns the other modifiers that this form has for the same place."""
    slots = judged.form.slots if judged.form is not None else ()
    others = [
        value for each in slots if each.name == slot for value in each.values if value != text
    ]
    if not others:
        return markup.NOTHING
    shown = markup.joined(" ", map(markup.code, others[:_MAX_OTHER_MODIFIERS]))
    return markup.filled(
        "Alternatives: {}{}", shown, " …" if len(others) > _MAX_OTHER_MODIFIERS else ""
    )


def _slots(judged: JudgedInstruction) -> list[str]:
    """Returns the slot that each modifier fills in the form in use; "" for none."""
    names = [""] * len(judged.modifiers)
    if judged.form is not None:
        placement = place(judged.form.row, judged.modifiers, frozenset())
        for slot, index in zip(judged.form.slots, placement.filled_by, strict=False):
            if index >= 0:
                names[index] = slot.name
    return names


def _meaning(found: Instruction, text: str, slot: str) -> str:
    """Returns the meaning of a modifier: its purpose in a slot, and the type that it names."""
    database = isa.database()
    known = database.types.get(text)
    doc = found.modifier_doc(text, slot)
    if known is None:
        space = database.state_spaces.get(text)
        shape = text.removeprefix(".m").replace("n", "k").split("k")
        if len(shape) == len("mnk") and all(map(str.isdigit, shape)):
            m, n, k = shape
            return f"{doc} Here A is {m}x{k}, B {k}x{n}, C and D {m}x{n}.".lstrip()
        return doc or (space.summary if space is not None else "")
    is_own = text in found.prose.modifiers or slot + text in found.prose.modifiers
    if is_own or not doc or slot == _PLAIN_SLOT:
        return doc if is_own else known.summary
    return doc if doc == known.summary else f"{doc} {known.summary}"


def _modifiers(judged: JudgedInstruction, found: Instruction) -> Markdown:
    lines = []
    for text, slot in zip(judged.modifiers, _slots(judged), strict=True):
        doc = _meaning(found, text, slot)
        more = markup.filled(": {}", markup.own(doc)) if doc else ""
        lines.append(markup.filled("{}{}", markup.code(text), more))
    return markup.bullets(lines)


def _pitfalls(pitfalls: tuple[str, ...]) -> Markdown:
    return markup.bullets(markup.filled("⚠ {}", markup.own(text)) for text in pitfalls)


def _problems(judged: JudgedInstruction) -> Markdown:
    """Returns the requirements on version and target that the module does not meet."""
    violations = judged.verdict.violations if judged.verdict else ()
    needs = dict.fromkeys(violation.required for violation in violations if violation.required)
    return markup.joined("\n", (markup.filled("Requires {}.", markup.own(it)) for it in needs))
