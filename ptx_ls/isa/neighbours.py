"""Which elements may stand together in a vector, and what type they have in common.

ptxas 13.5 compares each element with the one before it, and the vector as a whole with its place:
elements of several types count as untyped then.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from ptx_ls.isa.operand import Operand, OperandKind

_PREDICATE_BITS = 32
_REGISTERS = frozenset({OperandKind.REGISTER, OperandKind.SPECIAL_REGISTER})
_INTEGERS = frozenset({"unsigned", "signed"})
_Element = tuple[int, str]


def first_clash(elements: Sequence[Operand], types: Mapping[str, _Element]) -> int | None:
    """The index of the first element that does not go with the one before it; None without one.

    Registers of a vector have one width and class, where untyped ones go with all of their width,
    integers with each other, constants as integers or floats, and predicates count as 32 bits. `_`
    is passed over.
    """
    before: _Element = (0, "")
    for index, element in enumerate(elements):
        this = _described(element, types)
        if not this[1]:
            continue
        if before[1] and not _agree(before, this):
            return index
        before = (this[0] or before[0], this[1])
    return None


def first_stranger(elements: Sequence[Operand], types: Mapping[str, _Element]) -> int | None:
    """The index of the first element of another class than one before it; None without one.

    For places that look at all elements, not at neighbours: integers, floats, packed halves and
    predicates do not mix, though untyped registers stand between.
    """
    found = ""
    for index, element in enumerate(elements):
        class_ = _described(element, types)[1]
        if class_ in ("", "bits"):
            continue
        class_ = "integer" if class_ in _INTEGERS else class_
        if found and class_ != found:
            return index
        found = class_
    return None


def common_type(elements: Sequence[Operand], types: Mapping[str, _Element]) -> str:
    """The type of registers that do not clash: theirs if it is one, else the untyped one.

    Integer constants count as signed, special registers as untyped. Empty without registers, or
    when one's type is not known.
    """
    found = [element.type for element in elements if element.kind in _REGISTERS]
    if not found or any(name not in types for name in found):
        return ""
    bits = _bits(types[found[0]])
    if any(element.kind is OperandKind.SPECIAL_REGISTER for element in elements):
        found.append(f".b{bits}")
    different = {*found, *(_constant_type(element, bits) for element in elements)} - {""}
    return found[0] if len(different) == 1 else f".b{bits}"


def _constant_type(element: Operand, bits: int) -> str:
    """What a constant counts as among registers of so many bits; "" for what is none."""
    if element.kind is OperandKind.INTEGER:
        return f".s{bits}"
    if element.kind is OperandKind.FLOAT:
        return ".f32" if element.text[:2].lower() == "0f" else ".f64"
    return ""


def _described(element: Operand, types: Mapping[str, _Element]) -> _Element:
    """Width and class; width 0 for a constant, no class for what is not compared."""
    if element.kind is OperandKind.INTEGER:
        return 0, "signed"
    if element.kind is OperandKind.FLOAT:
        return 0, "float"
    if element.kind is OperandKind.SPECIAL_REGISTER:
        return types.get(element.type, (0, ""))[0], "bits"
    if element.kind is not OperandKind.REGISTER:
        return 0, ""
    type_ = types.get(element.type, (0, ""))
    return _bits(type_), type_[1]


def _bits(type_: _Element) -> int:
    return _PREDICATE_BITS if type_[1] == "predicate" else type_[0]


def _agree(one: _Element, other: _Element) -> bool:
    if one[0] and other[0] and one[0] != other[0]:
        return False
    return one[1] == other[1] or "bits" in (one[1], other[1]) or {one[1], other[1]} <= _INTEGERS
