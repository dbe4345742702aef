"""Finds uses of registers that become a part of an address, as in `base + 4 * index`."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from ptx_ls.flow.formats.format_trace import name_of
from ptx_ls.flow.formats.opcode_formats import IntegerReading, opcode_formats
from ptx_ls.flow.slices.sources import record_of
from ptx_ls.semantics.instructions.memory_operands import memory_operands
from ptx_ls.syntax.operands import OperandForm
from ptx_ls.syntax.record import Shape
from ptx_ls.syntax.written.operands import written_operands

if TYPE_CHECKING:
    from ptx_ls.flow.function_flow import FunctionFlow

_MAX_USES: Final = 64
"""Number of uses to look at for one question."""
_COPIES: Final = ("mov", "cvta")
_SCALING: Final = (IntegerReading.ADDRESS, IntegerReading.SCALED)


class AddressUses:
    """The uses of a function whose values become a part of an address."""

    def __init__(self, flow: FunctionFlow) -> None:
        self._flow = flow

    def contains(self, use: int) -> bool:
        """Whether an instruction accesses memory at a sum with a multiple of what a use reads."""
        waiting, seen = [use], set[int]()
        while waiting and len(seen) < _MAX_USES:
            each = waiting.pop()
            if each in seen:
                continue
            seen.add(each)
            if self.is_address(each):
                return True
            if self._is_passed_on(each):
                for write in self._flow.written_by(each).values():
                    waiting += self._flow.readers(write)
        return False

    def is_address(self, use: int) -> bool:
        """Whether an instruction reads a register as the address of an access to memory."""
        record = record_of(self._flow, use)
        accessed = memory_operands(record) if isinstance(record, Shape) else ()
        if not accessed or not isinstance(record, Shape):
            return False
        name = self._flow.name_of(use)
        written = written_operands(record, self._flow.statement(use).text)
        addresses = (written[each.number] for each in accessed)
        return any(
            each.elements[0].text.partition("+")[0].strip() == name
            for each in addresses
            if each.form is OperandForm.ADDRESS and each.elements
        )

    def _is_passed_on(self, use: int) -> bool:
        """Whether an instruction writes a sum with a multiple of a register."""
        record = record_of(self._flow, use)
        if not isinstance(record, Shape):
            return False
        if record.name in _COPIES:
            return True
        integers = opcode_formats(record.opcode).integers
        numbers = [number for number, reading in integers if reading in _SCALING]
        if not numbers:
            return False
        name = self._flow.name_of(use)
        written = written_operands(record, self._flow.statement(use).text)
        return any(number < len(written) and name_of(written[number]) == name for number in numbers)
