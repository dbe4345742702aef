"""Finds out how the values of 64 bits in registers are used."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from ptx_ls.flow.formats.address_uses import AddressUses
from ptx_ls.flow.slices.sources import reads_with, record_of, with_copies
from ptx_ls.syntax.record import Shape

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from ptx_ls.flow.function_flow import FunctionFlow

_FLOAT: Final = ".f64"
_ARITHMETIC: Final = frozenset(("add", "sub", "mul", "fma", "div", "neg", "selp", "setp"))
_COMBINING: Final = frozenset(("add", "sub", "mul", "min", "max", "and", "or", "setp"))
_OF_TWO_FLOATS: Final = "x2"


class WideUses:
    """The uses of the values of 64 bits in a function."""

    def __init__(self, flow: FunctionFlow) -> None:
        self._flow = flow
        self._addresses = AddressUses(flow)

    def is_float(self, write: int) -> bool:
        """Whether what a use writes is an `.f64`: it is declared, computed or read as one."""
        flow = self._flow
        if flow.registers.bank(flow.uses.codes[write]).type == _FLOAT:
            return True
        return self._is_computed(write) or any(map(self._is_read_as_float, self._reads(write)))

    def is_computed_with(self, write: int) -> bool:
        """Whether an instruction computes an `.f64` from what a use writes."""
        flow = self._flow
        for read in self._reads(write):
            record = record_of(flow, read)
            is_computing = isinstance(record, Shape) and record.name in _ARITHMETIC
            if is_computing and self._is_read_as_float(read):
                return True
        return False

    def is_address(self, write: int) -> bool:
        """Whether what a use writes becomes a part of an address."""
        return any(map(self._addresses.contains, self._reads(write)))

    def is_combined_with(self, write: int, values: Sequence[int]) -> bool:
        """Whether what a use writes is combined with a value that some other uses may write.

        Both are one number, neither two floats nor a part of a hash value, as with `xor`.
        """
        flow = self._flow
        for read in self._reads(write):
            record = record_of(flow, read)
            if not isinstance(record, Shape) or record.name not in _COMBINING:
                continue
            if record.opcode.endswith(_OF_TWO_FLOATS):
                continue
            for other in reads_with(flow, read):
                if flow.definitions(other).writes == values:
                    return True
        return False

    def _reads(self, write: int) -> Iterator[int]:
        """Yields the uses that read a value or a copy of it."""
        for copy in sorted(with_copies(self._flow, write)):
            yield from self._flow.readers(copy)

    def _is_computed(self, write: int) -> bool:
        """Whether an instruction computes an `.f64`."""
        record = record_of(self._flow, write)
        return isinstance(record, Shape) and (
            record.opcode.endswith(_FLOAT)
            if record.name != "cvt"
            else _FLOAT in record.opcode.rpartition(".")[0]
        )

    def _is_read_as_float(self, read: int) -> bool:
        """Whether an instruction reads a register as an `.f64`."""
        record = record_of(self._flow, read)
        is_of_floats = isinstance(record, Shape) and record.opcode.endswith(_FLOAT)
        return is_of_floats and not self._addresses.is_address(read)
