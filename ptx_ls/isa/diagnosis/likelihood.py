"""Decides which of several modifiers is most likely wrong, if a change of each would help."""

from __future__ import annotations

from collections.abc import Container, Iterable, Sequence
from functools import lru_cache, partial
from itertools import groupby
from typing import Final

from ptx_ls.isa.diagnosis.edits import EditKind
from ptx_ls.isa.diagnosis.remedies import Fit, Remedy
from ptx_ls.isa.model import Form, Instruction
from ptx_ls.isa.notation.table import ModifierSlot
from ptx_ls.isa.operand import MEMORY_SPACES
from ptx_ls.source.named_tuple import NamedTuple

_OPERATIONS: Final = frozenset(("op", "op2", "redOp", "iop", "fop", "BoolOp", "bitop"))
"""Slots whose modifiers say what is computed, which are rarely wrong."""
_COMPARISONS: Final = frozenset(("CmpOp", "cmp"))
_INTEGERS: Final = frozenset({"signed", "unsigned"})
_FLOATS: Final = frozenset({"float", "half", "alternate"})
_DOUBT_OF_OPERATION: Final = 2.5
"""Doubt about an operation; a type that does not even fit the operands is more likely wrong."""
_DOUBT_OF_TYPE: Final = 0.2
_DOUBT_OF_OTHER_CLASS: Final = 0.25
"""Further doubt about an integer type that only floats could replace, or the reverse."""
_DOUBT_OF_COMPARISON: Final = 0.3
"""Doubt about a comparison, such as `.lo`; a type that conflicts with it is more likely wrong."""
_DOUBT_OF_WORD: Final = 0.6
"""Doubt about a word that is part of the instruction's name."""
_DOUBT_OF_REMOVAL: Final = 0.4
_DOUBT_OF_FLAG: Final = 0.1
"""Doubt that a modifier alone in its slot, such as `.sat` or `.ftz`, should be removed."""
_DOUBT_OF_INSERTION: Final = 0.8
"""Doubt that a modifier is missing, if nothing requires it."""
_DOUBT_OF_ORDER: Final = 0.65
"""Doubt about a change that leaves the modifiers in an order that differs from the manual's."""
DOUBT_OF_OTHER_PLACE: Final = 0.7
"""Doubt about a modifier that replaces one of another kind."""


class Suspect(NamedTuple):
    """A modifier that may be to blame, or a missing one (`position` is None).

    `expected`: what is legal in its place, unordered (see `ranked`). `doubt`: how unlikely it is
    that the modifier is wrong. `remedy`: one of the changes that help, with the form that it
    assumes.
    """

    position: int | None
    expected: tuple[str, ...]
    is_removable: bool
    makes_legal: bool
    doubt: float
    remedy: Remedy


def suspects(
    instruction: Instruction, modifiers: Sequence[str], found: Iterable[Remedy]
) -> list[Suspect]:
    """Returns a suspect for each modifier whose change would help, and for each missing one."""
    by_site: dict[tuple[int, str], list[Remedy]] = {}
    types = instruction.tables.type_facts
    for remedy in found:
        site = (remedy.edit.position, "")
        if remedy.edit.kind is EditKind.INSERT:
            slot = remedy.form.row.slots[remedy.edit.slot]
            site = (-1, "type" if slot.values[0] in types else slot.name)
        by_site.setdefault(site, []).append(remedy)
    return [
        _missing(instruction, modifiers, these)
        if index < 0
        else _mistaken(instruction, modifiers, index, these)
        for (index, _), these in by_site.items()
    ]


def likeliest(found: Sequence[Suspect]) -> Suspect | None:
    """Returns the suspect to blame; the last one of several that are equally likely."""
    return min(
        found,
        key=lambda one: (one.doubt, -(one.position if one.position is not None else -1)),
        default=None,
    )


