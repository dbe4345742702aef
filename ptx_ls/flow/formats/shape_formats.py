"""How the registers of an instruction matter to a search for misread numbers."""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING, Final

from ptx_ls.flow.formats.opcode_formats import (
    COUNTING,
    IntegerReading,
    ResultFormat,
    opcode_formats,
)
from ptx_ls.semantics.instructions.memory_operands import memory_operands
from ptx_ls.source.named_tuple import NamedTuple
from ptx_ls.syntax.operands import OperandForm

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from ptx_ls.syntax.operands import OperandSyntax
    from ptx_ls.syntax.record import Shape

INTEGER: Final = ""
"""The format of all integers."""
_LITERALS: Final = {
    OperandForm.INTEGER: INTEGER,
    OperandForm.FLOAT32: ".f32",
    OperandForm.FLOAT64: ".f64",
}
_MAX_SHAPES: Final = 1 << 14


class ShapeFormats(NamedTuple):
    """The names of an instruction by what happens to them; numbers are those of identifiers.

    Attributes:
        reads: the names that are read, each with its format.
        writes: the names that are written, each with a format that the result may have. Results of
            shifts to the left are left out: they are usually parts of a float.
        copies: pairs of names: a source and the destination.
    """

    reads: tuple[tuple[int, str], ...] = ()
    writes: tuple[tuple[int, str], ...] = ()
    copies: tuple[tuple[int, int], ...] = ()


NO_FORMATS: Final = ShapeFormats()

_WITH_LITERALS: Final = (
    *(IntegerReading.AMOUNT, IntegerReading.DIVISOR, IntegerReading.LIMITED),
    IntegerReading.ADDRESS,
)
"""Uses as an integer that also make sense together with a constant."""


@lru_cache(maxsize=_MAX_SHAPES)
def shape_formats(shape: Shape) -> ShapeFormats:
    """Returns what happens to the names of an instruction."""
    formats, operands = opcode_formats(shape.opcode), shape.operands
    addresses = [*address_names(shape)]
    is_known = formats.floats or formats.integers or addresses
    if not is_known and formats.result is ResultFormat.UNKNOWN:
        return NO_FORMATS
    reads = [(number, wanted) for number, wanted in formats.floats]
    reads += [
        (number, INTEGER) for number, reading in formats.integers if _may(operands, number, reading)
    ]
    named = [
        (operands[number].identifier, wanted)
        for number, wanted in reads
        if number < len(operands) and operands[number].identifier >= 0
    ]
    named += [(each, INTEGER) for each in addresses]
    targets = list(_names_in(operands[0])) if operands else []
    writes: list[tuple[int, str]] = []
    copies: list[tuple[int, int]] = []
    if formats.result is ResultFormat.FLOAT:
        writes = [(each, formats.format) for each in targets]
    elif formats.result is ResultFormat.COPY:
        for number in formats.sources:
            if number >= len(operands):
                continue
            source, literal = operands[number].identifier, _LITERALS.get(operands[number].form)
            if source >= 0 and shape.identifiers[source].name in COUNTING:
                literal = INTEGER
            elif source >= 0:
                copies += [(source, each) for each in targets]
            if literal is not None:
                writes += [(each, literal) for each in targets]
    elif formats.result not in (ResultFormat.UNKNOWN, ResultFormat.LEFT):
        writes = [(each, INTEGER) for each in targets]
    return ShapeFormats(tuple(named), tuple(writes), tuple(copies))


def _may(operands: Sequence[OperandSyntax], number: int, reading: IntegerReading) -> bool:
    """Whether the other operands allow that the bits of a float are misused in this way."""
    others = [each for at, each in enumerate(operands[:3]) if at not in (0, number)]
    has_literal = any(each.form is OperandForm.INTEGER for each in others)
    if reading is IntegerReading.SCALED:
        return has_literal
    return reading in _WITH_LITERALS or not has_literal


def address_names(shape: Shape) -> Iterator[int]:
    """Yields the numbers of the names that are addresses of an access to memory."""
    for each in memory_operands(shape):
        operand = shape.operands[each.number]
        if operand.form is OperandForm.ADDRESS and operand.elements:
            name = operand.elements[0].identifier
            if name >= 0:
                yield name


def _names_in(operand: OperandSyntax) -> Iterator[int]:
    if operand.form is OperandForm.ADDRESS:
        return
    if operand.identifier >= 0:
        yield operand.identifier
    for element in operand.elements:
        yield from _names_in(element)
