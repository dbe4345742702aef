"""Finds the accesses of a function to memory, and the variables that their addresses name."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from ptx_ls.semantics.constants.values import integer_of
from ptx_ls.semantics.declarations.storage import element_bytes, has_storage
from ptx_ls.semantics.instructions.memory_operands import memory_operands
from ptx_ls.semantics.instructions.operands import has_index
from ptx_ls.source.named_tuple import NamedTuple
from ptx_ls.syntax.offsets import shifted
from ptx_ls.syntax.operands import OperandForm
from ptx_ls.syntax.record import Shape
from ptx_ls.syntax.written.operands import written_operands

if TYPE_CHECKING:
    from collections.abc import Iterator

    from ptx_ls.document.coordinates import FunctionPosition, FunctionSpan
    from ptx_ls.lint.check_input import CheckInput
    from ptx_ls.semantics.instructions.memory_operands import MemoryOperand
    from ptx_ls.semantics.symbols.region_text import Found
    from ptx_ls.semantics.symbols.symbols import Symbol
    from ptx_ls.syntax.operands import OperandSyntax

_SIGN: Final = 1 << 31
_MASK: Final = (1 << 32) - 1


class Access(NamedTuple):
    """An access of an instruction to memory.

    Attributes:
        found: the instruction.
        shape: its shape.
        operand: what it accesses; its size and alignment are numbers.
        operands: the operands as written.
    """

    found: Found
    shape: Shape
    operand: MemoryOperand
    operands: tuple[OperandSyntax, ...]

    @property
    def address(self) -> OperandSyntax:
        """The address as written, without brackets; an element of an array with its index."""
        return base_of(self.operands[self.operand.number])

    @property
    def span(self) -> FunctionSpan:
        """The place of the address."""
        start, end = self.address.start, self.address.end
        return shifted(start, self.found.start), shifted(end, self.found.start)


def accesses_in(found: Found) -> Iterator[Access]:
    """Yields the accesses of an instruction to memory, in the order of the operands."""
    shape = found.record
    accessed = memory_operands(shape) if isinstance(shape, Shape) else ()
    if not accessed or not isinstance(shape, Shape):
        return
    written = written_operands(shape, found.text)
    for operand in accessed:
        if operand.number < len(written) and has_base(written[operand.number]):
            yield Access(found, shape, _with_size(operand, written), written)


def _with_size(operand: MemoryOperand, written: tuple[OperandSyntax, ...]) -> MemoryOperand:
    """Returns an access with the size that an operand gives, if that is a number."""
    size = operand.size
    if 0 <= operand.size_number < len(written):
        value = constant_of(written[operand.size_number])
        size = 0 if value is None else value
    return operand._replace(size=size, alignment=operand.alignment or size)


def constant_of(written: OperandSyntax) -> int | None:
    """Returns the value of an integer operand; None for others."""
    is_constant = written.form in (OperandForm.INTEGER, OperandForm.EXPRESSION)
    return integer_of(written.text) if is_constant else None


def has_base(operand: OperandSyntax) -> bool:
    """Whether something is in the brackets of an address."""
    return operand.form is not OperandForm.ADDRESS or bool(operand.elements)


def base_of(operand: OperandSyntax) -> OperandSyntax:
    """Returns the first part of an address, a name with an offset; or an element of an array."""
    return operand.elements[0] if operand.form is OperandForm.ADDRESS else operand


def offset_of(address: OperandSyntax, symbol: Symbol) -> int | None:
    """Returns what an address adds to a name, which is a number of 32 bits; None if unknown."""
    if not address.has_offset:
        return 0
    if has_index(address):
        index = constant_of(address.elements[0]) if address.elements else None
        return None if index is None else _signed(index * element_bytes(symbol))
    value = integer_of(address.text[len(_name_in(address)) :])
    return None if value is None else _signed(value)


def _signed(value: int) -> int:
    return ((value + _SIGN) & _MASK) - _SIGN


def _name_in(address: OperandSyntax) -> str:
    return address.text.partition("+")[0].partition("[")[0].rstrip()


def variable_of(seen: CheckInput, address: OperandSyntax, place: FunctionPosition) -> Symbol | None:
    """Returns the variable or parameter in memory that an address names; None if there is none."""
    if address.form is not OperandForm.IDENTIFIER:
        return None
    name = _name_in(address)
    symbol = seen.facts.lookup(name, place) or seen.module.lookup(name)
    return symbol if symbol is not None and has_storage(symbol) else None
