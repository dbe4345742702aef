"""Finds uses of registers that become a part of an address, as in `base + 4 * index`."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from ptx_ls.flow.formats.biases import LEAST_BIAS
from ptx_ls.flow.formats.format_trace import name_of
from ptx_ls.flow.formats.opcode_formats import IntegerReading, opcode_formats
from ptx_ls.flow.slices.sources import record_of
from ptx_ls.semantics.instructions.memory_operands import memory_operands
from ptx_ls.syntax.literals import number
from ptx_ls.syntax.operands import OperandForm
from ptx_ls.syntax.record import Shape
from ptx_ls.syntax.written.operands import written_operands

if TYPE_CHECKING:
    from collections.abc import Iterator

    from ptx_ls.flow.formats.biases import Biases
    from ptx_ls.flow.function_flow import FunctionFlow

_MAX_USES: Final = 64
"""Number of uses to look at for one question."""
_COPIES: Final = ("mov", "cvta")
_SCALING: Final = (IntegerReading.ADDRESS, IntegerReading.SCALED)


class AddressUses:
    """The uses of a function whose values become a part of an address.

    With `biases`, the values are bits of floats, and their sums with these biases do not count.
    """

    def __init__(self, flow: FunctionFlow, biases: Biases | None = None) -> None:
        self._flow, self._biases = flow, biases

    def contains(self, use: int) -> bool:
        """Whether an instruction accesses memory at a sum with a multiple of what a use reads."""
        return any(self.is_address(each) for each in self._reads(use))

    def may_contain(self, use: int) -> bool:
        """Whether such sums are accessed, or only stored and passed, but not computed with."""
        is_read_otherwise = False
        for each in self._reads(use):
            if self.is_address(each):
                return True
            is_read_otherwise |= bool(self._flow.written_by(each)) and not self._is_passed_on(each)
        return not is_read_otherwise

    def _reads(self, use: int) -> Iterator[int]:
        """Yields a use, and the uses that read a sum with a multiple of its value."""
        waiting, seen = [use], set[int]()
        while waiting and len(seen) < _MAX_USES:
            each = waiting.pop()
            if each in seen:
                continue
            seen.add(each)
            yield each
            if self._is_passed_on(each):
                for write in self._flow.written_by(each).values():
                    waiting += self._flow.readers(write)

    def is_address(self, use: int) -> bool:
        """Whether an instruction reads a register as the address of an access to memory.

        The offset of the address is not a bias.
        """
        record = record_of(self._flow, use)
        accessed = memory_operands(record) if isinstance(record, Shape) else ()
        if not accessed or not isinstance(record, Shape):
            return False
        name = self._flow.name_of(use)
        written = written_operands(record, self._flow.statement(use).text)
        addresses = (written[each.number] for each in accessed)
        parts = (
            each.elements[0].text.partition("+")
            for each in addresses
            if each.form is OperandForm.ADDRESS and each.elements
        )
        return any(
            base.strip() == name and abs(number(offset.strip()) or 0) < LEAST_BIAS
            for base, _, offset in parts
        )

    def _is_passed_on(self, use: int) -> bool:
        """Whether an instruction writes a sum with a multiple of a register, without a bias."""
        record = record_of(self._flow, use)
        if not isinstance(record, Shape):
            return False
        if record.name in _COPIES:
            return True
        integers = opcode_formats(record.opcode).integers
        places = [at for at, reading in integers if reading in _SCALING]
        if not places:
            return False
        name = self._flow.name_of(use)
        written = written_operands(record, self._flow.statement(use).text)
        is_part = any(at < len(written) and name_of(written[at]) == name for at in places)
        return is_part and not (self._biases and self._biases.may_be_added(use))
