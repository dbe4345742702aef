"""Finds indices that surely wrap around in 32 bits before they become a part of an address.

A loop that counts to 4,096 and multiplies its counter by 1,048,576 needs 33 bits.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from ptx_ls.flow.formats.address_uses import AddressUses
from ptx_ls.flow.function_flow import function_flow
from ptx_ls.flow.slices.sources import record_of, writes_of
from ptx_ls.flow.slices.statement_reads import statements_reading
from ptx_ls.flow.statement_uses import uses_in
from ptx_ls.source.named_tuple import NamedTuple
from ptx_ls.syntax.literals import integer
from ptx_ls.syntax.offsets import shifted
from ptx_ls.syntax.operands import OperandForm
from ptx_ls.syntax.record import Shape
from ptx_ls.syntax.register_events import READS
from ptx_ls.syntax.written.operands import written_operands

if TYPE_CHECKING:
    from collections.abc import Iterator

    from ptx_ls.document.coordinates import FunctionPosition
    from ptx_ls.flow.function_flow import FunctionFlow
    from ptx_ls.lint.check_input import CheckInput
    from ptx_ls.semantics.symbols.region_text import Found

_WIDENINGS: Final = {
    "cvt.s64.s32": ".s32",
    "cvt.u64.u32": ".u32",
    "cvt.s64.u32": ".u32",
    "mul.wide.s32": ".s32",
    "mul.wide.u32": ".u32",
    "mad.wide.s32": ".s32",
    "mad.wide.u32": ".u32",
}
"""The type that each opcode reads from its first source operand."""
OPCODES: Final = ("cvt", "mul", "mad")
_LIMITS: Final = {".s32": (1 << 31) - 1, ".u32": (1 << 32) - 1}
_SHIFT: Final = "shl"
_COMPUTING: Final = frozenset({"add", "sub", "mul", "mad", _SHIFT})
_PRODUCTS: Final = ("mul.lo", "mad.lo", "shl.b32")
_MIN_FACTOR: Final = 1 << 12
"""The smallest constant factor that is examined in the output of a compiler."""
_NO_LOOP: Final = -1
_SOURCE: Final = 1


class WrappedIndex(NamedTuple):
    """A number of 32 bits in an address that surely gets too large for its type.

    `reached`: a value that it would have in some iteration, with more bits.
    """

    register: str
    reached: int
    type: str
    start: FunctionPosition
    end: FunctionPosition


def wrapped_indices(seen: CheckInput) -> Iterator[WrappedIndex]:
    """Yields the indices of a function that surely wrap around before they are widened."""
    shapes = {it for it in seen.text.shapes_of(OPCODES) if it.opcode in _WIDENINGS}
    computing = seen.text.shapes_of(_COMPUTING)
    products = {each for each in computing if each.opcode.startswith(_PRODUCTS)}
    if not shapes or not products:
        return
    flow = function_flow(seen.function, seen.module.never_returning)
    if not flow.blocks.loop_forest.heads:
        return
    known: dict[int, bool] = {}

    def is_wanted(use: int) -> bool:
        code = flow.uses.codes[use]
        if code not in known:
            known[code] = _may_wrap(flow, code, is_generated=seen.is_generated)
        return known[code]

    if seen.is_generated:
        computing = {each for each in products if _is_by_constant(each)}
    written_by = seen.text.with_shapes(computing)
    for found in statements_reading(flow, seen.text.with_shapes(shapes), is_wanted, written_by):
        if found.record in shapes and isinstance(found.record, Shape):
            wrapped = _wrapped(seen, flow, found, found.record)
            if wrapped is not None:
                yield wrapped


def _may_wrap(flow: FunctionFlow, code: int, *, is_generated: bool) -> bool:
    """Whether a register is computed in a loop; in the output of a compiler, as a large product."""
    forest, index = flow.blocks.loop_forest, flow.index
    for write in writes_of(flow, code):
        record, block = record_of(flow, write), index.block_of(write)
        if not isinstance(record, Shape) or record.name not in _COMPUTING or block < 0:
            continue
        if forest.innermost(block) == _NO_LOOP:
            continue
        if not is_generated or _is_large_product(record, flow.statement(write)):
            return True
    return False


def _is_large_product(shape: Shape, found: Found) -> bool:
    """Whether an instruction multiplies by a large constant."""
    if not shape.opcode.startswith(_PRODUCTS) or not _is_by_constant(shape):
        return False
    factor = integer(written_operands(shape, found.text)[_SOURCE + 1].text) or 0
    return 1 << min(factor, 32) >= _MIN_FACTOR if shape.name == _SHIFT else factor >= _MIN_FACTOR


def _is_by_constant(shape: Shape) -> bool:
    """Whether the second source operand of an instruction is a number."""
    operands = shape.operands
    return len(operands) > _SOURCE + 1 and operands[_SOURCE + 1].form is OperandForm.INTEGER


def _wrapped(
    seen: CheckInput, flow: FunctionFlow, found: Found, shape: Shape
) -> WrappedIndex | None:
    """Returns the operand of an instruction that surely has too few bits, if there is one."""
    from ptx_ls.values.function_values import function_values  # noqa: PLC0415  for few functions

    values, type_ = function_values(seen.function, seen.module), _WIDENINGS[shape.opcode]
    source = written_operands(shape, found.text)[_SOURCE]
    use = uses_in(flow, found, READS).get(source.text)
    form = None if use is None else values.form(use)
    if use is None or form is None or not form.terms or any(times < 0 for _, times in form.terms):
        return None
    reached = values.attained(form, found).high
    if reached is None or reached <= _LIMITS[type_] or not AddressUses(flow).contains(use):
        return None
    start, end = (shifted(each, found.start) for each in (source.start, source.end))
    return WrappedIndex(source.text, reached, type_, start, end)
