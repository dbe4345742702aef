"""Selects the lines of a page that may concern an instruction with the given modifiers."""

from __future__ import annotations

from fnmatch import fnmatchcase
from typing import TYPE_CHECKING, Final

from ptx_ls.isa.execution.variant import FLOATS, KINDS, alternatives, class_of, test_of

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from ptx_ls.handbook.forms import FormFacts

_PUNCTUATION: Final = str.maketrans(dict.fromkeys("{}[]|!,;", " "))
_WORDS: Final = frozenset({"float", "packed", "signed", "unsigned", "special", "rejected"})
"""Words of a condition that are not names of operands."""


def narrowed(lines: Iterable[str], forms: Sequence[FormFacts]) -> list[str]:
    """Returns the lines whose condition, `// if .init`, can hold in one of the forms."""
    return [line for line in lines if can_hold(test_of(line), forms)]


def can_hold(test: str, forms: Sequence[FormFacts]) -> bool:
    """Whether a condition can hold in one of the forms."""
    terms = alternatives(test) if test else []
    return any(
        all(any(_is_possible(item, form) for item in term) for term in terms) for form in forms
    )


def _is_possible(item: str, form: FormFacts) -> bool:
    """Whether an item of a condition can hold in a form; true if that is unknown."""
    if item.startswith("no "):
        return not _is_certain(item[3:], form)
    if item.startswith("."):
        values = {value for slot in form.slots for value in slot.values}
        return item in values or _is_slot(item[1:], form) or _are_parts(item, values)
    if " " not in item and item not in _WORDS:
        return item in form.syntax.translate(_PUNCTUATION).split()
    matches = _matches(item, form)
    return not matches or any(matches)


def _is_certain(item: str, form: FormFacts) -> bool:
    """Whether an item of a condition always holds in a form."""
    if item.startswith("."):
        required = [slot for slot in form.slots if not slot.is_optional]
        return any(slot.values == (item,) or f".{slot.name}" == item for slot in required)
    if any(each.name == item and not each.is_optional for each in form.operands):
        return True
    matches = _matches(item, form)
    return bool(matches) and all(matches)


def _matches(item: str, form: FormFacts) -> list[bool]:
    """Returns for each value of a slot whether it fits `integer dtype` or `dtype .f32`.

    The list is empty if the item is not about a slot that is always filled.
    """
    kind, _, name = item.partition(" ")
    slots = {slot.name: slot.values for slot in form.slots if not slot.is_optional}
    if kind in KINDS and name in slots:
        return [class_of(value) in KINDS[kind] for value in slots[name]]
    if kind in slots and name.startswith("."):
        return [fnmatchcase(value, name) for value in slots[kind]]
    types = [value for slot in form.slots for value in slot.values if class_of(value)]
    match item:
        case "float":
            return [class_of(each) in FLOATS for each in types]
        case "packed":
            return ["x" in each for each in types]
        case "signed":
            return [each.startswith(".s") for each in types]
        case "unsigned":
            return [not each.startswith(".s") for each in types]
        case _:
            return []


def _is_slot(name: str, form: FormFacts) -> bool:
    return name == "dtype" or any(slot.name == name for slot in form.slots)


def _are_parts(item: str, values: set[str]) -> bool:
    """Whether all modifiers of `.red.and` are among the values."""
    parts = item[1:].split(".")
    return len(parts) > 1 and all(f".{part}" in values for part in parts)
