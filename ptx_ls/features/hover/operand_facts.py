"""The manual's names for the operands of an instruction, and their types, in order."""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING, Final

from ptx_ls import isa
from ptx_ls.isa.checking.reading import InstructionReading, read, sole_reading
from ptx_ls.semantics.instructions.operands import UNDECLARED, to_operand
from ptx_ls.syntax.dotted import first_type
from ptx_ls.syntax.offsets import place_of
from ptx_ls.syntax.written.operands import written_operands

if TYPE_CHECKING:
    from collections.abc import Sequence

    from ptx_ls.isa import Context
    from ptx_ls.isa.checking.reading import ReadOperand
    from ptx_ls.syntax.record import Shape

_PATTERNS: Final = frozenset({"immLut", "membermask"})
_PATTERN: Final = ".b32"
_MAX_READINGS: Final = 1 << 13
"""Maximum number of readings that are cached."""


def type_of_number(text: str, offset: int, shape: Shape | None, context: Context) -> str:
    """Returns the type of the number at an offset in a statement, `.s32`; "" if it has none.

    `shape`: that of an instruction, None for a declaration. A mask of threads and the table of
    `lop3` are bits, whatever the manual's type is.
    """
    kind = ""
    if shape is None:
        kind = first_type(text[:offset])
    else:
        place = place_of(text, offset)
        for operand, spec in zip(
            written_operands(shape, text), _operands(shape, context), strict=False
        ):
            is_whole = operand.start <= place < operand.end and not operand.elements
            if is_whole and spec is not None:
                kind = _PATTERN if spec.name in _PATTERNS else spec.type
    return kind


@lru_cache(maxsize=1 << 13)
def operand_names(shape: Shape, context: Context) -> tuple[str, ...]:
    """Returns the manual's names of an instruction's operands; "" for those without one."""
    return tuple(it.name if it is not None else "" for it in _operands(shape, context))


def _operands(shape: Shape, context: Context) -> Sequence[ReadOperand | None]:
    return reading_of(shape, context).operands


_readings: dict[tuple[Shape, Context], InstructionReading] = {}


def reading_of(shape: Shape, context: Context) -> InstructionReading:
    """Returns the reading of an instruction without knowing the declarations of its operands."""
    key = shape, context
    kept = _readings.get(key)
    if kept is not None:
        return kept
    instruction = isa.database().instruction(shape.name)
    reading = InstructionReading()
    if instruction is not None:
        written, identifiers = shape.read.parts
        modifiers = isa.split_modifiers(shape.opcode)[1]
        known = sole_reading(instruction, modifiers, len(written), context)
        if known is None:
            facts = [UNDECLARED] * len(identifiers)
            operands = [to_operand(operand, facts, values=True) for operand in written]
            known = read(instruction, modifiers, operands, context)
        reading = known
    if len(_readings) >= _MAX_READINGS:
        _readings.clear()
    _readings[key] = reading
    return reading