def ranked(instruction: Instruction, modifiers: Sequence[str], suspect: Suspect) -> tuple[str, ...]:
    """Returns what is legal in the place of a suspect, the most likely first."""
    expected = suspect.expected
    if len(expected) < 2:  # noqa: PLR2004  nothing to sort
        return expected
    if suspect.position is None:
        return tuple(sorted(expected, key=partial(_is_packed, instruction)))
    modifier = modifiers[suspect.position]
    return tuple(sorted(expected, key=partial(_remoteness, instruction, modifier)))


def _missing(
    instruction: Instruction, modifiers: Sequence[str], found: Sequence[Remedy]
) -> Suspect:
    best = min(remedy.fit for remedy in found)
    of_best = [remedy for remedy in found if remedy.fit is best]
    expected = dict.fromkeys(value for remedy in of_best for value in remedy.values)
    is_asked_for = _is_asked_for(instruction, modifiers, of_best[0])
    is_ordered = any(remedy.edit.in_order for remedy in of_best)
    return Suspect(
        None,
        tuple(expected),
        is_removable=False,
        makes_legal=best is Fit.LEGAL,
        doubt=best
        + (0 if is_asked_for else _DOUBT_OF_INSERTION)
        + (0 if is_ordered else _DOUBT_OF_ORDER),
        remedy=of_best[0],
    )


def _is_packed(instruction: Instruction, modifier: str) -> bool:
    """Whether a modifier is a type of packed values, which come after plain types."""
    return "x" in modifier and modifier in instruction.tables.type_facts


def _remoteness(instruction: Instruction, modifier: str, other: str) -> tuple[bool, bool]:
    """Returns a sort key: how unlikely it is that `other` was meant instead of `modifier`."""
    types = instruction.tables.type_facts
    classes = {types.get(one, (0, ""))[1] for one in (modifier, other)}
    return _is_packed(instruction, other), len(classes) > 1 and not classes <= {
        "signed",
        "unsigned",
    }


def _is_asked_for(instruction: Instruction, modifiers: Sequence[str], remedy: Remedy) -> bool:
    """Whether some modifier of the instruction requires another one in every form."""
    slot = remedy.form.row.slots[remedy.edit.slot]
    if slot.optional or not slot.literal:
        return True  # a rule requires it, or the form requires a choice
    return not modifiers or any(
        all(
            _lacks_some(form, modifiers)
            for form in instruction.forms
            if modifier in form.row.accepts
        )
        for modifier in modifiers
    )


def _lacks_some(form: Form, modifiers: Sequence[str]) -> bool:
    """Whether the form has a required place that none of the modifiers fits."""
    return any(
        not slot.optional and not any(modifier in slot.values for modifier in modifiers)
        for slot in form.row.slots[: form.row.n_modifier_slots]
    )


def _mistaken(
    instruction: Instruction, modifiers: Sequence[str], index: int, found: Sequence[Remedy]
) -> Suspect:
    modifier = modifiers[index]
    is_ordered = False
    remedy, removal = found[0], None
    by_kind: dict[bool, dict[Fit, dict[str, None]]] = {True: {}, False: {}}
    for one in found:
        edit, fit = one.edit, one.fit
        is_ordered = is_ordered or edit.in_order
        if fit < remedy.fit:
            remedy = one
        if edit.kind is EditKind.REPLACE:
            is_alike = stands_for(instruction, modifier, one.form.row.slots[edit.slot])
            values = by_kind[is_alike].setdefault(fit, {})
            values.update(dict.fromkeys(one.values))
        elif removal is None or fit < removal:
            removal = fit
    is_known = modifier in instruction.known
    other_place = DOUBT_OF_OTHER_PLACE if is_known else 0.0
    options = [
        (min(fits) + (0 if is_alike else other_place), fits[min(fits)])
        for is_alike, fits in by_kind.items()
        if fits
    ]
    if not is_known and by_kind[True]:
        options = options[:1]
    elif removal is not None:
        options.append((removal + _doubt_of_removal(instruction, modifier), {}))
    doubt, expected = min(options, key=_doubt_of_option)
    return Suspect(
        index,
        tuple(expected),
        is_removable=removal is Fit.LEGAL,
        makes_legal=int(doubt) == Fit.LEGAL,
        doubt=doubt
        + _doubt_of(instruction, modifier)
        + (_DOUBT_OF_OTHER_CLASS if _is_of_other_class(instruction, modifier, expected) else 0)
        + (0 if is_ordered else _DOUBT_OF_ORDER),
        remedy=remedy,
    )


