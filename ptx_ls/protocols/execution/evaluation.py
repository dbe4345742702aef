"""Evaluates instructions that decide how threads wait for each other, for some lanes of a warp."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from ptx_ls.protocols.execution.lane_values import (
    applied,
    chosen,
    function_of,
    lanes_of,
    of_lane,
    same_in,
    true_lanes,
)
from ptx_ls.semantics.declarations.storage import alignment_of, bytes_of
from ptx_ls.syntax.operands import OperandForm
from ptx_ls.syntax.register_events import WRITES
from ptx_ls.threads.uniformity.launches import special_numbers
from ptx_ls.threads.uniformity.levels import LANES
from ptx_ls.values.decoding import immediate, named_part

if TYPE_CHECKING:
    from collections.abc import Callable

    from ptx_ls.protocols.execution.kernel_steps import KernelStep, KernelSteps
    from ptx_ls.protocols.execution.lane_values import LaneValue
    from ptx_ls.protocols.execution.warps import Group
    from ptx_ls.semantics.symbols.symbols import Symbol
    from ptx_ls.syntax.operands import OperandSyntax
    from ptx_ls.threads.uniformity.launches import BlockShape

    Read = Callable[[Group], LaneValue]
    Run = Callable[[Group, int], LaneValue]

_STATIC, _DYNAMIC, _END = 0x400, 0x20000, 0x40000
"""Where the variables in shared memory begin: those with a size, and `.extern` ones."""
_MOST_COLUMNS: Final = 512
_ALIGNMENT: Final = 1024
_SHARED: Final = ".shared"
_PARAMETER_LOAD: Final = ".param"
_SAME_ADDRESS: Final = ("cvta",)
_WORD: Final = 32
_SIZES: Final = {"%nctaid": 2, "%ctaid": 0, "%cluster_nctaid": 1, "%cluster_ctaid": 0}
_PLAIN: Final = {"%cluster_ctarank": 0, "%cluster_nctarank": 1, "%is_explicit_cluster": 0}


class LaneEvaluation:
    """Computes the registers of a kernel for launches with one number in all parameters.

    Attributes:
        memory: what is known of shared memory.
        allocated: where instructions have stored the addresses of columns of Tensor Memory.
    """

    def __init__(self, program: KernelSteps, shape: BlockShape) -> None:
        self._program, self._shape, self._number = program, shape, 0
        self._given, self._decoder = program.values.given, program.values.given.decoder
        self._readers: dict[tuple[object, str, int], Read] = {}
        self._runs: dict[object, tuple[tuple[int, Run], ...]] = {}
        self._addresses: dict[Symbol, int] = {}
        self._free = _STATIC
        self.memory: dict[int, LaneValue] = {}
        self.allocated: dict[int, int] = {}
        self._n_columns = 0

    def start(self, number: int) -> None:
        """Begins a launch with a number in all parameters."""
        self._number, self._n_columns = number, 0
        self.memory.clear()
        self.allocated.clear()

    def operand(self, step: KernelStep, number: int, group: Group, width: int = _WORD) -> LaneValue:
        """Returns an operand of an instruction, or the address in brackets in it."""
        operands = step.instruction.operands
        if number >= len(operands):
            return None
        operand = operands[number]
        if operand.form is OperandForm.ADDRESS and operand.elements:
            operand = operand.elements[0]
        return self._reader(step, operand, width)(group)

    def active(self, step: KernelStep, group: Group) -> int | None:
        """Returns the lanes for which the guard holds; None if that is unknown."""
        if step.guard < 0:
            return group.mask
        found = true_lanes(group.registers.get(step.guard), group.mask)
        if found is None:
            return None
        return group.mask & ~found if step.is_negated else found

    def run(self, step: KernelStep, group: Group) -> None:
        """Changes the registers that an instruction writes."""
        active = self.active(step, group)
        key = step.found.start
        if key not in self._runs:
            self._runs[key] = tuple(self._results(step))
        for code, run in self._runs[key]:
            value = None if active is None else run(group, active)
            old = group.registers.get(code)
            if active is not None and active != group.mask:
                value = chosen(active, value, old)
            group.registers[code] = value

    def _results(self, step: KernelStep) -> list[tuple[int, Run]]:
        flow = self._program.flow
        return [
            (flow.uses.codes[use], self._result(step, use))
            for use in step.instruction.uses
            if flow.uses.ways[use] & WRITES
        ]

    def _result(self, step: KernelStep, use: int) -> Run:
        """Returns what an instruction writes to a register."""
        instruction, place = step.instruction, self._decoder.destination(use)
        name, modifiers = instruction.name, instruction.modifiers
        sources, width = instruction.sources, self._decoder.width(use)
        if place is None or not width:
            return _unknown
        if name == "elect":
            return _elected if place[0] == 1 or place == (0, -1) else _unknown
        if name == "ld" and len(sources) == 1:
            return self._loaded(step, width)
        if name == "shfl":
            return self._shuffled(step) if place == (0, -1) else _unknown
        if name == "cvta" and len(sources) == 1:
            return self._plain(self._reader(step, sources[0], width))
        if place[1] >= 0:
            return _unknown
        function = function_of(name, modifiers, len(sources), width, is_second=place[0] == 1)
        if function is None:
            return _unknown
        widths, compute = function
        readers = [self._reader(step, it, own) for it, own in zip(sources, widths, strict=True)]

        def run(group: Group, _: int) -> LaneValue:
            return applied(compute, [read(group) for read in readers])

        return run

    @staticmethod
    def _plain(read: Read) -> Run:
        return lambda group, _: read(group)

    def _loaded(self, step: KernelStep, width: int) -> Run:
        """Returns what a load reads: a parameter, or what is known of shared memory."""
        modifiers, (source,) = step.instruction.modifiers, step.instruction.sources
        if any(each.startswith(_PARAMETER_LOAD) for each in modifiers):
            mask = (1 << width) - 1
            return lambda _, __: self._number & mask
        if any(each.startswith(_SHARED) for each in modifiers) and source.elements:
            read = self._reader(step, source.elements[0], _WORD)

            def run(group: Group, active: int) -> LaneValue:
                address = same_in(read(group), active) if active else None
                if address in self.allocated or address is None:
                    return None if address is None else self.allocated[address]
                return None if self._program.has_other_writes else self.memory.get(address)

            return run
        return _unknown

    def store(self, step: KernelStep, group: Group, active: int) -> None:
        """Changes what is known of shared memory by a store to it."""
        operands = step.instruction.operands
        is_plain = len(operands) == 2 and operands[1].form is not OperandForm.VECTOR  # noqa: PLR2004
        address = same_in(self.operand(step, 0, group), active) if active else None
        value = same_in(self._reader(step, operands[1], _WORD)(group), active) if is_plain else None
        if active and address is None:
            self.memory.clear()
        elif active and address is not None:
            self.memory[address] = value

    def forget(self, address: int, n_bytes: int) -> None:
        """Notes that a copy writes to shared memory."""
        for each in [it for it in self.memory if address <= it < address + n_bytes]:
            del self.memory[each]

    def allocate(self, step: KernelStep, group: Group, active: int) -> None:
        """Notes that an instruction stores the address of new columns of Tensor Memory."""
        address = same_in(self.operand(step, 0, group), active)
        n_columns = same_in(self.operand(step, 1, group), active)
        if address is not None:
            self.allocated[address] = self._n_columns
        self._n_columns += n_columns or _MOST_COLUMNS

    def set_result(self, step: KernelStep, group: Group, active: int, value: int | None) -> None:
        """Writes the result of an instruction about an mbarrier object."""
        for use in step.instruction.uses:
            if self._program.flow.uses.ways[use] & WRITES:
                code = self._program.flow.uses.codes[use]
                old = group.registers.get(code)
                group.registers[code] = (
                    value if active == group.mask else chosen(active, value, old)
                )

    def _shuffled(self, step: KernelStep) -> Run:
        """Returns what all lanes of a warp read from one lane."""
        instruction = step.instruction
        sources = instruction.sources
        if ".idx" not in instruction.modifiers or len(sources) < 3:  # noqa: PLR2004  with a clamp
            return _unknown
        read, lane, clamp = (self._reader(step, each, _WORD) for each in sources[:3])

        def run(group: Group, active: int) -> LaneValue:
            source = same_in(lane(group), active)
            if source is None or same_in(clamp(group), active) != LANES - 1:
                return None
            source %= LANES
            return of_lane(read(group), source) if active >> source & 1 else None

        return run

    def _reader(self, step: KernelStep, operand: OperandSyntax, width: int) -> Read:
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
            return lambda group: _moved(group.registers.get(code), offset, mask)
        symbol = self._given.symbol(step.instruction, name)
        if symbol is None or symbol.space != _SHARED:
            return _no_value
        address = self._address(symbol)
        return _no_value if address is None else lambda _: (address + offset) & mask

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
        family, _, dimension = name.partition(".")
        constant = _PLAIN.get(name)
        if dimension and family in _SIZES:
            constant = _SIZES[family] if dimension == "x" else int(family.startswith("%n"))
        if constant is not None:
            number = constant
            return lambda _: number
        numbers = special_numbers(name, self._shape.sizes)
        if numbers is None:
            return None
        padded = (*numbers, *(0,) * (-len(numbers) % LANES))
        warps = [padded[each : each + LANES] for each in range(0, len(padded), LANES)]
        return lambda group: warps[group.warp]


def _unknown(_: Group, __: int) -> LaneValue:
    return None


def _no_value(_: Group) -> LaneValue:
    return None


def _elected(group: Group, active: int) -> LaneValue:
    """Returns 1 in the first active lane."""
    first = lanes_of(active or group.mask)[0]
    return tuple(int(lane == first) for lane in range(LANES))


def _moved(value: LaneValue, offset: int, mask: int) -> LaneValue:
    if isinstance(value, int):
        return value + offset & mask
    if value is None:
        return None
    return tuple(None if it is None else it + offset & mask for it in value)
