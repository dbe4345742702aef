"""The operands of some instructions that are registers, with what is known of their values."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from ptx_ls.flow.function_flow import function_flow
from ptx_ls.flow.slices.sources import ConstantRegisters
from ptx_ls.flow.slices.statement_reads import statements_reading
from ptx_ls.semantics.symbols.region_text import region_text
from ptx_ls.source.named_tuple import NamedTuple
from ptx_ls.syntax.offsets import shifted
from ptx_ls.syntax.operands import OperandForm
from ptx_ls.syntax.record import Shape
from ptx_ls.syntax.written.operands import written_operands

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping
    from collections.abc import Set as AbstractSet

    from ptx_ls.document.coordinates import FunctionPosition
    from ptx_ls.document.function import Function
    from ptx_ls.flow.function_flow import FunctionFlow
    from ptx_ls.semantics.symbols.module import ModuleFacts
    from ptx_ls.semantics.symbols.region_text import Found
    from ptx_ls.values.abstract_value import AbstractValue
    from ptx_ls.values.function_values import FunctionValues

_MAX_USES: Final = 1 << 8
"""Number of uses of registers in a function up to which all values are found."""


class RegisterOperand(NamedTuple):
    """A register that is an operand of an instruction; `number` counts operands from 0."""

    found: Found
    shape: Shape
    number: int
    name: str
    value: AbstractValue
    start: FunctionPosition
    end: FunctionPosition


def register_operands(
    function: Function,
    module: ModuleFacts,
    numbers: Mapping[str, int],
    where: Callable[[Shape], object] = bool,
    *,
    is_generated: bool = False,
) -> Iterator[RegisterOperand]:
    """Yields operands that are registers and whose values are partly known.

    In a large function, and if `is_generated` by a compiler, which would have used what is known of
    a value, these are only registers that constants are moved to. `numbers`: for each opcode, the
    last operand of its instructions that is read. `where`: selects shapes.
    """
    shapes = {
        shape
        for shape in region_text(function).shapes_of(numbers)
        if where(shape) and _is_register(shape, numbers[shape.name])
    }
    if not shapes:
        return
    flow = function_flow(function, module.never_returning)
    is_all = not is_generated and len(flow.uses.codes) <= _MAX_USES
    values: FunctionValues | None = None
    for found in _statements(flow, shapes, is_all=is_all):
        shape = found.record
        if not isinstance(shape, Shape) or shape not in shapes:
            continue
        number = numbers[shape.name]
        values = values or _values_of(function, module)
        value = values.operand(found, number)
        is_known = not value.is_unknown or value.affine is not None
        if is_known and not value.is_impossible:
            written = written_operands(shape, found.text)[number]
            start, end = (shifted(it, found.start) for it in (written.start, written.end))
            yield RegisterOperand(found, shape, number, written.text, value, start, end)


def _values_of(function: Function, module: ModuleFacts) -> FunctionValues:
    from ptx_ls.values.function_values import function_values  # noqa: PLC0415  for few functions

    return function_values(function, module)


def _statements(flow: FunctionFlow, shapes: AbstractSet[Shape], *, is_all: bool) -> Iterator[Found]:
    records = flow.text.with_shapes(shapes)
    if is_all:
        return flow.text.statements_of(records)
    return statements_reading(flow, records, ConstantRegisters(flow).are_read)


def _is_register(shape: Shape, number: int) -> bool:
    """Whether an operand of a shape is a name alone."""
    if number >= len(shape.operands):
        return False
    operand = shape.operands[number]
    is_name = operand.form is OperandForm.IDENTIFIER and operand.paired is None
    return is_name and not operand.negation and not operand.has_offset and not operand.selector
