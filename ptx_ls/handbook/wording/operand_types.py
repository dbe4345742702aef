"""Types of operands in words, and the types that their registers are declared with."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from typing import TYPE_CHECKING, Final

from ptx_ls.handbook.wording.phrases import code
from ptx_ls.isa import database
from ptx_ls.isa.checking.scalar_check import has_literals
from ptx_ls.isa.notation.expression import slots_in
from ptx_ls.isa.notation.table import Node
from ptx_ls.source.english import listed

if TYPE_CHECKING:
    from ptx_ls.handbook.wording.expressions import Wording

_MAX_LISTED_TYPES: Final = 4
"""Maximum number of types of registers that are listed for an operand."""
_PACKED: Final = "x"
"""A part of the names of types that hold several values, such as `.f16x2`."""


def declared_type(name: str, named: Collection[str]) -> str:
    """Returns the type to declare a register with, for an operand of type `name`.

    Registers are untyped for a type that only says how bits are read, and for a packed type that
    the instruction does not name (`named`: its modifiers). Names that are not types are returned
    unchanged, and so are opaque types, which no register holds.
    """
    found = database().types.get(name)
    if found is None or not found.bits:
        return name
    if found.is_register and (_PACKED not in name or name in named):
        return name
    return found.holder or f".b{found.bits}"


def type_words(wording: Wording, node: Node | None) -> str:
    """Describes the type of an operand's register; "" for any.

    This is a type, perhaps with the type that it holds (`.b32` holding `.f16x2`), a few types
    with the modifiers that cause them, or how the type follows from a modifier.
    """
    if node is None:
        return ""
    reduced = wording.known.value(node)
    slots = sorted(set(slots_in(reduced)))
    is_slot = node[0] == "slot" and not wording.known.is_given(node[1])
    by_value = _declared_by(wording, node if is_slot else reduced, [node[1]] if is_slot else slots)
    types = list(dict.fromkeys(by_value.values()))
    if is_slot:
        slot = wording.slot(node[1])
        holds = len(types) == 1 and types[0] not in by_value
        return f"{code(types[0])} holding {slot}" if holds else slot
    if len(types) == 1 and not slots:
        ((value, name),) = by_value.items()
        holds = value != name and value in _named_types(wording)
        return f"{code(name)} holding {code(value)}" if holds else code(name)
    if len(types) == 1:
        return code(types[0])
    if len(slots) == 1 and 0 < len(types) <= _MAX_LISTED_TYPES:
        return _by_reason(by_value)
    return wording.number(node)


def types_without_literals(wording: Wording, node: Node | None) -> tuple[list[str], bool]:
    """Returns the types of an operand that constants cannot have, and whether all are such."""
    if node is None:
        return [], False
    slots = sorted(set(slots_in(wording.known.value(node))))
    types = list(
        dict.fromkeys(
            str(outcome)
            for outcome, values in wording.known.outcomes(wording.known.value(node), slots)
            if outcome and wording.known.is_possible(slots, values)
        )
    )
    facts = database().type_facts
    found = [name for name in types if not has_literals(name, facts.get(name, (0, ""))[1])]
    return found, len(found) == len(types) > 0


def _declared_by(wording: Wording, node: Node, slots: list[int]) -> dict[str, str]:
    """Returns the types to declare, by the value of the only slot, or by the operand's type."""
    found: dict[str, str] = {}
    named = _named_types(wording)
    for outcome, values in wording.known.outcomes(node, slots):
        if wording.known.is_possible(slots, values) and outcome:
            key = values[0] if len(values) == 1 else str(outcome)
            found[key] = declared_type(str(outcome), named)
    return found


def _named_types(wording: Wording) -> frozenset[str]:
    """Returns the modifiers of the form, among them the types that it names."""
    return frozenset(value for slot in wording.form.row.slots for value in slot.values)


def _by_reason(by_value: Mapping[str, str]) -> str:
    """Returns ``.b32` (with `.f16`) or `.f32``."""
    reasons: dict[str, list[str]] = {}
    for value, name in by_value.items():
        reasons.setdefault(name, []).append(value)
    return listed(
        code(name) if values == [name] else f"{code(name)} (with {listed(map(_or_none, values))})"
        for name, values in reasons.items()
    )


def _or_none(value: str) -> str:
    return code(value) if value else "none"
