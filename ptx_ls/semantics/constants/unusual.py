"""Finds the constants in the instructions of a function that have unusual values.

Most instructions with constants are like others but for the values, so their lines are searched for
values outside of limits, and only lines that have some are read.
"""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING, Final

from ptx_ls.document.rows import rows_where
from ptx_ls.semantics.constants.places import CONSTANTS, constant_places
from ptx_ls.semantics.constants.usual import FIELDS, exceeds_field, usual_values
from ptx_ls.semantics.constants.values import value_of
from ptx_ls.semantics.symbols.region_text import MAX_RECENT_FUNCTIONS, region_text
from ptx_ls.source.named_tuple import NamedTuple
from ptx_ls.syntax.literals import integer
from ptx_ls.syntax.offsets import shifted
from ptx_ls.syntax.operands import OperandForm
from ptx_ls.syntax.record import InlineAsmLine, InlineAsmPattern, Shape
from ptx_ls.syntax.searches.unusual_numbers import ANY, packed, unusual_rows
from ptx_ls.syntax.written.names import numbers_in
from ptx_ls.syntax.written.operands import written_operands

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from ptx_ls.document.chunk import Chunk
    from ptx_ls.document.coordinates import FunctionPosition
    from ptx_ls.document.function import Function
    from ptx_ls.semantics.constants.places import ConstantPlace
    from ptx_ls.semantics.symbols.region_text import Found
    from ptx_ls.syntax.operands import OperandSyntax
    from ptx_ls.syntax.record import Pattern, Record
    from ptx_ls.syntax.searches.unusual_numbers import Limits

_MAX_KEPT: Final = 1 << 12
"""Number of patterns whose limits are kept."""


class Constant(NamedTuple):
    """A constant of an instruction: what it is for, its value, and its place.

    `value`: None if it is unknown.
    """

    place: ConstantPlace
    text: str
    value: float | None
    start: FunctionPosition
    end: FunctionPosition

    @property
    def whole(self) -> int | None:
        """The value, if it is an integer for an operand of an integer type, or an offset."""
        if not isinstance(self.value, int):
            return None
        is_integer = self.place.bits or self.place.is_offset or not self.place.type
        return self.value if is_integer else None


class ConstantUse(NamedTuple):
    """An instruction with its operands and its constants, one of which is unusual."""

    found: Found
    shape: Shape
    operands: tuple[OperandSyntax, ...]
    constants: tuple[Constant, ...]

    def constant(self, name: str) -> Constant | None:
        """Returns the constant that is the operand with a name."""
        return next((each for each in self.constants if each.place.name == name), None)


@lru_cache(maxsize=MAX_RECENT_FUNCTIONS)
def unusual_constants(function: Function) -> tuple[ConstantUse, ...]:
    """Returns the instructions of a function that have constants with unusual values."""
    rows = rows_where(function.leaves(), _unusual_rows)
    return tuple(_uses(function, rows)) if rows else ()


def _unusual_rows(chunk: Chunk) -> Sequence[int]:
    limits = tuple(map(_limits_of, chunk.patterns))
    if limits.count(None) == len(limits):
        return ()
    return unusual_rows(chunk.text, chunk.numbers, limits)


def _uses(function: Function, rows: list[int]) -> Iterator[ConstantUse]:
    text = region_text(function)
    examined = [
        row for row, line, record in text.rows(rows) if not _are_usual(record, *numbers_in(line))
    ]
    for found in text.statements(examined):
        shape = found.record
        if not isinstance(shape, Shape) or _limits_of(shape) is None:
            continue
        operands = written_operands(shape, found.text)
        places = constant_places(shape)
        if places and len(operands) == len(shape.operands):
            constants = tuple([_constant(each, operands, found) for each in places])
            yield ConstantUse(found, shape, operands, constants)


def _are_usual(record: Record, *numbers: str) -> bool:
    """Whether the numbers of a line with a bit field are certainly usual."""
    places = constant_places(record) if isinstance(record, Shape) else None
    if places is None or not isinstance(record, Shape) or record.name not in FIELDS:
        return False
    values = {}
    for place, text in zip(places, numbers, strict=False):
        usual, value = usual_values(record, place), integer(text)
        if usual is None or value is None or not usual.low <= value <= usual.high:
            return False
        values[place.name] = value
    return len(numbers) == len(places) and not exceeds_field(record, values)


def _constant(place: ConstantPlace, operands: tuple[OperandSyntax, ...], found: Found) -> Constant:
    written = place.of(operands)
    start, end = shifted(written.start, found.start), shifted(written.end, found.start)
    return Constant(place, written.text, value_of(written.text), start, end)


@lru_cache(maxsize=_MAX_KEPT)
def _limits_of(pattern: Pattern) -> Limits:
    """Returns the limits of the numbers in the lines with a pattern."""
    if isinstance(pattern, InlineAsmPattern):
        return _limits_of_block(pattern)
    if isinstance(pattern, tuple):
        return True if any(map(_limits_of, pattern)) else None
    if not isinstance(pattern, Shape) or not any(map(_may_be_unusual, pattern.operands)):
        return None
    places = constant_places(pattern)
    if not places:
        return None
    usual = [usual_values(pattern, place) for place in places]
    known = [each for each in usual if each is not None]
    if len(known) < len(usual) or pattern.has_gap or _is_field(pattern, places):
        return True
    return packed(known)


def _may_be_unusual(operand: OperandSyntax) -> bool:
    """Whether an operand is or contains a number that is not an offset, or a float of 32 bits."""
    if operand.form in CONSTANTS:
        return operand.form is not OperandForm.FLOAT32 or bool(operand.negation)
    is_offset = operand.form in (OperandForm.ADDRESS, OperandForm.IDENTIFIER)
    return not is_offset and any(map(_may_be_unusual, operand.elements))


def _limits_of_block(pattern: InlineAsmPattern) -> Limits:
    """Returns the limits of the numbers in a plain block on one line."""
    if not any(map(_limits_of, pattern.records)):
        return None
    limits = bytearray()
    for piece in InlineAsmLine(pattern.text, pattern).pieces:
        numbers = numbers_in(pattern.text[piece.start[1] : piece.end[1]])
        own = _limits_of(piece.record) or packed(ANY for _ in numbers)
        if isinstance(own, bool) or len(own) != len(packed(ANY for _ in numbers)):
            return True
        limits += own
    return bytes(limits)


def _is_field(shape: Shape, places: tuple[ConstantPlace, ...]) -> bool:
    """Whether the start and the length of a bit field are constants."""
    names = {place.name for place in places}
    return shape.name in FIELDS and names.issuperset(FIELDS[shape.name])
