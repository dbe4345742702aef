"""Explains requirements, defaults, effects and intrinsics of an instruction with its modifiers."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from ptx_ls.features import markup
from ptx_ls.features.hover.describe_operands import parts_of
from ptx_ls.features.hover.pseudo_code import operand_texts
from ptx_ls.features.markup import Markdown
from ptx_ls.handbook.availability import AvailabilityFacts, deprecations_of, needs_of, removals_of
from ptx_ls.handbook.effects import effects_of
from ptx_ls.handbook.memory_sentences import TOLD, event_sentences
from ptx_ls.handbook.phrases import Wording, code, listed
from ptx_ls.handbook.sentences import effect_sentence, ending_sentence, need_sentence
from ptx_ls.isa.checking.filling import can_be_added
from ptx_ls.isa.cuda_functions import function_of
from ptx_ls.isa.facts import CONVERGENCE, EFFECTS
from ptx_ls.isa.intrinsics import intrinsics_of
from ptx_ls.isa.layout import layouts_of_form
from ptx_ls.isa.memory_events import memory_events

if TYPE_CHECKING:
    from ptx_ls.semantics.analysis import JudgedInstruction

_MAX_INTRINSICS: Final = 3
_MAX_DEFAULTS: Final = 4
_MAX_LAYOUTS: Final = 8


def facts(judged: JudgedInstruction) -> Markdown:
    """Lists the required version and target, the effects, the threads involved, the intrinsics."""
    instruction, form = judged.instruction, judged.form
    if instruction is None or form is None or judged.verdict is None:
        return markup.NOTHING
    types = _written(judged)
    wording, known = Wording(form, judged.all_slots(), tuple(types)), instruction.facts(form)
    effects = effects_of(known.effects, EFFECTS, wording)
    convergence = effects_of(known.convergence, CONVERGENCE, wording)
    events = memory_events(instruction, form, judged.all_slots(), types)
    if not events.is_none:
        effects = tuple(each for each in effects if each.word not in TOLD)
    if events.executed_by in ("warp", "warpgroup"):
        convergence = ()
    sentences = [
        *event_sentences(events, operand_texts(judged)),
        *map(effect_sentence, (*effects, *convergence)),
    ]
    lines = [*map(need_sentence, _needs(wording)), " ".join(sentences)]
    found = intrinsics_of(instruction, judged.verdict, types)
    exact = [each for each in found if not each.note] or found
    intrinsics = [code(each.name) + (f" ({each.note})" if each.note else "") for each in exact]
    if intrinsics:
        more = ", …" if len(intrinsics) > _MAX_INTRINSICS else ""
        lines.append(f"LLVM: {listed(intrinsics[:_MAX_INTRINSICS])}{more}.")
    cuda = function_of(judged.opcode, judged.modifiers, [each.text for each in judged.operands])
    if cuda:
        lines.append(f"CUDA C++: {code(cuda)}.")
    return markup.bullets(map(markup.own, filter(None, lines)))


def defaults(judged: JudgedInstruction) -> Markdown:
    """Lists what the absence of optional modifiers means."""
    instruction, form = judged.instruction, judged.form
    if instruction is None or form is None:
        return markup.NOTHING
    values = list(judged.all_slots().values())
    found: dict[str, None] = {}
    for index, slot in enumerate(form.slots):
        if values[index] or not slot.optional or not can_be_added(form, values, [index]):
            continue
        texts = (instruction.default_doc(value, slot.name) for value in slot.values)
        text = next(filter(None, texts), "")
        if text:
            name = slot.values[0] if len(slot.values) == 1 else f".{slot.name}"
            found[f"- no {code(name)}: {text}"] = None
    return markup.own("\n".join(list(found)[:_MAX_DEFAULTS]))


def layouts(judged: JudgedInstruction) -> Markdown:
    """Returns a table of the places of matrix elements; "" for an instruction without matrices."""
    known = layouts_of_form(judged.form, judged.all_slots()) if judged.form is not None else {}
    found = {name: layout for name, layout in known.items() if not layout.unspecified}
    rows = [
        (
            markup.code(name),
            markup.joined(", ", map(markup.own, (layout.matrix, layout.size))),
            markup.code(layout.row_formula),
            markup.code(layout.column_formula),
        )
        for name, layout in found.items()
    ][:_MAX_LAYOUTS]
    notes: dict[str, list[Markdown]] = {}
    for name, layout in found.items():
        if layout.note:
            notes.setdefault(layout.note, []).append(markup.code(name))
    return markup.paragraphs(
        markup.table(("fragment", "of", markup.own("row of element `i`"), "column"), rows),
        markup.bullets(
            markup.filled("{}: {}", markup.joined(", ", names), markup.own(note))
            for note, names in notes.items()
        ),
    )


def of_modifier(judged: JudgedInstruction, slot: str) -> Markdown:
    """Lists what the modifier in a slot requires beyond the rest of the instruction.

    Also says what its absence would mean. Returns "" if there is nothing to say.
    """
    if judged.instruction is None or judged.form is None:
        return markup.NOTHING
    form, written, given = judged.form, tuple(_written(judged)), judged.all_slots()
    others = {name: text for name, text in given.items() if name != slot}
    without = _needs(Wording(form, others, written))
    needs = _needs(Wording(form, given, written))
    lines = [need_sentence(need) for need in needs if need not in without]
    row = next((each for each in form.slots if each.name == slot), None)
    if row is not None and row.optional:
        text = judged.instruction.default_doc(given[slot], slot)
        lines += [f"Without it: {text}"] if text else []
    return markup.bullets(map(markup.own, lines))


def _needs(wording: Wording) -> list[AvailabilityFacts]:
    """Returns the requirements that are unconditional and that ptxas enforces."""
    found = needs_of(wording.form.row.gates, wording)
    return [need for need in found if need.enforced and not need.condition]


def _written(judged: JudgedInstruction) -> dict[str, str]:
    """Maps the form's names for the operands of an instruction to their declared types.

    An unknown type is "". Includes second destinations and parts of addresses.
    """
    found: dict[str, str] = {}
    for operand, spec in judged.placed_operands():
        known = judged.facts[operand.identifier] if operand.identifier >= 0 else None
        found[spec.name] = known.type if known is not None and known.space == ".reg" else ""
        if operand.paired is not None and spec.pair:
            found[spec.pair] = ""
        for part in parts_of(spec.row, len(operand.elements)):
            found[part.name] = ""
    return found


def endings(judged: JudgedInstruction) -> Markdown:
    """Says when the form in use was removed or deprecated, and what replaces it; "" for neither."""
    form = judged.form
    if form is None or not (form.row.until or form.row.deprecated):
        return markup.NOTHING
    wording = Wording(form, judged.all_slots(), tuple(_written(judged)))
    found = (
        *removals_of(form.row.until, wording),
        *deprecations_of(form.row.deprecated, wording),
    )
    return markup.bullets(markup.filled("⚠ {}", markup.own(ending_sentence(it))) for it in found)
