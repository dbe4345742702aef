"""Runs the threads of a block until all have ended, or none can continue."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Final

from ptx_ls.protocols.execution.block_barriers import BlockBarriers, may_wait_for_flags
from ptx_ls.protocols.execution.branching import Branching, UnsupportedError
from ptx_ls.protocols.execution.clocks import Clocks
from ptx_ls.protocols.execution.cluster_barrier import ClusterBarrier, may_order_no_memory
from ptx_ls.protocols.execution.clusters import rank_of
from ptx_ls.protocols.execution.hazards import HazardKind, Hazards
from ptx_ls.protocols.execution.kernel_steps import BRANCHES, LEAVING
from ptx_ls.protocols.execution.live_groups import LiveGroups
from ptx_ls.protocols.execution.mbarrier_steps import MbarrierSteps
from ptx_ls.protocols.execution.warps import (
    BARRIER,
    CLUSTER,
    COLUMNS,
    CREATION,
    OBJECT,
    Group,
    Waiting,
)
from ptx_ls.protocols.mbarriers.objects import INIT, INVAL
from ptx_ls.threads.events.sites import MBARRIER_WAITS

if TYPE_CHECKING:
    from ptx_ls.protocols.execution.block_barriers import BarrierState
    from ptx_ls.protocols.execution.clusters import ClusterShape
    from ptx_ls.protocols.execution.evaluation import LaneEvaluation
    from ptx_ls.protocols.execution.kernel_steps import KernelStep, KernelSteps

_MAX_STEPS: Final = 12_000
"""Number of instructions of groups that are followed."""
NO_COPIES: Final[Mapping[int, int]] = {}
_BARRIERS: Final = ("barrier sync", "barrier arrive", "barrier reduce")
_RELAXED: Final = "relaxed"
_ARRIVE, _WAIT = _OF_CLUSTER = ("cluster arrive", "cluster wait")


class Execution:
    """A run of the first block of a launch, or of the first cluster.

    Attributes:
        objects, barriers, cluster_barrier: what they wait for.
        n_steps: how many instructions of groups have run.
        branching: decides where groups go.
        is_finished: whether all threads have ended, or wait forever.
        counts: how often each step that synchronises has run, by its place and the warp.
    """

    def __init__(
        self,
        program: KernelSteps,
        values: LaneEvaluation,
        cluster: ClusterShape,
        *,
        is_reversed: bool = False,
        n_copies: Mapping[int, int] = NO_COPIES,
    ) -> None:
        """Prepares a run.

        `is_reversed`: whether the last warp that can continue always runs first, and copies are
        complete at once; if not, all warps run in turn, and copies are late. `n_copies`: how many
        copies of an unknown size a phase of each object needs.
        """
        self._program, self._is_reversed = program, is_reversed
        self.values = values
        self.clocks = Clocks()
        self.hazards = Hazards(self.values, self.clocks)
        self.objects = MbarrierSteps(self.values, self.clocks, self.hazards, n_copies)
        self.barriers = BlockBarriers(
            self.values,
            self.clocks,
            are_clocks_complete=cluster.block.is_stated
            and not may_wait_for_flags(program.flow.text),
        )
        self.cluster_barrier = ClusterBarrier(self.clocks)
        self._live = LiveGroups(cluster)
        self._orders_no_memory = may_order_no_memory(program.flow.text)
        self.branching = Branching(program, values, self._live)
        self.n_steps = 0
        self.is_finished = False
        self.counts: dict[object, int] = {}

    @property
    def groups(self) -> list[Group]:
        """The lanes that have not ended."""
        return self._live.groups

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
            group = self._live.ready(warp)
            if group is not None:
                self._run_block(group)
            if group is None or not self._is_reversed:
                return

    @property
    def most_repeated(self) -> int:
        """How often a warp has executed one instruction that synchronises, at most."""
        return max(self.counts.values(), default=0)

    def _wake(self) -> None:
        """Lets threads continue whose wait is over."""
        for _, waiting in self._live.waiting(CREATION):
            state = self.objects.states.get(waiting.wanted[0][0])
            if state is not None:
                self.hazards.report(HazardKind.CREATE, state.init, waiting.step)
        for each, waiting in self._live.waiting(OBJECT):
            if any(self.objects.is_complete(*it) for it in waiting.wanted):
                each.waiting = None

    def _exists(self, step: KernelStep, group: Group, active: int) -> bool:
        """Whether the objects of a step exist; if not, the group waits for them."""
        if any(it.action in (INIT, INVAL) for it in step.syncs):
            return True
        for address in self.objects.addresses(step, group, active):
            if address not in self.objects.states:
                group.waiting = Waiting(CREATION, step, ((address, 0),), self.n_steps)
                return False
            state = self.objects.states[address]
            is_remote = rank_of(address) != self.values.cluster.rank_of(group.warp)
            if is_remote and self._orders_no_memory:
                self.hazards.report(HazardKind.PUBLISH, state.init, step)
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
        if step.needs_others and not self._have_met(step, group):
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
        if first in _BARRIERS:
            return self._have_met(step, group) and self._arrive(step, group)
        if first in _OF_CLUSTER:
            return self._have_met(step, group) and self._act_on_cluster(step, group, first)
        if first in MBARRIER_WAITS:
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
        return self._act_on_columns(step, group, active, first)

    def _act_on_columns(self, step: KernelStep, group: Group, active: int, action: str) -> bool:
        """Lets a group allocate or free columns of Tensor Memory."""
        if action == "free":
            self.hazards.free(step, group)
            self.values.free(step, group)
            for each, _ in self._live.waiting(COLUMNS):
                each.waiting = None
        elif action == "allocate" and not self.values.allocate(step, group, active):
            group.waiting = Waiting(COLUMNS, step, (), self.n_steps)
            return False
        return True

    def _have_met(self, step: KernelStep, group: Group) -> bool:
        """Whether all lanes that a step needs are there; if not, those that are wait."""
        return self._live.have_met(step, group, self.values.members(step, group), self.n_steps)

    def _arrive(self, step: KernelStep, group: Group) -> bool:
        """Lets a group arrive at a numbered barrier; returns whether it continues."""
        found = self.barriers.arrive(step, group, self._live.threads)
        if found is None:
            raise UnsupportedError
        state, is_over, waits = found
        group.act()
        self.clocks.release(group.warp, state.clock)
        if is_over:
            self._release(state)
            if waits:
                self.clocks.acquire(group.warp, state.clock)
        elif waits:
            group.waiting = Waiting(BARRIER, step, (state.key,), self.n_steps)
            group.at += 1
            return False
        return True

    def _release(self, state: BarrierState) -> None:
        for each, waiting in self._live.waiting(BARRIER):
            if waiting.wanted[0] == state.key:
                each.waiting = None
                self.clocks.acquire(each.warp, state.clock)

    def _act_on_cluster(self, step: KernelStep, group: Group, action: str) -> bool:
        """Lets a group arrive at the barrier of the cluster, or wait for it."""
        barrier = self.cluster_barrier
        if action == _ARRIVE:
            if not barrier.arrive(group):
                raise UnsupportedError
            self._orders_no_memory &= step.syncs[0].order == _RELAXED
            group.act()
            self._complete_cluster()
            return True
        if barrier.has_passed(group):
            return True
        group.waiting = Waiting(CLUSTER, step, (), self.n_steps)
        return False

    def _complete_cluster(self) -> None:
        """Lets groups continue if all live threads have arrived at the barrier of the cluster."""
        if self.cluster_barrier.complete(self._live.threads):
            for each, _ in self._live.waiting(CLUSTER):
                each.waiting = None

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
        ended = self.branching.leave(group)
        if ended is not None:
            self._end(ended)

    def _end(self, group: Group) -> None:
        """Ends the threads of a group."""
        self._live.end(group)
        cluster = self.values.cluster
        rank = cluster.rank_of(group.warp)
        if not self._live.threads & cluster.threads_of(rank):
            last = self._program.last(group.block)
            if last is not None:
                self.hazards.end_block(rank, last)
        for state in self.barriers.completed_by_exit(self._live.threads):
            self._release(state)
        self._complete_cluster()
