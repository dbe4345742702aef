"""Divisions of integers, whose results are unspecified if the divisor is 0.

Source: PTX ISA, "Integer Arithmetic Instructions: div" and "rem".
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from ptx_ls import isa

if TYPE_CHECKING:
    from ptx_ls.syntax.record import Shape

DIVISIONS: Final = ("div", "rem")
"""The opcodes."""
DIVISOR: Final = 2
"""The number of the operand by which they divide."""
_INTEGERS: Final = ("signed", "unsigned")


def divides_integers(shape: Shape) -> bool:
    """Whether instructions of a shape divide integers."""
    if shape.name not in DIVISIONS:
        return False
    _, modifiers = isa.split_modifiers(shape.opcode)
    return isa.database().type_facts.get(isa.written_type(modifiers), (0, ""))[1] in _INTEGERS
