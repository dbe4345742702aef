"""Runs the threads of a block until all have ended, or none can continue."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from ptx_ls.protocols.execution.block_barriers import BlockBarriers
from ptx_ls.protocols.execution.clocks import Clocks
from ptx_ls.protocols.execution.hazards import HazardKind, Hazards
from ptx_ls.protocols.execution.kernel_steps import BRANCHES, LEAVING, collects_lanes
from ptx_ls.protocols.execution.lane_values import ALL_LANES, same_in
from ptx_ls.protocols.execution.mbarrier_steps import MbarrierSteps
from ptx_ls.protocols.execution.warps import (
    BARRIER,
    CREATION,
    LANES_MEET,
    OBJECT,
    Group,
    Waiting,
)
from ptx_ls.protocols.mbarriers.objects import INIT, INVAL
from ptx_ls.threads.uniformity.levels import LANES, Level

if TYPE_CHECKING:
    from ptx_ls.protocols.execution.block_barriers import BarrierState
    from ptx_ls.protocols.execution.evaluation import LaneEvaluation
    from ptx_ls.protocols.execution.kernel_steps import KernelStep, KernelSteps
    from ptx_ls.threads.uniformity.launches import BlockShape

_MAX_STEPS: Final = 12_000
"""Number of instructions of groups that are followed."""
_MASK: Final = "membermask"
_WARP_BARRIER: Final = "warp barrier"


class UnsupportedError(Exception):
    """The run depends on what is not known here."""


class Execution:
    """A run of the first block of a launch.

    Attributes:
        groups: the lanes that have not ended.
        objects: its mbarrier objects.
        n_steps: how many instructions of groups have run.
        decided: the blocks at whose ends each warp has decided where to go.
        is_finished: whether all threads have ended, or wait forever.
        counts: how often each step that synchronises has run, by its place and the warp.
    """

    def __init__(
        self,
        program: KernelSteps,
        values: LaneEvaluation,
        shape: BlockShape,
        *,
        is_reversed: bool = False,
    ) -> None:
        """Prepares a run.

        `is_reversed`: whether the last warp that can continue always runs first, and copies are
        complete at once; if not, all warps run in turn, and copies are late.
        """
        self._program, self._is_reversed = program, is_reversed
        self.values = values
        self.clocks = Clocks()
        self.hazards = Hazards(self.values, self.clocks)
        self.objects = MbarrierSteps(self.values, self.clocks, self.hazards)
        self.barriers = BlockBarriers(self.values)
        self.groups: list[Group] = []
        self.n_steps = 0
        self.decided: dict[int, set[int]] = {}
        self.is_finished = False
        self.counts: dict[object, int] = {}
        for number_, warp in enumerate(shape.groups(Level.WARP)):
            mask = warp >> number_ * LANES & ALL_LANES
            self.groups.append(Group(number_, mask, {}))

    def run(self) -> tuple[Group, ...]:
        """Runs all threads; returns those that wait forever. Stops at the first hazard.

        Raises `UnsupportedError` if the run depends on data, or takes too long.
        """
        while self.groups and self.hazards.found is None:
            warps = {each.warp for each in self.groups if each.waiting is None}
            if not warps:
                if self.objects.complete_next():
                    self._wake()
                    continue
                break
            if self._is_reversed:
                self._run_warp(max(warps))
                while self.objects.complete_next():
                    self._wake()
            else:
                for warp in sorted(warps):
                    self._run_warp(warp)
        self.is_finished = True
        return tuple(self.groups)

    def _run_warp(self, warp: int) -> None:
        """Runs a warp to the end of a block, or in a reversed run until all of its lanes wait."""
        while self.hazards.found is None:
            own = [each for each in self.groups if each.warp == warp and each.waiting is None]
            if own:
                self._run_block(min(own, key=lambda it: it.place))
            if not own or not self._is_reversed:
                return

    @property
    def most_repeated(self) -> int:
        """How often a warp has executed one instruction that synchronises, at most."""
        return max(self.counts.values(), default=0)

    def _wake(self) -> None:
        """Lets threads continue whose wait is over."""
        for each in self.groups:
            waiting = each.waiting
            if waiting is None:
                continue
            if waiting.kind == CREATION and waiting.wanted[0][0] in self.objects.states:
                state = self.objects.states[waiting.wanted[0][0]]
                self.hazards.report(HazardKind.CREATE, state.init, waiting.step)
            elif waiting.kind == OBJECT and any(map(self._is_complete, waiting.wanted)):
                each.waiting = None

    def _is_complete(self, wanted: tuple[int, int]) -> bool:
        return self.objects.is_complete(*wanted)

    def _exists(self, step: KernelStep, group: Group, active: int) -> bool:
        """Whether the objects of a step exist; if not, the group waits for them."""
        if any(it.action in (INIT, INVAL) for it in step.syncs):
            return True
        for address in self.objects.addresses(step, group, active):
            if address not in self.objects.states:
                group.waiting = Waiting(CREATION, step, ((address, 0),), self.n_steps)
                return False
            state = self.objects.states[address]
            if not self.clocks.knows(group.warp, state.created):
                self.hazards.report(HazardKind.CREATE, state.init, step)
        return True

    def _run_block(self, group: Group) -> None:
        """Runs a group to the end of its block, or until it waits."""
        steps = self._program.steps.get(group.block, ())
        while group.at < len(steps):
            step = steps[group.at]
            self.n_steps += 1
            if self.n_steps > _MAX_STEPS:
                raise UnsupportedError
            if step.name in BRANCHES or step.name in LEAVING:
                break
            if not self._run_step(step, group):
                return
            group.at += 1
        self._leave_block(group)

    def _run_step(self, step: KernelStep, group: Group) -> bool:
        """Runs a step; returns whether the group continues."""
        is_meeting = collects_lanes(step) or any(it.action == _WARP_BARRIER for it in step.syncs)
        if is_meeting and not self._have_met(step, group):
            return False
        if step.syncs:
            active = self.values.active(step, group)
            if active is None:
                raise UnsupportedError
            if not active:
                return True
            return self._synchronise(step, group, active)
        if step.found.start in self._program.accesses:
            active = self.values.active(step, group)
            if active:
                self.hazards.access(step, group, active)
        if step.name == "st":
            active = self.values.active(step, group)
            if active is None:
                raise UnsupportedError
            self.values.store(step, group, active)
            return True
        self.values.run(step, group)
        return True

    def _synchronise(self, step: KernelStep, group: Group, active: int) -> bool:
        key = step.found.start, group.warp
        self.counts[key] = self.counts.get(key, 0) + 1
        first = step.syncs[0].action
        if not self._exists(step, group, active):
            return False
        if first == "call":
            raise UnsupportedError
        if first in ("barrier sync", "barrier arrive", "barrier reduce", "cluster wait"):
            if not self._have_met(step, group):
                return False
            return self._arrive(step, group)
        if first in ("mbarrier wait", "mbarrier test"):
            return self._wait(step, group, active)
        if first.startswith("mbarrier") or any(
            it.action.startswith("mbarrier") for it in step.syncs
        ):
            token = self.objects.phase(step, group, active)
            if not self.objects.act(step, group, active):
                raise UnsupportedError
            group.act()
            self.values.set_result(step, group, active, token)
            self._wake()
        elif first == "free":
            self.hazards.free(step, group)
        elif first == "allocate":
            self.values.allocate(step, group, active)
        return True

    def _have_met(self, step: KernelStep, group: Group) -> bool:
        """Whether all lanes of a warp are at a step; if not, those that are wait for the rest."""
        others = [it for it in self.groups if it.warp == group.warp and it is not group]
        for each in others:
            waiting = each.waiting
            if waiting is not None and waiting.kind == LANES_MEET and each.place == group.place:
                group.join(each)
                self.groups.remove(each)
        live = 0
        for each in self.groups:
            if each.warp == group.warp:
                live |= each.mask
        if live == group.mask or not self._wanted(step, group) & live & ~group.mask:
            return True
        group.waiting = Waiting(LANES_MEET, step, (), self.n_steps)
        return False

    def _wanted(self, step: KernelStep, group: Group) -> int:
        """Returns the lanes that a step needs."""
        known = step.known
        for each in known.events.syncs if known is not None else ():
            if each.argument == _MASK and known is not None:
                mask = same_in(
                    self.values.operand(step, known.places[each.argument], group), group.mask
                )
                return ALL_LANES if mask is None else mask
        return ALL_LANES

    def _arrive(self, step: KernelStep, group: Group) -> bool:
        """Lets a group arrive at a numbered barrier; returns whether it continues."""
        live = 0
        for each in self.groups:
            live |= each.threads
        found = self.barriers.arrive(step, group, live)
        if found is None:
            raise UnsupportedError
        state, is_over, waits = found
        number = state.number
        group.act()
        self.clocks.release(group.warp, state.clock)
        if is_over:
            self._release(state)
            if waits:
                self.clocks.acquire(group.warp, state.clock)
        elif waits:
            group.waiting = Waiting(BARRIER, step, ((number, 0),), self.n_steps)
            group.at += 1
            return False
        return True

    def _release(self, state: BarrierState) -> None:
        for each in self.groups:
            waiting = each.waiting
            is_at = waiting is not None and waiting.kind == BARRIER
            if is_at and waiting is not None and waiting.wanted[0][0] == state.number:
                each.waiting = None
                self.clocks.acquire(each.warp, state.clock)

    def _wait(self, step: KernelStep, group: Group, active: int) -> bool:
        """Tests a phase of an object; waits if the group has done nothing since the last test."""
        found = self.objects.wanted(step, group, active)
        if found is None:
            raise UnsupportedError
        is_over = self.objects.is_complete(*found)
        if not is_over and group.failed.get(step.found.start) == found:
            wanted = tuple({*group.failed.values()})
            group.waiting = Waiting(OBJECT, step, wanted, self.n_steps)
            return False
        if is_over:
            group.failed.clear()
            self.objects.acquire(found[0], group.warp)
        else:
            group.failed[step.found.start] = found
        self.values.set_result(step, group, active, int(is_over))
        return True

    def _leave_block(self, group: Group) -> None:
        """Moves a group to the block that follows."""
        graph, block = self._program.graph, group.block
        last = self._program.last(block)
        if last is None or last.name not in (*BRANCHES, *LEAVING):
            following = graph.successors[block]
            if block in graph.leaves or len(following) != 1:
                raise UnsupportedError  # `trap`, or a call that does not return
            self._go(group, following[0])
            return
        if last.guard < 0 and last.name in LEAVING:
            self._end(group)
        elif last.guard < 0 and len(graph.successors[block]) == 1:
            self._go(group, graph.successors[block][0])
        elif block not in self._program.deciding:
            after = self._program.after(block)
            if after < 0:
                self._end(group)
            else:
                self._go(group, after)
        else:
            self._decide(group, last)

    def _decide(self, group: Group, last: KernelStep) -> None:
        """Splits a group at a branch."""
        graph, block = self._program.graph, group.block
        taken = self.values.active(last, group)
        self.decided.setdefault(group.warp, set()).add(block)
        targets = [each for each in graph.successors[block] if each != block + 1]
        is_leaving = last.name in LEAVING
        if taken is None or last.name == "brx" or len(targets) > 1:
            raise UnsupportedError
        if not targets and not is_leaving:
            self._go(group, block + 1)
            return
        leaving = group
        if taken and taken != group.mask:
            leaving = group.split(taken)
            self.groups.append(leaving)
        if taken != group.mask or leaving is not group:
            self._go(group, block + 1)
        if taken and is_leaving:
            self._end(leaving)
        elif taken:
            self._go(leaving, targets[0])

    def _go(self, group: Group, block: int) -> None:
        """Moves a group to a block, where it joins other lanes of its warp."""
        group.block, group.at = block, 0
        for each in self.groups:
            is_there = each.place == group.place and each.waiting is None
            if each is not group and each.warp == group.warp and is_there:
                each.join(group)
                self.groups.remove(group)
                return

    def _end(self, group: Group) -> None:
        """Ends the threads of a group."""
        self.groups.remove(group)
        for each in self.groups:
            waiting = each.waiting
            if each.warp == group.warp and waiting is not None and waiting.kind == LANES_MEET:
                each.waiting = None
        live = 0
        for each in self.groups:
            live |= each.threads
        for state in self.barriers.completed_by_exit(live):
            self._release(state)
