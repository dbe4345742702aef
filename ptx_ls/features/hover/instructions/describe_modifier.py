"""Explains a modifier of an instruction: what it does, its needs and alternatives, the grammar."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from ptx_ls.features import markup
from ptx_ls.features.hover.instructions.modifier_meaning import meaning_of, slots_of
from ptx_ls.features.markup import Markdown
from ptx_ls.isa.checking.filling import can_be_added
from ptx_ls.syntax.tokens import VECTORS

if TYPE_CHECKING:
    from ptx_ls.semantics.analysis import JudgedInstruction

_MAX_OTHER_MODIFIERS: Final = 16
"""Maximum number of other modifiers of the same slot that are listed."""


def modifier(judged: JudgedInstruction, number: int) -> Markdown | None:
    """Explains one modifier of an instruction; `number` counts from 0."""
    found = judged.instruction
    if found is None or number >= len(judged.modifiers):
        return None
    from ptx_ls.features.hover.instructions import describe_variant
    from ptx_ls.handbook.wording.availability import lacking_sentence
    from ptx_ls.handbook.wording.sentences import sentence_of

    text = judged.modifiers[number]
    slot = slots_of(judged)[number]
    notes = [
        lacking_sentence(violation) or sentence_of(violation.note)
        for violation in (judged.verdict.violations if judged.verdict else ())
        if violation.part == ("modifier", number)
    ]
    doc = meaning_of(found, text, slot)
    n_bytes = describe_variant.accessed_bytes(judged) if text in VECTORS else None
    meaning = f"{doc.rstrip('.')}: {n_bytes} bytes." if n_bytes is not None else doc
    shown = markup.filled("**{}**", markup.code(text))
    if meaning:
        shown = markup.filled("{}: {}", shown, markup.own(meaning))
    return markup.paragraphs(
        shown,
        markup.own(" ".join(notes)),
        describe_variant.of_modifier(judged, slot) if slot else "",
        markup.joined(" ", filter(None, (_place(judged, text, slot), _others(judged, text, slot)))),
        markup.block(_grammar(judged)),
        describe_variant.intrinsics(judged),
    )


def _place(judged: JudgedInstruction, text: str, slot: str) -> Markdown:
    """Says of which opcode it is a modifier, and at which place of the grammar."""
    is_named = slot and f".{slot}" != text
    name = markup.filled(" ({})", markup.code(f".{slot}")) if is_named else ""
    return markup.filled("Modifier of {}{}.", markup.code(judged.opcode), name)


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
        "Alternatives: {}{}.", shown, " and others" if len(others) > _MAX_OTHER_MODIFIERS else ""
    )


def _grammar(judged: JudgedInstruction) -> str:
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