def _is_of_other_class(instruction: Instruction, modifier: str, others: Iterable[str]) -> bool:
    """Whether a modifier is an integer type and the others are types of floats, or the reverse."""
    types = instruction.tables.type_facts
    classes = {types.get(other, (0, ""))[1] for other in others}
    own = types.get(modifier, (0, ""))[1]
    if own in _INTEGERS:
        return bool(classes) and classes <= _FLOATS
    return own in _FLOATS and bool(classes) and classes <= _INTEGERS


def _doubt_of_option(option: tuple[float, dict[str, None]]) -> float:
    return option[0]


def _doubt_of_removal(instruction: Instruction, modifier: str) -> float:
    """Returns how unlikely it is that a modifier should be removed."""
    slots = _slots_of(instruction, modifier)
    is_flag = all(slot.literal for slot in slots) and any(slot.optional for slot in slots)
    return _DOUBT_OF_FLAG if slots and is_flag else _DOUBT_OF_REMOVAL


@lru_cache(maxsize=4096)
def _slots_of(instruction: Instruction, modifier: str) -> tuple[ModifierSlot, ...]:
    """Returns the places that take a modifier in any form."""
    return tuple(
        form.row.slots[slot]
        for form in instruction.forms
        for slot in form.row.accepts.get(modifier, ())
    )


def _doubt_of(instruction: Instruction, modifier: str) -> float:
    """Returns how unlikely it is that a modifier is the mistake, by its meaning."""
    class_ = instruction.tables.type_facts.get(modifier, (0, ""))[1]
    if class_:
        return 0.0 if class_ == "bits" else _DOUBT_OF_TYPE
    slots = _slots_of(instruction, modifier)
    if any(slot.name in _OPERATIONS for slot in slots):
        return _DOUBT_OF_OPERATION
    if any(slot.name in _COMPARISONS for slot in slots):
        return _DOUBT_OF_COMPARISON
    is_word = slots and all(slot.literal and not slot.optional for slot in slots)
    return _DOUBT_OF_WORD if is_word else 0.0


@lru_cache(maxsize=4096)
def _siblings(instruction: Instruction, modifier: str) -> set[str]:
    """Returns the modifiers that share a place with a modifier in some form."""
    return {value for slot in _slots_of(instruction, modifier) for value in slot.values}


def stands_for(instruction: Instruction, modifier: str, slot: ModifierSlot) -> bool:
    """Whether a modifier was probably meant as one of the modifiers for `slot`."""
    return _stands_for(instruction, modifier, slot.values)


@lru_cache(maxsize=8192)
def _stands_for(instruction: Instruction, modifier: str, values: tuple[str, ...]) -> bool:
    if not _siblings(instruction, modifier).isdisjoint(values):
        return True
    return _is_alike(modifier, values, instruction.tables.type_facts)


def _is_alike(modifier: str, values: Sequence[str], types: Container[str]) -> bool:
    """Whether a modifier was probably meant as one of `values`: it is similar, or of their kind."""
    shape = _without_numbers(modifier)
    family, colons, _ = modifier.rpartition("::")
    return any(
        _without_numbers(value) == shape
        or value.startswith(modifier)
        or modifier.startswith(value)
        or (colons and value.startswith(family + colons))
        or (modifier in types and value in types)
        or (
            modifier.partition("::")[0] in MEMORY_SPACES
            and value.partition("::")[0] in MEMORY_SPACES
        )
        for value in values
    )


def _without_numbers(modifier: str) -> str:
    """Returns a modifier with `#` for each number: `.m#n#k#` for `.m16n8k16`."""
    parts = groupby(modifier, str.isdigit)
    return "".join("#" if is_number else "".join(part) for is_number, part in parts)
