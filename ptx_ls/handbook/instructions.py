"""The facts about an instruction, whole or with some of its modifiers given."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from ptx_ls.handbook.forms import FormFacts, form_facts
from ptx_ls.handbook.layouts import LayoutFacts, layout_facts
from ptx_ls.handbook.narrowing import can_hold, narrowed
from ptx_ls.handbook.swizzling import SwizzleFacts, swizzle_facts
from ptx_ls.handbook.wording.phrases import code
from ptx_ls.handbook.wording.pseudo_code import with_worded_conditions
from ptx_ls.isa.chapters import explaining
from ptx_ls.isa.checking.verdict import Context
from ptx_ls.isa.choices import accepting_forms, next_modifiers
from ptx_ls.syntax.dotted import modifiers_of

if TYPE_CHECKING:
    from ptx_ls.isa.checking.match import Placement
    from ptx_ls.isa.model import Form, Instruction
    from ptx_ls.isa.nvvm import Intrinsic, IntrinsicPattern

ANYWHERE: Final = Context()


@dataclass(frozen=True, slots=True)
class ModifierFacts:
    """The modifiers of a slot that have the same meaning.

    `default`: the meaning of an empty slot, "" if it cannot be empty or there is nothing to say.
    """

    slot: str
    values: tuple[str, ...]
    doc: str
    is_optional: bool
    default: str


@dataclass(frozen=True, slots=True)
class IntrinsicFacts:
    """The LLVM intrinsics for some modifiers.

    The modifiers and the names contain slots in braces: `.sync{mode}.b32`. `slots`: for each slot,
    pairs of its text in PTX and its text in the name.
    """

    modifiers: str
    names: tuple[str, ...]
    slots: Mapping[str, tuple[tuple[str, str], ...]]
    notes: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class ChoiceFacts:
    """A modifier that may follow those given; `completes`: whether no other is needed after it."""

    modifier: str
    slot: str
    doc: str
    completes: bool


@dataclass(frozen=True, slots=True)
class InstructionFacts:
    """Everything about an instruction; the field names are the keys of `ptx-ls isa --json`."""

    name: str
    summary: str
    doc: str
    category: str
    sections: tuple[str, ...]
    flow: str
    given: tuple[str, ...]
    """The requested modifiers, if any; `forms` then has only the forms that take them."""
    forms: tuple[FormFacts, ...]
    modifiers: tuple[ModifierFacts, ...]
    next_modifiers: tuple[ChoiceFacts, ...]
    """Modifiers that may follow the given ones; empty if none are given."""
    semantics: str
    pitfalls: tuple[str, ...]
    example: str
    intrinsics: tuple[IntrinsicFacts, ...]
    layouts: tuple[LayoutFacts, ...]
    """The places of matrix elements, in the form that the given modifiers select, if any."""
    swizzles: tuple[SwizzleFacts, ...]
    """Swizzling modes of matrices in shared memory, if a descriptor names one."""
    see: tuple[str, ...]
    chapters: tuple[str, ...]
    """The names of chapters about the instruction, with the given modifiers if any."""


def instruction_facts(
    instruction: Instruction, given: Sequence[str] = ()
) -> InstructionFacts | None:
    """Returns the facts about an instruction; None if no form takes the given modifiers."""
    chosen = _chosen(instruction, given)
    if not chosen:
        return None
    prose = instruction.prose
    forms = tuple(
        form_facts(instruction, form, _filled(form, placement) if given else None)
        for form, placement in chosen
    )
    return InstructionFacts(
        name=instruction.opcode,
        summary=prose.summary,
        doc=prose.doc.strip(),
        category=prose.category,
        sections=_sections(instruction, forms),
        flow=prose.flow,
        given=tuple(given),
        forms=forms,
        modifiers=_modifiers(instruction, forms, given),
        next_modifiers=_choices(instruction, given) if given else (),
        semantics=with_worded_conditions(
            _semantics(instruction, forms) if given else prose.semantics
        ),
        pitfalls=_pitfalls(instruction, forms) if given else prose.pitfalls,
        example=prose.example.strip(),
        intrinsics=_intrinsics(instruction, chosen, given),
        layouts=layout_facts(instruction, [form for form, _ in chosen], given),
        swizzles=swizzle_facts(instruction.opcode, [form for form, _ in chosen]),
        see=prose.see,
        chapters=tuple(
            each.name
            for each in explaining(instruction.tables.chapters, instruction.opcode, given or None)
        ),
    )


def _semantics(instruction: Instruction, forms: Sequence[FormFacts]) -> str:
    """Returns the lines of pseudo-code that may apply to some forms."""
    return "\n".join(narrowed(instruction.prose.semantics.splitlines(), forms))


def _pitfalls(instruction: Instruction, forms: Sequence[FormFacts]) -> tuple[str, ...]:
    """Returns the pitfalls that may concern some forms."""
    prose = instruction.prose
    found = zip(prose.pitfalls, prose.pitfall_conditions, strict=True)
    return tuple(text for text, condition in found if can_hold(condition, forms))


def _chosen(instruction: Instruction, given: Sequence[str]) -> list[tuple[Form, Placement]]:
    """Returns the forms that the modifiers complete; without any, all forms that take them."""
    found = accepting_forms(instruction, given)
    complete = [(form, placement) for form, placement in found if not placement.missing]
    return complete if given and complete else found


def _filled(form: Form, placement: Placement) -> dict[str, str]:
    """Returns the given modifiers by the names of the slots that they fill."""
    return {
        slot.name: value
        for slot, value in zip(form.row.slots, placement.values, strict=True)
        if value
    }


def _sections(instruction: Instruction, forms: Sequence[FormFacts]) -> tuple[str, ...]:
    own = dict.fromkeys(section for form in forms for section in form.sections)
    return tuple(own) if len(forms) < len(instruction.forms) else instruction.prose.section


def _modifiers(
    instruction: Instruction, forms: Iterable[FormFacts], given: Sequence[str]
) -> tuple[ModifierFacts, ...]:
    """Returns the modifiers of the forms, or those given, by slot and meaning, in order."""
    meanings: dict[tuple[str, str], dict[str, None]] = {}
    optional: dict[str, bool] = {}
    for form in forms:
        for slot in form.slots:
            optional[slot.name] = optional.get(slot.name, False) or slot.is_optional
            for value in slot.values:
                if not given or value in given:
                    doc = meaning(instruction, value, slot.name)
                    name = "" if slot.is_literal else slot.name
                    meanings.setdefault((name, doc), {})[value] = None
    return tuple(
        ModifierFacts(
            slot,
            tuple(values),
            doc,
            (is_optional := any(optional.get(name, False) for name in (slot, *values))),
            _default(instruction, slot, tuple(values)) if is_optional else "",
        )
        for (slot, doc), values in meanings.items()
    )


def _default(instruction: Instruction, slot: str, values: tuple[str, ...]) -> str:
    return next(filter(None, (instruction.default_doc(value, slot) for value in values)), "")


def meaning(instruction: Instruction, text: str, slot: str) -> str:
    """Returns the meaning of a modifier in a slot.

    It is the text of the instruction or the shared one, else that of the type or state space of
    that name.
    """
    doc = instruction.modifier_doc(text, slot)
    if doc:
        return doc
    tables = instruction.tables
    known = tables.types.get(text) or tables.state_spaces.get(text)
    return known.summary if known is not None else ""


def _choices(instruction: Instruction, given: Sequence[str]) -> tuple[ChoiceFacts, ...]:
    return tuple(
        ChoiceFacts(
            choice.modifier,
            choice.slot,
            instruction.modifier_doc(choice.modifier, choice.slot),
            choice.completes,
        )
        for choice in next_modifiers(instruction, given, ANYWHERE)
    )


def _intrinsics(
    instruction: Instruction, chosen: Sequence[tuple[Form, Placement]], given: Sequence[str]
) -> tuple[IntrinsicFacts, ...]:
    """Returns the intrinsics for exactly the given modifiers; without any, all that have them."""
    table = instruction.tables.nvvm
    patterns = table.patterns(instruction.opcode)
    for _, placement in chosen if given else ():
        text = "".join(value for value in placement.values if value)
        exact = [
            _intrinsic(text, found, {}, _conditions(pattern))
            for pattern in patterns
            if (found := pattern.match(text))
        ]
        if exact:
            return tuple(exact)
    return tuple(
        _intrinsic(pattern.syntax, pattern.targets, pattern.slots, _conditions(pattern))
        for pattern in patterns
        if _can_be(pattern, given)
    )


def _conditions(pattern: IntrinsicPattern) -> tuple[str, ...]:
    """Returns the conditions on operands: "Without `p`.", "`d` is declared `.f32`."."""
    sides = ((pattern.needs, "With", "is"), (pattern.lacks, "Without", "is not"))
    found = []
    for words, presence, verb in sides:
        for word in sorted(words):
            name, is_typed, type_ = word.partition(":")
            is_so = f"{code(name)} {verb} declared {code(type_)}."
            found.append(is_so if is_typed else f"{presence} {code(name)}.")
    return tuple(sorted(found, reverse=True))


def _can_be(pattern: IntrinsicPattern, given: Sequence[str]) -> bool:
    """Whether some spelling of an entry has the given modifiers."""
    texts = [text for _, texts in pattern.parts for text in texts]
    return {modifier for text in texts for modifier in modifiers_of(text)}.issuperset(given)


def _intrinsic(
    modifiers: str,
    targets: Sequence[Intrinsic],
    slots: Mapping[str, Mapping[str, str]],
    conditions: tuple[str, ...],
) -> IntrinsicFacts:
    return IntrinsicFacts(
        modifiers,
        tuple(target.name for target in targets),
        {name: tuple(values.items()) for name, values in slots.items()},
        (*conditions, *_notes(targets)),
    )


def _notes(targets: Sequence[Intrinsic]) -> Iterable[str]:
    """Yields the notes on the targets; those that are not on all of them with the name."""
    notes = {target.note for target in targets}
    if len(notes) == 1:
        return filter(None, notes)
    return (f"{code(target.name)}: {target.note}" for target in targets if target.note)
