"""Evaluates instructions that decide how threads wait for each other, for some lanes of a warp."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from ptx_ls.protocols.execution.clusters import address_in, rank_of
from ptx_ls.protocols.execution.copy_sizes import CopySizes
from ptx_ls.protocols.execution.known_memory import KnownMemory
from ptx_ls.protocols.execution.lane_values import (
    applied,
    chosen,
    function_of,
    lanes_of,
    of_lane,
    same_in,
    true_lanes,
)
from ptx_ls.protocols.execution.operand_readers import OperandReaders
from ptx_ls.syntax.operands import OperandForm
from ptx_ls.syntax.register_events import WRITES
from ptx_ls.threads.uniformity.levels import ALL_LANES, LANES

if TYPE_CHECKING:
    from collections.abc import Callable

    from ptx_ls.protocols.execution.clusters import ClusterShape
    from ptx_ls.protocols.execution.kernel_steps import KernelStep, KernelSteps
    from ptx_ls.protocols.execution.lane_values import LaneValue
    from ptx_ls.protocols.execution.warps import Group

    Read = Callable[[Group], LaneValue]
    Run = Callable[[Group, int], LaneValue]

_SHARED: Final = ".shared"
_PARAMETER_LOAD: Final = ".param"

_WORD: Final = 32
_MASK: Final = "membermask"
_TO_ALL: Final = ".multicast::cluster::all"
_PAIR: Final = ".cta_group::2"
_MAX_KNOWN: Final = 1 << 8
"""Number of results that are kept for an instruction, for other warps and runs."""


class LaneEvaluation:
    """Computes the registers of a kernel for launches with one number in all parameters.

    Attributes:
        cluster: the blocks that run.
        memory: what is known of shared memory.
        sizes: the sizes of copies, known from all runs.
    """

    def __init__(self, program: KernelSteps, cluster: ClusterShape) -> None:
        self._program, self.cluster, self._number = program, cluster, 0
        self._given, self._decoder = program.values.given, program.values.given.decoder
        self._readers = OperandReaders(program, cluster)
        self._runs: dict[object, tuple[tuple[int, Run], ...]] = {}
        self.memory, self.sizes = KnownMemory(), CopySizes()

    def start(self, number: int) -> None:
        """Begins a launch with a number in all parameters."""
        self._number, self.memory = number, KnownMemory()

    def operand(self, step: KernelStep, number: int, group: Group, width: int = _WORD) -> LaneValue:
        """Returns an operand of an instruction, or the address in brackets in it."""
        operands = step.instruction.operands
        if number >= len(operands):
            return None
        operand = operands[number]
        if operand.form is OperandForm.ADDRESS and operand.elements:
            operand = operand.elements[0]
        return self._readers.of(step, operand, width)(group)

    def active(self, step: KernelStep, group: Group) -> int | None:
        """Returns the lanes for which the guard holds; None if that is unknown."""
        if step.guard < 0:
            return group.mask
        found = true_lanes(group.registers.get(step.guard), group.mask)
        if found is None:
            return None
        return group.mask & ~found if step.is_negated else found

    def members(self, step: KernelStep, group: Group) -> int:
        """Returns the lanes that have to execute a step together."""
        known = step.known
        for each in known.events.syncs if known is not None else ():
            if each.argument == _MASK and known is not None:
                mask = same_in(self.operand(step, known.places[each.argument], group), group.mask)
                return ALL_LANES if mask is None else mask
        return ALL_LANES

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
        special = self._special(step, place, width)
        if special is not None:
            return special
        if place[1] >= 0:
            return _unknown
        function = function_of(name, modifiers, len(sources), width, is_second=place[0] == 1)
        if function is None:
            return _unknown
        widths, compute = function
        readers = [self._readers.of(step, it, own) for it, own in zip(sources, widths, strict=True)]

        known: dict[tuple[LaneValue, ...], LaneValue] = {}

        def run(group: Group, _: int) -> LaneValue:
            given = tuple([read(group) for read in readers])
            if given not in known:
                if len(known) > _MAX_KNOWN:
                    known.clear()
                known[given] = applied(compute, given)
            return known[given]

        return run

    def _special(self, step: KernelStep, place: tuple[int, int], width: int) -> Run | None:
        """Returns what an instruction writes that is not a function of numbers of its thread."""
        name, sources = step.name, step.instruction.sources
        if name == "elect":
            return _elected if place[0] == 1 or place == (0, -1) else _unknown
        if name == "ld" and len(sources) == 1:
            return self._loaded(step, width)
        if name == "shfl":
            return self._shuffled(step) if place == (0, -1) else _unknown
        if name == "cvta" and len(sources) == 1:
            return self._plain(self._readers.of(step, sources[0], width))
        if name in ("mapa", "getctarank"):
            return self._mapped(step)
        if name == "clusterlaunchcontrol" and sources:
            return self._queried(step)
        return None

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
            read = self._readers.of(step, source.elements[0], _WORD)

            def run(group: Group, active: int) -> LaneValue:
                address = same_in(read(group), active) if active else None
                known = self.memory
                if address in known.answers or address is None:
                    return None if address is None else known.answers[address]
                return None if self._program.has_other_writes else known.stored.get(address)

            return run
        return _unknown

    def store(self, step: KernelStep, group: Group, active: int) -> None:
        """Changes what is known of shared memory by a store to it."""
        operands = step.instruction.operands
        is_plain = len(operands) == 2 and operands[1].form is not OperandForm.VECTOR  # noqa: PLR2004
        address = same_in(self.operand(step, 0, group), active) if active else None
        value = (
            same_in(self._readers.of(step, operands[1], _WORD)(group), active) if is_plain else None
        )
        if active:
            self.memory.store(address, value)

    def allocate(self, step: KernelStep, group: Group, active: int) -> bool:
        """Lets an instruction store the address of new columns; returns whether there are any."""
        address = same_in(self.operand(step, 0, group), active)
        n_columns = same_in(self.operand(step, 1, group), active)
        return self.memory.allocate(address, n_columns, self.cluster.rank_of(group.warp))

    def free(self, step: KernelStep, group: Group) -> None:
        """Notes that an instruction frees columns."""
        n_columns = same_in(self.operand(step, 1, group), group.mask)
        self.memory.free(n_columns, self.cluster.rank_of(group.warp))

    def ranks(self, step: KernelStep, group: Group, lane: int) -> tuple[int, ...] | None:
        """Returns the blocks in which a lane of a multicast instruction acts.

        That is none if the addresses say it; None if it is unknown.
        """
        if not step.is_multicast:
            return ()
        operands = step.instruction.operands
        everyone = range(self.cluster.n_blocks)
        if _TO_ALL in step.instruction.modifiers:
            return tuple(everyone)
        number = step.known.places.get("mbar", len(operands)) + 1 if step.known is not None else 0
        while number < len(operands) and operands[number].form is OperandForm.VECTOR:
            number += 1  # offsets of an image
        mask = of_lane(self.operand(step, number, group), lane)
        return None if mask is None else tuple(each for each in everyone if mask >> each & 1)

    def pair(self, step: KernelStep, group: Group) -> tuple[int, ...]:
        """Returns the blocks whose Tensor Memory and matrices an instruction uses."""
        rank = self.cluster.rank_of(group.warp)
        if _PAIR not in step.instruction.modifiers or self.cluster.n_blocks == 1:
            return (rank,)
        return rank & ~1, rank | 1

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
        read, lane, clamp = (self._readers.of(step, each, _WORD) for each in sources[:3])

        def run(group: Group, active: int) -> LaneValue:
            source = same_in(lane(group), active)
            if source is None or same_in(clamp(group), active) != LANES - 1:
                return None
            source %= LANES
            return of_lane(read(group), source) if active >> source & 1 else None

        return run

    def _mapped(self, step: KernelStep) -> Run:
        """Returns an address in another block of the cluster, or the block of an address."""
        readers = [self._readers.of(step, each, _WORD) for each in step.instruction.sources]
        if step.name == "getctarank":
            return lambda group, _: applied(rank_of, [readers[0](group)])
        return lambda group, _: applied(
            lambda address, rank: address_in(rank, address), [read(group) for read in readers]
        )

    def _queried(self, step: KernelStep) -> Run:
        """Returns whether a launch is cancelled, or a number for the block of that launch."""
        read = self._readers.of(step, step.instruction.sources[0], _WORD)
        if ".is_canceled" not in step.instruction.modifiers:
            return lambda group, _: read(group)
        return lambda group, _: applied(lambda it: int(it <= self._number), [read(group)])


def _unknown(_: Group, __: int) -> LaneValue:
    return None


def _elected(group: Group, active: int) -> LaneValue:
    """Returns 1 in the first active lane."""
    first = lanes_of(active or group.mask)[0]
    return tuple(int(lane == first) for lane in range(LANES))
