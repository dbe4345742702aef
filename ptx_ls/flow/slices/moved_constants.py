"""Finds the constants that `mov` brings into the register operands of instructions.

Compilers bring nearly all operands of `shfl` into registers first. This reads only the definitions
of these registers, so it is cheap in large functions, too.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from ptx_ls.flow.slices.sources import record_of
from ptx_ls.flow.statement_uses import uses_in
from ptx_ls.semantics.constants.values import integer_of
from ptx_ls.source.named_tuple import NamedTuple
from ptx_ls.syntax.offsets import shifted
from ptx_ls.syntax.operands import OperandForm
from ptx_ls.syntax.record import Shape
from ptx_ls.syntax.register_events import READS
from ptx_ls.syntax.written.operands import written_operands

if TYPE_CHECKING:
    from ptx_ls.document.coordinates import FunctionSpan
    from ptx_ls.flow.function_flow import FunctionFlow
    from ptx_ls.semantics.symbols.region_text import Found

_MAX_COPIES: Final = 8
"""Number of copies from register to register to follow."""


class MovedConstant(NamedTuple):
    """A constant that an operand surely has.

    Attributes:
        number: its value.
        text: the constant as written.
        register: the register that is the operand; "" if the constant itself is.
        span: the place of the operand.
        moved: the instruction that writes the constant to a register, or None.
    """

    number: int
    text: str
    register: str
    span: FunctionSpan
    moved: FunctionSpan | None


def moved_constant(flow: FunctionFlow, found: Found, number: int) -> MovedConstant | None:
    """Returns the constant that an operand of a statement is, by its number from 0.

    The operand is an integer, or a register that only one `mov` of a constant writes.
    """
    if not isinstance(found.record, Shape) or number >= len(found.record.operands):
        return None
    operand = written_operands(found.record, found.text)[number]
    span = shifted(operand.start, found.start), shifted(operand.end, found.start)
    if operand.form is OperandForm.INTEGER:
        value = integer_of(operand.text)
        return None if value is None else MovedConstant(value, operand.text, "", span, None)
    if operand.form is not OperandForm.IDENTIFIER:
        return None
    use = uses_in(flow, found, READS).get(operand.text)
    source = None if use is None else _source(flow, use)
    if source is None:
        return None
    value, text, moved = source
    return MovedConstant(value, text, operand.text, span, moved)


def _source(flow: FunctionFlow, use: int) -> tuple[int, str, FunctionSpan] | None:
    """Returns the constant in the register at a use, and the instruction that writes it."""
    for _ in range(_MAX_COPIES):
        write = flow.definition(use)
        if write is None or flow.index.guard(write) is not None:
            return None
        record = record_of(flow, write)
        if not isinstance(record, Shape) or record.name != "mov":
            return None
        found = flow.statement(write)
        *_, source = written_operands(record, found.text)
        if source.form is OperandForm.INTEGER:
            value = integer_of(source.text)
            return None if value is None else (value, source.text, (found.start, found.end))
        following = uses_in(flow, found, READS).get(source.text)
        if following is None:
            return None
        use = following
    return None
