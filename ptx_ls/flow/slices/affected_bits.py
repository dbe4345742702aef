"""Follows which bits of a register depend on a value, through the instructions that copy bits.

Source: PTX ISA, "mov", "cvt" and "Packed Floating Point Data Types".
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from ptx_ls.semantics.constants.values import value_of
from ptx_ls.syntax.operands import OperandForm

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from ptx_ls.syntax.operands import OperandSyntax

ALL: Final = -1
"""The mask of all bits of a register of any width."""
_PAIRS: Final = {
    ".f32x2": 32,
    **dict.fromkeys((".f16x2", ".bf16x2", ".u16x2", ".s16x2"), 16),
    **dict.fromkeys((".e4m3x2", ".e5m2x2"), 8),
    ".e2m1x2": 4,
}
"""Types of two values in a register, and the width of each."""
_WIDTHS: Final = {".b16": 16, ".b32": 32, ".b64": 64, ".b128": 128}
_MAX_SHIFT: Final = 64


def affected_bits(
    opcode: str, operands: Sequence[OperandSyntax], name: str, bits: int
) -> dict[str, int]:
    """Returns the bits of the results of an instruction that depend on some bits of a register.

    `bits` is the mask of the bits of the register `name`, which the instruction reads. The mask of
    a result that depends on none of them is 0.
    """
    if not operands:
        return {}
    written, *read = operands
    parts = written.elements or (written,)
    root, *modifiers = _with_dots(opcode)
    if root == ".mov" and modifiers and read:
        moved = _moved(_WIDTHS.get(modifiers[-1], 0), len(parts), read[0], name, bits)
    else:
        transfer = _TRANSFERS.get(root[1:]) if modifiers else None
        found = ALL if transfer is None else transfer(modifiers, read, name, bits)
        moved = [found] * len(parts)
    results: dict[str, int] = {}
    for part, each in zip(parts, moved, strict=True):
        if part.form is not OperandForm.SINK:
            results[part.text] = results.get(part.text, 0) | each
    return results


def _with_dots(opcode: str) -> list[str]:
    return [f".{each}" for each in opcode.split(".")]


def _moved(width: int, n_results: int, source: OperandSyntax, name: str, bits: int) -> list[int]:
    """Returns the bits of the results of `mov`, which may pack a register or take it apart."""
    elements = source.elements or (source,)
    if not width:
        return [bits if len(elements) == n_results == 1 else ALL] * n_results
    each = width // len(elements)
    places = [number for number, it in enumerate(elements) if it.text == name]
    if not places:
        return [ALL] * n_results
    packed = sum((bits & ((1 << each) - 1)) << each * number for number in places)
    each = width // n_results
    return [packed >> each * number & ((1 << each) - 1) for number in range(n_results)]


def _lanes(modifiers: Sequence[str], read: Sequence[OperandSyntax], name: str, bits: int) -> int:
    """Returns what depends on a register in an instruction that may compute two values at once."""
    del read, name
    type_ = modifiers[-1]
    return _of_pairs(type_, type_, bits) if type_ in _PAIRS else ALL


def _of_pairs(given: str, result: str, bits: int) -> int:
    """Returns the halves of a result that depend on the halves of an operand."""
    before, after = _PAIRS[given], _PAIRS[result]
    low, high = bits & ((1 << before) - 1), bits >> before & ((1 << before) - 1)
    whole = (1 << after) - 1
    return (whole if low else 0) | (whole << after if high else 0)


def _converted(
    modifiers: Sequence[str], read: Sequence[OperandSyntax], name: str, bits: int
) -> int:
    """Returns the bits for `cvt`, which writes its first source to the upper half of a pair."""
    result, given = ["", *modifiers][-2:]
    if result not in _PAIRS:
        return ALL
    if given in _PAIRS:
        return _of_pairs(given, result, bits)
    names = [each.text for each in read]
    if given != ".f32" or name not in names[:2] or name in names[2:]:
        return ALL
    width = _PAIRS[result]
    whole = (1 << width) - 1
    if len(names) == 1:
        return ALL
    high, low = (whole if each == name else 0 for each in names[:2])
    return high << width | low


def _masked(modifiers: Sequence[str], read: Sequence[OperandSyntax], name: str, bits: int) -> int:
    """Returns the bits for `and`, which may clear some."""
    del modifiers, name
    masks = [value for each in read if (value := _constant(each)) is not None]
    return bits & masks[0] if masks else bits


def _same(modifiers: Sequence[str], read: Sequence[OperandSyntax], name: str, bits: int) -> int:
    del modifiers, read, name
    return bits


def _shifted(modifiers: Sequence[str], read: Sequence[OperandSyntax], name: str, bits: int) -> int:
    """Returns the bits for a shift of bits by a number; `shr` of a signed type copies the sign."""
    amount = _amount(read, name)
    return ALL if amount is None or modifiers[-1].startswith(".s") else bits >> amount


def _raised(modifiers: Sequence[str], read: Sequence[OperandSyntax], name: str, bits: int) -> int:
    amount, width = _amount(read, name), _WIDTHS.get(modifiers[-1])
    return ALL if amount is None or width is None else bits << amount & ((1 << width) - 1)


def _amount(read: Sequence[OperandSyntax], name: str) -> int | None:
    """Returns the number of bits by which a register is shifted; None if it is unknown."""
    if len(read) != len(("value", "amount")) or read[0].text != name or read[1].text == name:
        return None
    amount = _constant(read[1])
    return amount if amount is not None and 0 <= amount < _MAX_SHIFT else None


def _constant(operand: OperandSyntax) -> int | None:
    value = value_of(operand.text) if operand.form is OperandForm.INTEGER else None
    return None if value is None else int(value)


_TRANSFERS: Final[dict[str, Callable[[Sequence[str], Sequence[OperandSyntax], str, int], int]]] = {
    **dict.fromkeys(("abs", "add", "fma", "max", "min", "mul", "neg", "sub"), _lanes),
    **dict.fromkeys(("not", "or", "xor"), _same),
    "and": _masked,
    "cvt": _converted,
    "shl": _raised,
    "shr": _shifted,
}
