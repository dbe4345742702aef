"""Decides which elements may be together in a vector, and which type they have in common.

ptxas 13.5 compares each element with the one before it, and the whole vector with what its place
takes; a vector with elements of several types counts as untyped.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from ptx_ls.isa.operand import Operand, OperandKind

_PREDICATE_BITS = 32
_REGISTERS = frozenset({OperandKind.REGISTER, OperandKind.SPECIAL_REGISTER})
_INTEGERS = frozenset({"unsigned", "signed"})
_Element = tuple[int, str]


def first_clash(
    elements: Sequence[Operand], types: Mapping[str, _Element], n_indices: int = 0
) -> int | None:
    """Returns the index of the first element that clashes with those before it, or None.

    Registers of a vector have the width of its first element (a leading constant has none)
    and the class of their neighbours: untyped ones agree with all, integers with each other,
    constants are integers or floats. Predicates count as 32 bits, `_` is ignored. The class of
    leading indices does not matter.
    """
    described = [_described(element, types) for element in elements]
    width = next((bits for bits, class_ in described if class_), 0)
    before = ""
    for index, (bits, class_) in enumerate(described):
        if not class_:
            continue
        if (width and bits and bits != width) or (before and not _agree(before, class_)):
            return index
        before = class_ if index >= n_indices else ""
    return None


def begins_with_constant(elements: Sequence[Operand]) -> bool:
    """Whether the first element, ignoring `_`, is a constant, so that any register width fits."""
    first = next((each for each in elements if each.kind is not OperandKind.SINK), None)
    return first is not None and first.kind in (OperandKind.INTEGER, OperandKind.FLOAT)


def common_type(elements: Sequence[Operand], types: Mapping[str, _Element]) -> str:
    """Returns the common type of vector elements that do not clash.

    This is their type if all agree, otherwise the untyped type of the same width. Integer constants
    count as signed, special registers as untyped. Returns "" if there are no registers, if one has
    an unknown type, or if the vector begins with an integer, or a float of another type.
    """
    found = [element.type for element in elements if element.kind in _REGISTERS]
    if not found or any(name not in types for name in found):
        return ""
    bits = _bits(types[found[0]])
    if any(element.kind is OperandKind.SPECIAL_REGISTER for element in elements):
        found.append(f".b{bits}")
    different = {*found, *(_constant_type(element, bits) for element in elements)} - {""}
    if len(different) == 1 and elements[0].kind is not OperandKind.INTEGER:
        return found[0]
    return "" if begins_with_constant(elements) else f".b{bits}"


def _constant_type(element: Operand, bits: int) -> str:
    """Returns the type of a constant among registers with `bits` bits; "" for other operands."""
    if element.kind is OperandKind.INTEGER:
        return f".s{bits}"
    if element.kind is OperandKind.FLOAT:
        return ".f32" if element.text[:2].lower() == "0f" else ".f64"
    return ""


def _described(element: Operand, types: Mapping[str, _Element]) -> _Element:
    """Returns width and class; width 0 for a constant, class "" for an element to ignore."""
    if element.kind is OperandKind.INTEGER:
        return 0, "signed"
    if element.kind is OperandKind.FLOAT:
        return 0, "float"
    if element.kind is OperandKind.SPECIAL_REGISTER:
        return _bits(types.get(element.type, (0, ""))), "bits"
    if element.kind is not OperandKind.REGISTER:
        return 0, ""
    type_ = types.get(element.type, (0, ""))
    return _bits(type_), type_[1]


def _bits(type_: _Element) -> int:
    return _PREDICATE_BITS if type_[1] == "predicate" else type_[0]


def _agree(one: str, other: str) -> bool:
    return one == other or "bits" in (one, other) or {one, other} <= _INTEGERS
