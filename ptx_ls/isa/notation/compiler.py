"""Compiles the TOML of one instruction into tables (see `table` and docs/isa-format.md).

Used when data is compiled, never when it is loaded.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from ptx_ls.isa.facts import CONVERGENCE, EFFECTS
from ptx_ls.isa.notation.event_entries import EVENT_KEYS, event_rows
from ptx_ls.isa.notation.expression_parser import ExpressionError, ExpressionNames
from ptx_ls.isa.notation.form_entries import Entries, SharedDefinitions
from ptx_ls.isa.notation.notation import (
    Notation,
    NotationError,
    OperandNotation,
    SlotNotation,
    expand_modifier,
    parse_notation,
)
from ptx_ls.isa.notation.operand_spec_parser import OperandSpecError
from ptx_ls.isa.notation.table import (
    FactRow,
    FormRow,
    FormRule,
    ModifierSlot,
    Node,
)

_TOP_KEYS = {
    "name", "summary", "doc", "section", "category", "flow", "sets", "common", "form", "modifiers",
    "operands", "pitfalls", "example", "tables", "headline", "see", "semantics",
    "not-computable", "ignored", "defaults",
}  # fmt: skip
_FORM_KEYS = {
    "id", "syntax", "summary", "sets", "ops", "rules", "gate", "until", "head", "deprecated",
    "section", "ignored", "effects", "convergence", *EVENT_KEYS,
}  # fmt: skip
_COMMON_KEYS = {
    "ops", "rules", "gate", "until", "deprecated", "effects", "convergence", *EVENT_KEYS,
}  # fmt: skip


class IsaDataError(ValueError):
    """A data file is wrong; the message names the file, the form and the entry."""


@dataclass
class _File:
    name: str
    data: Mapping[str, Any]
    shared: SharedDefinitions
    sets: dict[str, tuple[str, ...]]
    known: set[str] = field(default_factory=set)


def compile_instruction(
    data: Mapping[str, Any], shared: SharedDefinitions
) -> tuple[tuple[FormRow, ...], tuple[FactRow, ...]]:
    """Compiles the forms of one instruction file, read from TOML, and the facts about each.

    Raises IsaDataError.
    """
    name = str(data.get("name", "?"))
    _check_keys(data, _TOP_KEYS, name)
    file = _File(name, data, shared, _sets(data.get("sets", {}), shared, name))
    forms = data.get("form", [])
    notations = [_notations(file, form) for form in forms]
    for form, variants in zip(forms, notations, strict=True):
        file.known |= _known_names(file, form, variants)
    rows, facts = [], []
    for form, variants in zip(forms, notations, strict=True):
        for notation in variants:
            where = f"{name}.toml, form {form.get('id', '?')}"
            try:
                row, fact = _form(file, form, notation)
            except (ExpressionError, OperandSpecError, NotationError, ValueError) as error:
                raise IsaDataError(f"{where}: {error}") from error
            rows.append(row)
            facts.append(fact)
    return tuple(rows), tuple(facts)


def _check_keys(data: Mapping[str, Any], allowed: Collection[str], where: str) -> None:
    unknown = set(data) - set(allowed)
    if unknown:
        raise IsaDataError(f"{where}: unknown key {min(unknown)!r}")


def _notations(file: _File, form: Mapping[str, Any]) -> list[Notation]:
    where = f"{file.name}.toml, form {form.get('id', '?')}"
    _check_keys(form, _FORM_KEYS, where)
    if "id" not in form or "syntax" not in form:
        raise IsaDataError(f"{where}: id and syntax are required")
    try:
        variants = parse_notation(form["syntax"])
    except NotationError as error:
        raise IsaDataError(f"{where}: {error}") from error
    if variants[0].opcode != file.name:
        raise IsaDataError(f"{where}: the syntax begins with {variants[0].opcode!r}")
    return variants


def _sets(
    raw: Mapping[str, str], shared: SharedDefinitions, where: str
) -> dict[str, tuple[str, ...]]:
    return {name: _set_values(text, shared, where) for name, text in raw.items()}


def _set_values(text: str, shared: SharedDefinitions, where: str) -> tuple[str, ...]:
    values: list[str] = []
    for word in re.findall(r"@[\w:-]+|\.[^\s.{]*(?:\{[^}]*\})?", text):
        if word.startswith("@"):
            if word[1:] not in shared.sets:
                raise IsaDataError(f"{where}: unknown shared set {word!r}")
            values.extend(_set_values(shared.sets[word[1:]], shared, where))
        else:
            values.extend(expand_modifier(word))
    return tuple(dict.fromkeys(values))


def _form_sets(file: _File, form: Mapping[str, Any]) -> dict[str, tuple[str, ...]]:
    return {**file.sets, **_sets(form.get("sets", {}), file.shared, file.name)}


def _known_names(file: _File, form: Mapping[str, Any], variants: Sequence[Notation]) -> set[str]:
    names: set[str] = set()
    for notation in variants:
        for slot in _slots(notation, _form_sets(file, form), file.shared):
            names.add(slot.name)
            names.update(slot.values)
        for operand in notation.operands:
            names.update(_operand_names(operand))
    return names


def _operand_names(operand: OperandNotation) -> set[str]:
    names = {operand.name, operand.pair, operand.selector.removeprefix("."), operand.selector}
    for part in operand.parts:
        names |= _operand_names(part)
    return names - {""}


def _slots(
    notation: Notation, sets: Mapping[str, tuple[str, ...]], shared: SharedDefinitions
) -> list[ModifierSlot]:
    slots = []
    for place in notation.slots:
        values: list[str] = []
        for alternative in place.alternatives:
            values.extend(sets.get(alternative[1:], (alternative,)))
        single = place.alternatives[0][1:] if len(place.alternatives) == 1 else ""
        named = single in sets
        name = single or "/".join(place.alternatives)
        slots.append(
            ModifierSlot(name, tuple(dict.fromkeys(values)), place.optional, -1, not named)
        )
    return _grouped(slots, (shared.types, *shared.ordered))


def _grouped(slots: list[ModifierSlot], classes: Sequence[Collection[str]]) -> list[ModifierSlot]:
    """Numbers the groups of slots whose modifiers must keep their relative order."""
    group = list(range(len(slots)))
    for right, slot in enumerate(slots):
        for left in range(right):
            same_class = any(
                _has_any(slots[left], words) and _has_any(slot, words) for words in classes
            )
            if same_class or set(slots[left].values) & set(slot.values):
                merged, kept = group[right], group[left]
                group = [kept if number == merged else number for number in group]
    return [
        slot._replace(group=number if group.count(number) > 1 else -1)
        for slot, number in zip(slots, group, strict=True)
    ]


def _has_any(slot: ModifierSlot, words: Collection[str]) -> bool:
    return any(value in words for value in slot.values)


def _form(file: _File, form: Mapping[str, Any], notation: Notation) -> tuple[FormRow, FactRow]:
    common = file.data.get("common", {})
    _check_keys(common, _COMMON_KEYS, f"{file.name}, common")
    sets = _form_sets(file, form)
    slots = _slots(notation, sets, file.shared)
    n_modifier_slots = len(slots)
    for operand in notation.operands:
        if operand.selector:
            alternatives = sets.get(operand.selector[1:], (operand.selector,))
            literal = operand.selector[1:] not in sets
            slots.append(
                ModifierSlot(
                    operand.selector[1:], alternatives, operand.selector_optional, -1, literal
                )
            )
    names = _names(slots, notation, file.known)
    compiler = Entries(names, file.shared)
    ops = {**common.get("ops", {}), **form.get("ops", {})}
    row = FormRow(
        id=form["id"],
        syntax=form["syntax"],
        slots=tuple(slots),
        accepts=_accepts(slots[:n_modifier_slots]),
        n_modifier_slots=n_modifier_slots,
        head=form.get("head", 0),
        operands=compiler.operands(notation, ops, slots),
        rules=(
            *_structure_rules(notation.slots, slots),
            *compiler.rules([*common.get("rules", []), *form.get("rules", [])]),
        ),
        gates=compiler.gates([*common.get("gate", []), *form.get("gate", [])]),
        until=compiler.gates([*common.get("until", []), *form.get("until", [])]),
        deprecated=compiler.gates([*common.get("deprecated", []), *form.get("deprecated", [])]),
        tables={name: dict(table) for name, table in file.data.get("tables", {}).items()},
        summary=form.get("summary", ""),
        ignored=frozenset(form.get("ignored", "").split()),
    )
    facts = FactRow(
        compiler.facts([*common.get("effects", []), *form.get("effects", [])], EFFECTS),
        compiler.facts([*common.get("convergence", []), *form.get("convergence", [])], CONVERGENCE),
        tuple(form.get("section", ())),
        event_rows(names, file.shared.types, {**common, **form}),
    )
    return row, facts


def _names(
    slots: Sequence[ModifierSlot], notation: Notation, known: Collection[str]
) -> ExpressionNames:
    literals: dict[str, tuple[int, ...]] = {}
    for index, slot in enumerate(slots):
        for value in slot.values:
            literals[value] = (*literals.get(value, ()), index)
    named: dict[str, int] = {}
    for index, slot in enumerate(slots):
        if not slot.literal:
            if slot.name in named:
                raise ValueError(f"the set {slot.name} is used twice")
            named[slot.name] = index
    operands = {name for operand in notation.operands for name in _operand_names(operand)}
    return ExpressionNames(named, literals, operands, known)


def _accepts(slots: Sequence[ModifierSlot]) -> dict[str, tuple[int, ...]]:
    accepts: dict[str, tuple[int, ...]] = {}
    for index, slot in enumerate(slots):
        for value in slot.values:
            accepts[value] = (*accepts.get(value, ()), index)
    return accepts


def _structure_rules(
    places: Sequence[SlotNotation], slots: Sequence[ModifierSlot]
) -> list[FormRule]:
    """Returns rules for braces that contain more than one modifier."""
    rules = []
    for index, place in enumerate(places):
        links: list[tuple[str, int]] = [("=>", required) for required in place.requires]
        if place.together >= 0:
            links.append(("<=>", place.together))
        for symbol, other in links:
            text = f".{slots[index].name} {symbol} .{slots[other].name}"
            tree: Node = (symbol, ("slot", index), ("slot", other))
            rules.append(FormRule(tree, text, "", lenient=False, needs_operands=False))
    return rules
