"""Explains the modifiers, effects and requirements of an instruction as it is written."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from ptx_ls import isa
from ptx_ls.features import markup
from ptx_ls.features.hover.instructions.describe_operands import parts_of
from ptx_ls.features.hover.instructions.modifier_meaning import meaning_of, sizes_of, slots_of
from ptx_ls.features.markup import Markdown
from ptx_ls.handbook.wording.availability import (
    AvailabilityFacts,
    deprecations_of,
    is_met_everywhere,
    lacking_sentence,
    needs_of,
    removals_of,
)
from ptx_ls.handbook.wording.effects import effects_of, is_together, with_convergence
from ptx_ls.handbook.wording.expressions import Wording
from ptx_ls.handbook.wording.memory_sentences import TOLD, event_sentences
from ptx_ls.handbook.wording.phrases import code
from ptx_ls.handbook.wording.sentences import effect_sentence, ending_sentence, need_sentence
from ptx_ls.isa.cuda_functions import function_of
from ptx_ls.isa.facts import CONVERGENCE, EFFECTS
from ptx_ls.isa.intrinsics import intrinsics_of
from ptx_ls.isa.memory_events import memory_events
from ptx_ls.isa.reference import find_special_register
from ptx_ls.source.english import listed
from ptx_ls.syntax.literals import integer

if TYPE_CHECKING:
    from collections.abc import Collection

    from ptx_ls.features.hover.instructions.pseudo_code import OperandTexts
    from ptx_ls.isa import Form, Instruction
    from ptx_ls.semantics.analysis import JudgedInstruction

_MAX_INTRINSICS: Final = 3
_SHOWN: Final = frozenset(
    {"transfers control", "waits", "allocates", "changes state", "signals", "reads carry",
     "writes carry"}
)  # fmt: skip
"""Words of effects that the pseudo-code and the sentence on the variant say more exactly."""
_OBSERVES: Final = "observes"
"""A word of effects that convergence implies."""
_TOGETHER: Final = ("warp", "warpgroup")
"""Which threads an `.aligned` instruction is executed by."""
_COUNTED: Final = (".v", ".x")
"""The beginnings of modifiers that are numbers of elements or of matrices: `.v2`, `.x4`."""


def modifiers(judged: JudgedInstruction, explained: Collection[str]) -> list[Markdown]:
    """Says what the modifiers mean that choose the variant.

    Omits those that the form always has, for which its summary speaks, and types, counts, state
    spaces, orders and scopes, which the operands and the accesses show. `explained`: the slots
    whose modifiers the headline explains, which are omitted, too.
    """
    found, form = judged.instruction, judged.form
    if found is None:
        return []
    database = isa.database()
    told = {*database.types, *database.state_spaces, *_said_of_events(judged)}
    rows = {each.name: each for each in form.slots} if form is not None else {}
    shown = []
    for text, slot in zip(judged.modifiers, slots_of(judged), strict=True):
        row = rows.get(slot)
        is_fixed = row is not None and len(row.values) == 1 and not row.optional
        is_count = text.startswith(_COUNTED) and text[2:].isdecimal()
        if is_fixed or text in told or slot in explained or is_count:
            continue
        doc = sizes_of(text, found.opcode) or meaning_of(found, text, slot)
        if doc:
            shown.append(markup.filled("{}: {}", markup.code(text), markup.own(doc)))
    return shown


def _said_of_events(judged: JudgedInstruction) -> set[str]:
    """Returns the modifiers that the sentences on accesses and acts explain or have as words."""
    instruction, form = judged.instruction, judged.form
    if instruction is None or form is None:
        return set()
    events = memory_events(instruction, form, judged.all_slots(), _written(judged))
    words = {word for each in events.syncs for word in (each.order, each.scope) if each.order}
    words |= {word for each in events.accesses for word in (each.order, each.scope, each.space)}
    if events.executed_by in _TOGETHER or _is_aligned(judged, instruction, form):
        words.add("aligned")
    return {f".{word}" for word in words if word}


def _is_aligned(judged: JudgedInstruction, instruction: Instruction, form: Form) -> bool:
    """Whether the sentences on effects say that a warp executes an instruction together."""
    wording = Wording(form, judged.all_slots(), tuple(_written(judged)))
    found = effects_of(instruction.facts(form).convergence, CONVERGENCE, wording)
    return is_together(found)


def accessed_bytes(judged: JudgedInstruction, operands: OperandTexts | None = None) -> int | None:
    """Returns the number of bytes of each access of an instruction; None if it has several sizes.

    `operands`: the operands as they are written, of which one may be the size.
    """
    instruction, form = judged.instruction, judged.form
    if instruction is None or form is None:
        return None
    events = memory_events(instruction, form, judged.all_slots(), _written(judged))
    texts = operands or {}
    sizes = {each.n_bytes or integer(texts.get(each.size, "")) for each in events.accesses}
    return sizes.pop() if len(sizes) == 1 else None


def effects(judged: JudgedInstruction, operands: OperandTexts, headline: str) -> list[Markdown]:
    """Says how an instruction accesses memory, what it orders, and which threads execute it.

    Omits what `headline`, the sentence before it, says.
    """
    instruction, form = judged.instruction, judged.form
    if instruction is None or form is None or judged.verdict is None:
        return []
    types = _written(judged)
    wording, known = Wording(form, judged.all_slots(), tuple(types)), instruction.facts(form)
    others = effects_of(known.effects, EFFECTS, wording)
    convergence = effects_of(known.convergence, CONVERGENCE, wording)
    events = memory_events(instruction, form, judged.all_slots(), types)
    told = TOLD if not events.is_none else frozenset[str]()
    told |= {*_SHOWN, _OBSERVES} if convergence else _SHOWN
    others = tuple(each for each in others if each.word not in told)
    told_events = event_sentences(events, operands)
    acts = with_convergence(told_events, convergence)
    if events.executed_by in _TOGETHER or acts != told_events:
        convergence = ()
    sentences = [
        *acts,
        *map(effect_sentence, (*others, *convergence)),
    ]
    sentences = [each for each in sentences if each not in headline]
    return [markup.own(" ".join(sentences))] if sentences else []


def _lacking(judged: JudgedInstruction) -> Markdown:
    """Returns what an instruction requires and the module lacks."""
    violations = judged.verdict.violations if judged.verdict is not None else ()
    lacking = dict.fromkeys(filter(None, map(lacking_sentence, violations)))
    return markup.filled("⚠ {}", markup.own(" ".join(lacking))) if lacking else markup.NOTHING


def needs(judged: JudgedInstruction) -> Markdown:
    """Returns the version and target that an instruction as it is written needs.

    Omits what every module in use has. Only says what the module lacks, if it lacks anything.
    """
    if judged.form is None:
        return markup.NOTHING
    wording = Wording(judged.form, judged.all_slots(), tuple(_written(judged)))
    required = [each for each in _needs(wording) if not is_met_everywhere(each)]
    sentences = " ".join(map(need_sentence, required)).replace(". Needs ", ". Also needs ")
    return _lacking(judged) or markup.own(sentences)


def cuda_name(judged: JudgedInstruction) -> str:
    """Returns the function or variable of CUDA C++ that an instruction is; "" for none."""
    operands = [each.text for each in judged.operands]
    function = function_of(judged.opcode, judged.modifiers, operands)
    return function or (_variable(operands[-1]) if judged.opcode == "mov" and operands else "")


def _variable(operand: str) -> str:
    """Returns what CUDA C++ writes for a special register; "" for another operand."""
    name, _, component = operand.strip().partition(".")
    register = find_special_register(isa.database().special_registers, name)
    return register.cuda_name(component) if register is not None else ""


def intrinsics(judged: JudgedInstruction) -> Markdown:
    """Names the intrinsics of LLVM that are compiled to exactly this instruction."""
    if judged.instruction is None or judged.verdict is None:
        return markup.NOTHING
    found = intrinsics_of(judged.instruction, judged.verdict, _written(judged))
    exact = [each for each in found if not each.note] or found
    names = [code(each.name) + (f" ({each.note})" if each.note else "") for each in exact]
    if not names:
        return markup.NOTHING
    others = ["others"] if len(names) > _MAX_INTRINSICS else []
    shown = listed([*names[:_MAX_INTRINSICS], *others])
    return markup.filled("LLVM: {}.", markup.own(shown))


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
        lines += [f"If omitted: {text}"] if text else []
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


def endings(judged: JudgedInstruction) -> list[Markdown]:
    """Says when the form in use was removed, or else deprecated, and what replaces it."""
    form = judged.form
    if form is None or not (form.row.until or form.row.deprecated):
        return []
    wording = Wording(form, judged.all_slots(), tuple(_written(judged)))
    removals = removals_of(form.row.until, wording)
    is_removed = any(not each.condition for each in removals)
    found = removals if is_removed else (*removals, *deprecations_of(form.row.deprecated, wording))
    return [markup.filled("⚠ {}", markup.own(ending_sentence(it))) for it in found]
