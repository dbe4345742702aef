"""The verdict of the ISA database on all instructions of a shape, whatever their names mean.

Several analyses need the verdicts on the same shapes, so each verdict is found once.
"""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING, Final

from ptx_ls import isa
from ptx_ls.semantics.instructions.operands import UNDECLARED, to_operand

if TYPE_CHECKING:
    from ptx_ls.syntax.record import Shape

_MAX_SHAPES: Final = 1 << 13


@lru_cache(maxsize=_MAX_SHAPES)
def shape_verdict(shape: Shape, *, values: bool) -> isa.Verdict | None:
    """Returns the verdict on a shape; None for an unknown opcode.

    `values`: whether the numbers count that the shape has in place of those of its instructions.
    """
    opcode, modifiers = isa.split_modifiers(shape.opcode)
    instruction = isa.database().instruction(opcode)
    if instruction is None:
        return None
    unknown = [UNDECLARED] * len(shape.identifiers)
    given = [to_operand(each, unknown, values=values) for each in shape.operands]
    return isa.check(instruction, modifiers, given, isa.Context())
