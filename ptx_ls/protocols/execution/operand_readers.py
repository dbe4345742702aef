"""Reads the operands of instructions in some lanes of a warp."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from ptx_ls.protocols.execution.clusters import address_in
from ptx_ls.protocols.execution.lane_values import applied
from ptx_ls.semantics.declarations.storage import alignment_of, bytes_of
from ptx_ls.syntax.operands import OperandForm
from ptx_ls.threads.uniformity.launches import special_numbers
from ptx_ls.threads.uniformity.levels import LANES
from ptx_ls.values.decoding import immediate, named_part

if TYPE_CHECKING:
    from collections.abc import Callable

    from ptx_ls.protocols.execution.clusters import ClusterShape
    from ptx_ls.protocols.execution.kernel_steps import KernelStep, KernelSteps
    from ptx_ls.protocols.execution.lane_values import LaneValue
    from ptx_ls.protocols.execution.warps import Group
    from ptx_ls.semantics.symbols.symbols import Symbol
    from ptx_ls.syntax.operands import OperandSyntax

    Read = Callable[[Group], LaneValue]

_STATIC, _DYNAMIC, _END = 0x400, 0x20000, 0x40000
"""Where the variables in shared memory begin: those with a size, and `.extern` ones."""
_ALIGNMENT: Final = 1024
_SHARED: Final = ".shared"


class OperandReaders:
    """Makes functions that read operands, each once."""

    def __init__(self, program: KernelSteps, cluster: ClusterShape) -> None:
        self._program, self._cluster = program, cluster
        self._given, self._decoder = program.values.given, program.values.given.decoder
        self._readers: dict[tuple[object, str, int], Read] = {}
        self._addresses: dict[Symbol, int] = {}
        self._free = _STATIC

    def of(self, step: KernelStep, operand: OperandSyntax, width: int) -> Read:
        """Returns what reads an operand of an instruction as a number of a width."""
        key = step.found.start, operand.text, width
        if key not in self._readers:
            self._readers[key] = self._make_reader(step, operand, width)
        return self._readers[key]

    def _make_reader(self, step: KernelStep, operand: OperandSyntax, width: int) -> Read:
        """Returns what reads an operand as a number of a width."""
        mask = (1 << width) - 1
        number = immediate(operand)
        if number is not None:
            known = number & mask
            return lambda _: known
        if operand.negation == "!" and len(operand.text) > 1:
            use = self._decoder.reading_use(step.instruction, operand.text[1:].strip())
            return _no_value if use is None else self._inverted(use)
        if operand.form is OperandForm.IDENTIFIER and operand.text.startswith("%"):
            special = self._special(operand.text)
            if special is not None:
                return special
        named = named_part(operand)
        return _no_value if named is None else self._named(step, *named, mask)

    def _inverted(self, use: int) -> Read:
        code = self._program.flow.uses.codes[use]
        return lambda group: applied(lambda it: 1 - (it & 1), [group.registers.get(code)])

    def _named(self, step: KernelStep, name: str, offset: int, mask: int) -> Read:
        use = self._decoder.reading_use(step.instruction, name)
        if use is not None:
            code = self._program.flow.uses.codes[use]
            if not offset and 0 < self._decoder.width(use) <= mask.bit_length():
                return lambda group: group.registers.get(code)
            return lambda group: _moved(group.registers.get(code), offset, mask)
        symbol = self._given.symbol(step.instruction, name)
        if symbol is None or symbol.space != _SHARED:
            return _no_value
        address = self._address(symbol)
        if address is None:
            return _no_value
        place, rank_of_warp = address + offset, self._cluster.rank_of
        return lambda group: address_in(rank_of_warp(group.warp), place) & mask

    def _address(self, symbol: Symbol) -> int | None:
        if symbol not in self._addresses:
            size = bytes_of(symbol)
            if not symbol.is_definition or not size:
                self._addresses[symbol] = _DYNAMIC
            else:
                alignment = max(_ALIGNMENT, alignment_of(symbol))
                self._free = -(-self._free // alignment) * alignment
                self._addresses[symbol] = self._free
                self._free += size
        return self._addresses[symbol] if self._free <= _END else None

    def _special(self, name: str) -> Read | None:
        """Returns what reads a special register; None if it is not one that is known."""
        cluster = self._cluster
        of_blocks = [cluster.special(name, rank) for rank in range(cluster.n_blocks)]
        if of_blocks[0] is not None:
            return lambda group: of_blocks[cluster.rank_of(group.warp)]
        numbers = special_numbers(name, cluster.block.sizes)
        if numbers is None:
            return None
        padded = (*numbers, *(0,) * (-len(numbers) % LANES))
        warps = [padded[each : each + LANES] for each in range(0, len(padded), LANES)]
        return lambda group: warps[group.warp % cluster.block.n_warps]


def _no_value(_: Group) -> LaneValue:
    return None


def _moved(value: LaneValue, offset: int, mask: int) -> LaneValue:
    if isinstance(value, int):
        return value + offset & mask
    if value is None:
        return None
    return tuple(None if it is None else it + offset & mask for it in value)
