"""Reads shapes: how the outline of what an instruction writes follows from its operands."""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING, Final

from ptx_ls.lint.addresses.outlines import value_outline
from ptx_ls.lint.addresses.outlines.operations import OPERATIONS
from ptx_ls.lint.addresses.sources import is_name
from ptx_ls.source.named_tuple import NamedTuple
from ptx_ls.syntax.dotted import modifiers_of
from ptx_ls.syntax.operands import OperandForm
from ptx_ls.syntax.written.operands import written_operands

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from ptx_ls.lint.addresses.outlines.value_outline import ValueOutline
    from ptx_ls.syntax.record import Shape

_MAX_SHAPES: Final = 1 << 12
CONVERTING: Final = ("cvta", "mapa")
_SHIFT: Final = "shr"
_SIGNED_SHIFT: Final = "shr.s"
_WIDE: Final = "64"
_MULTIPLYING: Final = ("mul", "mad")
_LOW: Final = frozenset({".lo", ".wide"})
_UNUSUAL: Final = frozenset({".sat", ".pack", ".relu"})
_INTEGERS: Final = frozenset(f".{letter}{bits}" for letter in "bus" for bits in (8, 16, 32, 64))


class Reading(NamedTuple):
    """How the outline of what an instruction writes follows from its operands.

    `n_sources`: how many operands it reads; 0 if all registers that it reads count. `n_operands`:
    how many registers it reads if all its operands are registers; 0 if that does not say which.
    `is_extending`: whether the first two are extended with zeros. `is_narrowing`: whether the
    result may be half of a wider number. `is_converting`: whether it converts an address.
    """

    n_sources: int
    combine: Callable[[Sequence[ValueOutline]], ValueOutline]
    n_operands: int = 0
    is_extending: bool = False
    is_narrowing: bool = False
    is_converting: bool = False

    def result(self, given: Sequence[ValueOutline]) -> ValueOutline:
        """Returns the outline of the result."""
        if self.is_extending:
            given = [*map(value_outline.zero_extended, given[:2]), *given[2:]]
        found = self.combine(given)
        return value_outline.narrowed(found) if self.is_narrowing else found


COMPUTED: Final = Reading(0, value_outline.computed)
_PARTS: Final = Reading(0, value_outline.split)
COPIED: Final = Reading(1, lambda given: given[0])


def _joined(given: Sequence[ValueOutline]) -> ValueOutline:
    return value_outline.joined(given[0])


def _extended(given: Sequence[ValueOutline]) -> ValueOutline:
    return value_outline.extended(given[0])


@lru_cache(maxsize=_MAX_SHAPES)
def reading_of(shape: Shape) -> Reading:
    """Returns how the results of all instructions of a shape follow from their operands."""
    name, modifiers, operands = shape.name, modifiers_of(shape.opcode), shape.operands
    is_plain = all(each.form is not OperandForm.VECTOR for each in operands)
    n_operands = len(operands) - 1 if is_plain else 0
    if name in CONVERTING:
        return Reading(1, value_outline.computed, n_operands, is_converting=n_operands > 0)
    if name == _SHIFT and ".s" in shape.opcode:
        name = _SIGNED_SHIFT
    n_sources, combine = OPERATIONS.get(name, (0, value_outline.computed))
    types = [int(each[2:]) for each in modifiers if each in _INTEGERS]
    if len(operands) <= n_sources or not n_sources:
        return COMPUTED
    if name == "mov":
        if operands[0].form is OperandForm.VECTOR:
            return _PARTS
        is_narrow = not shape.opcode.endswith(_WIDE)  # of the address of a variable
        if not is_plain:
            combine = _joined
        return Reading(1, combine, n_operands, not is_plain, is_narrow and is_name(operands[1]))
    is_usual = bool(modifiers) and modifiers[-1] in _INTEGERS and _UNUSUAL.isdisjoint(modifiers)
    is_high = name in _MULTIPLYING and _LOW.isdisjoint(modifiers)
    if not is_usual or is_high or (name == "cvt" and len(types) != len(("to", "from"))):
        return COMPUTED
    is_unsigned = not modifiers[-1].startswith(".s")
    if name != "cvt":
        return Reading(n_sources, combine, n_operands, is_unsigned and ".wide" in modifiers)
    is_wider = types[0] > types[1]
    if is_wider:
        combine = _extended
    return Reading(1, combine, n_operands, is_unsigned and is_wider, types[0] < types[1])


def first_operands(shape: Shape, text: str) -> list[str]:
    """Returns the operands of an instruction; of one in braces, its first part."""
    written = written_operands(shape, text)
    return [
        each.elements[0].text if each.form is OperandForm.VECTOR and each.elements else each.text
        for each in written
    ]
