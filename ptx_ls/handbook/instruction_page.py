"""The page of an instruction: its facts in the order in which readers need them."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Final

from ptx_ls.handbook.chapters.links import chapter_links
from ptx_ls.handbook.descriptors import descriptor_blocks
from ptx_ls.handbook.form_blocks import CommonFacts, form_blocks, form_title
from ptx_ls.handbook.layouts import layout_blocks
from ptx_ls.handbook.page import Block, Bullets, Code, Heading, Page, Table, TableOfContents, Text
from ptx_ls.handbook.swizzling import swizzle_blocks
from ptx_ls.handbook.wording.phrases import capitalised, code
from ptx_ls.handbook.wording.rules import rule_sentences
from ptx_ls.handbook.wording.sentences import (
    effect_sentence,
    ended,
    ending_sentence,
    manual,
    need_sentence,
)

if TYPE_CHECKING:
    from ptx_ls.handbook.forms import FormFacts
    from ptx_ls.handbook.instructions import (
        ChoiceFacts,
        InstructionFacts,
        IntrinsicFacts,
        ModifierFacts,
    )

_MIN_FORMS_TO_GROUP: Final = 7
"""Minimum number of forms that are grouped by their first modifier."""
_MAX_SHARE_OF_GROUP: Final = 0.7
"""Maximum share of the forms in one group; above it, forms are not grouped."""
_MAX_VARIANTS: Final = 3
_MAX_INTRINSIC_VALUES: Final = 12
FLOWS: Final = {
    "branch": "Continues elsewhere.",
    "exit": "Ends the thread.",
    "return": "Returns to the caller.",
    "call": "Calls a function.",
    "barrier": "A barrier: waits for other threads.",
    "trap": "Stops the kernel.",
}


def instruction_page(facts: InstructionFacts) -> Page:
    """Returns the whole page, or the part about the given modifiers."""
    shared = CommonFacts.of(facts.forms)
    blocks: list[Block] = [Text(f"**{facts.summary}**"), Text(_origin(facts))]
    if facts.given:
        blocks += _given(facts)
    else:
        blocks += [Text(facts.doc)]
        if facts.semantics:
            blocks += [Heading(2, "Semantics"), Code(facts.semantics, "c")]
    blocks += _forms(facts, shared)
    if not facts.given:
        blocks += _modifiers(facts.modifiers)
    blocks += _operands(facts.forms, shared)
    blocks += _common(facts, shared)
    blocks += _advice(facts)
    blocks += layout_blocks(facts.layouts)
    blocks += swizzle_blocks(facts.swizzles)
    blocks += descriptor_blocks(facts.name) if facts.swizzles else []
    blocks += _intrinsics(facts.intrinsics)
    links = chapter_links(facts.name, facts.given or None)
    links += [f"[`{name}`]({name})" for name in facts.see]
    if links:
        blocks += [Heading(2, "See also"), Text(", ".join(links))]
    return Page(code("".join((facts.name, *facts.given))), tuple(blocks))


def _origin(facts: InstructionFacts) -> str:
    parts = [facts.category.capitalize(), manual(facts.sections)]
    return " · ".join(filter(None, parts))


def _given(facts: InstructionFacts) -> list[Block]:
    """Describes each given modifier, and what can follow."""
    rows = tuple(
        (" ".join(map(code, each.values)), code(f".{each.slot}") if each.slot else "", each.doc)
        for each in facts.modifiers
    )
    blocks: list[Block] = [Heading(2, "Modifiers"), Table(("modifier", "place", "meaning"), rows)]
    if facts.next_modifiers:
        blocks += [Heading(2, "Next modifiers"), _choices(facts.next_modifiers)]
    if facts.semantics:
        blocks += [Heading(2, "Semantics"), Code(facts.semantics, "c")]
    return blocks


def _choices(choices: Iterable[ChoiceFacts]) -> Block:
    """Lists modifiers that may follow, grouped by place and meaning."""
    rows: dict[tuple[str, str], list[str]] = {}
    for choice in choices:
        place = code(f".{choice.slot}") if f".{choice.slot}" != choice.modifier else ""
        rows.setdefault((place, choice.doc), []).append(code(choice.modifier))
    return Table(
        ("modifier", "place", "meaning"),
        tuple((" ".join(values), place, doc) for (place, doc), values in rows.items()),
    )


def _forms(facts: InstructionFacts, shared: CommonFacts) -> list[Block]:
    forms = facts.forms
    title = "Form" if len(forms) == 1 else "Forms"
    blocks: list[Block] = [Heading(2, title)]
    if len(forms) == 1:
        return [*blocks, *form_blocks(forms[0], shared)]
    groups = _groups(facts)
    level = 4 if len(groups) > 1 else 3
    blocks.append(TableOfContents(3, level))
    for name, members in groups.items():
        if len(groups) > 1:
            blocks.append(Heading(3, name))
        for form in members:
            if len(groups) == 1 or len(members) > 1:
                blocks.append(Heading(level, form_title(form)))
            elif form.summary:
                blocks.append(Text(form.summary))
            blocks += form_blocks(form, shared)
    return blocks


def _groups(facts: InstructionFacts) -> dict[str, list[FormFacts]]:
    """Groups forms by their first modifier, if there are many and it names the operation."""
    n_named = sum(form.head > 0 for form in facts.forms)
    if len(facts.forms) < _MIN_FORMS_TO_GROUP or 2 * n_named < len(facts.forms):
        return {"": list(facts.forms)}
    groups: dict[str, list[FormFacts]] = {}
    for form in facts.forms:
        name = _first_word(facts.name, form)
        groups.setdefault(name, []).append(form)
    if max(map(len, groups.values())) > _MAX_SHARE_OF_GROUP * len(facts.forms):
        return {"": list(facts.forms)}
    return groups


def _first_word(opcode: str, form: FormFacts) -> str:
    """Returns how instructions of a form begin: the opcode with the first modifier, if few fit."""
    first = form.slots[0] if form.slots else None
    if first is None or first.is_optional or len(first.values) > _MAX_VARIANTS:
        return code(opcode)
    return ", ".join(map(code, (opcode + first.values[0], *first.values[1:])))


def _modifiers(modifiers: Sequence[ModifierFacts]) -> list[Block]:
    if not modifiers:
        return []
    rows: list[tuple[str, ...]] = []
    last = {(each.slot or each.values[0], each.default): each for each in modifiers}
    for each in modifiers:
        place = code(f".{each.slot}") if each.slot else ""
        rows.append((" ".join(map(code, each.values)), place, each.doc))
        if each.default and last[each.slot or each.values[0], each.default] is each:
            rows.append((f"no {place or code(each.values[0])}", place, each.default))
    return [Heading(2, "Modifiers"), Table(("modifier", "place", "meaning"), tuple(rows))]


def _operands(forms: Sequence[FormFacts], shared: CommonFacts) -> list[Block]:
    if not shared.operands:
        return []
    blocks: list[Block] = [Heading(2, "Operands")]
    if any(shared.differs(operand) for form in forms for operand in form.operands):
        blocks.append(Text("If a form has its own table, only that table applies to it."))
    header = ("operand", "takes", "role", "meaning")
    return [*blocks, Table(header, shared.operand_rows())]


def _common(facts: InstructionFacts, shared: CommonFacts) -> list[Block]:
    """Returns what applies to all forms: rules, required versions and targets, effects."""
    blocks: list[Block] = []
    rules = rule_sentences(shared.rules)
    if rules:
        blocks += [Heading(2, "Rules"), Bullets(rules)]
    needs = [
        *map(need_sentence, shared.needs),
        *map(ending_sentence, (*shared.removed, *shared.deprecated)),
    ]
    if needs:
        blocks += [Heading(2, "Versions and targets"), Bullets(tuple(needs))]
    effects = [*shared.memory, *map(effect_sentence, shared.effects)]
    if facts.flow and not effects:
        effects.append(FLOWS.get(facts.flow, facts.flow))
    if effects:
        blocks += [Heading(2, "Effects"), Bullets(tuple(effects))]
    return blocks


def _advice(facts: InstructionFacts) -> list[Block]:
    blocks: list[Block] = []
    if facts.pitfalls:
        blocks += [Heading(2, "Pitfalls"), Bullets(facts.pitfalls)]
    if facts.example and not facts.given:
        blocks += [Heading(2, "Example"), Code(facts.example)]
    return blocks


def _intrinsics(intrinsics: Sequence[IntrinsicFacts]) -> list[Block]:
    if not intrinsics:
        return []
    rows = []
    for each in intrinsics:
        names = ", ".join(map(code, each.names))
        sentences = (ended(capitalised(note)) for note in each.notes)
        notes = " ".join((*map(_values, each.slots.items()), *sentences))
        rows.append((code(each.modifiers) if each.modifiers else "", names, notes))
    header = ("modifiers", "LLVM", "where")
    return [Heading(2, "In LLVM and NVVM IR"), Table(header, tuple(rows))]


def _values(slot: tuple[str, tuple[tuple[str, str], ...]]) -> str:
    name, values = slot
    shown = [
        code(written or "none") + (f" → {code(become or 'nothing')}" if become != written else "")
        for written, become in values[:_MAX_INTRINSIC_VALUES]
    ]
    more = " and others" if len(values) > _MAX_INTRINSIC_VALUES else ""
    return f"`{{{name}}}`: {', '.join(shown)}{more}."
