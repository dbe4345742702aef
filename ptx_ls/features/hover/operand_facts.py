"""What an instruction says of its operands by their numbers: names, types, where they stand."""

from __future__ import annotations

import re
from bisect import bisect_right
from functools import lru_cache
from typing import TYPE_CHECKING, Final

from ptx_ls import isa
from ptx_ls.isa.checking.reading import InstructionReading, read, sole_reading
from ptx_ls.semantics.instructions.operands import UNDECLARED, operands_in_steps
from ptx_ls.source.steps import finished
from ptx_ls.syntax.comments import COMMENT
from ptx_ls.syntax.dotted import first_type
from ptx_ls.syntax.names import NAME_CHARACTERS

if TYPE_CHECKING:
    from collections.abc import Generator, Sequence

    from ptx_ls.isa import Context
    from ptx_ls.isa.checking.reading import ReadOperand
    from ptx_ls.syntax.record import Shape

_PLAIN: Final = frozenset({"arithmetic", "logic", "comparison", "shift", "video"})
"""Categories whose single letters of operands tell nothing."""
_MAX_READINGS: Final = 1 << 13
"""Shapes whose reading is kept."""
_MAX_LISTED: Final = 3
_DESTINATION: Final = "d"


def signed_bits(text: str, offset: int, shape: Shape | None, context: Context) -> int:
    """How wide the signed number is that a statement takes at an offset; 0 if it takes another."""
    if shape is None:
        kind = first_type(text[:offset])
    else:
        index = bisect_right(operand_starts(text), offset) - 1
        types = operand_types(shape, context)
        kind = types[index] if 0 <= index < len(types) else ""
        is_apart = 0 <= index < len(shape.operands) and shape.operands[index].elements
        kind = "" if is_apart else kind
    bits, group = isa.database().type_facts.get(kind, (0, ""))
    return bits if group == "signed" else 0


def operand_types(shape: Shape, context: Context) -> tuple[str, ...]:
    """The types that an instruction takes its operands for; "" for those without one."""
    return tuple([each.type if each is not None else "" for each in _operands(shape, context)])


@lru_cache(maxsize=1 << 13)
def operand_names(shape: Shape, context: Context) -> tuple[str, ...]:
    """The manual's names of an instruction's operands; "" for those that a reader does not miss."""
    instruction = isa.database().instruction(shape.name)
    if instruction is None or len(shape.operands) < _MAX_LISTED:
        return ()
    has_letters = len(shape.operands) > _MAX_LISTED and instruction.prose.category not in _PLAIN
    return tuple(
        name if name != _DESTINATION and (len(name) > 1 or has_letters) else ""
        for name in (it.name if it is not None else "" for it in _operands(shape, context))
    )


def _operands(shape: Shape, context: Context) -> Sequence[ReadOperand | None]:
    """What each operand is."""
    return finished(reading_in_steps(shape, context)).operands


_readings: dict[tuple[Shape, Context], InstructionReading] = {}


def reading_in_steps(shape: Shape, context: Context) -> Generator[None, None, InstructionReading]:
    """How an instruction is read whose names may stand for anything, in steps."""
    key = shape, context
    if key in _readings:
        return _readings[key]
    instruction = isa.database().instruction(shape.name)
    reading = InstructionReading()
    if instruction is not None:
        written, identifiers = yield from shape.read.parts_in_steps()
        modifiers = isa.split_modifiers(shape.opcode)[1]
        known = sole_reading(instruction, modifiers, len(written), context)
        yield
        if known is None:
            facts = [UNDECLARED] * len(identifiers)
            operands = yield from operands_in_steps(written, facts, values=True)
            known = read(instruction, modifiers, operands, context)
        reading = known
    if len(_readings) >= _MAX_READINGS:
        _readings.clear()
    _readings[key] = reading
    return reading


def operand_starts(text: str) -> list[int]:
    """Offsets of the operands of an instruction without a syntax error."""
    match = _BEFORE_OPERANDS(text)
    if match is None:
        return []
    starts, depth = [match.end()], 0
    for found in _PUNCTUATION(text, match.end()):
        if not found[1]:  # a comment
            continue
        mark = found[1][0]
        depth += (mark in "([{") - (mark in ")]}")
        if mark == "," and not depth:
            starts.append(found.end())
        elif mark == ";":
            break
    return starts


_SPACE: Final = rf"(?:\s++|{COMMENT})*"
_BEFORE_OPERANDS: Final = re.compile(
    rf"{_SPACE}(?:@{_SPACE}!?{_SPACE}{NAME_CHARACTERS}{_SPACE})?[a-z]\w*+(?:\.[\w:]++)*{_SPACE}"
    rf"(?:\.[\w:]++{_SPACE})*",
    re.ASCII,
).match
_PUNCTUATION: Final = re.compile(rf"{COMMENT}|([(\[{{)\]}};]|,{_SPACE})", re.ASCII).finditer
