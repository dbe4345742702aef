"""Finds what goes wrong first in one run of a kernel."""

from __future__ import annotations

from itertools import pairwise
from typing import TYPE_CHECKING

from ptx_ls.protocols.execution.faults import RunFault, SlotConflict, StuckWait, WrongArrival
from ptx_ls.protocols.execution.hazards import HazardKind
from ptx_ls.protocols.execution.memory_uses import TENSOR
from ptx_ls.protocols.execution.warps import CLUSTER, COLUMNS, CREATION, LANES_MEET, OBJECT

if TYPE_CHECKING:
    from ptx_ls.protocols.execution.clusters import ClusterShape
    from ptx_ls.protocols.execution.execution import Execution
    from ptx_ls.protocols.execution.kernel_steps import KernelSteps
    from ptx_ls.protocols.execution.objects import MbarrierState
    from ptx_ls.protocols.execution.warps import Waiting
    from ptx_ls.semantics.symbols.region_text import Found


class RunFaults:
    """Reads the faults of runs of a kernel."""

    def __init__(self, program: KernelSteps, cluster: ClusterShape) -> None:
        self._program, self._cluster = program, cluster
        self._assumed = 0 if cluster.block.is_stated else cluster.block.n_threads

    def first(self, run: Execution) -> RunFault | None:
        """Returns what goes wrong first in a run.

        Faults before the run depends on something unknown are certain, too.
        """
        hazard = run.hazards.found
        if hazard is not None:
            first, second = hazard.first.found, hazard.second.found
            return SlotConflict(hazard.kind, first, second, hazard.space == TENSOR, self._assumed)
        surplus = run.objects.surplus()
        if surplus is not None and surplus.surplus is not None:
            return self._at_object(surplus, surplus.surplus.found, (), 0)
        misuse = run.barriers.misuse
        if misuse is not None:
            return WrongArrival(misuse.step.found, *misuse[1:])
        if not run.is_finished:
            return None
        lost = run.objects.unfinished()
        if not run.groups and lost is not None:
            return SlotConflict(HazardKind.END, lost.found, lost.found, False, self._assumed)
        return self._stuck(run)

    def _stuck(self, run: Execution) -> StuckWait | None:
        waits = [
            (each.warp, each.waiting)
            for each in run.groups
            if each.waiting is not None and each.waiting.kind != LANES_MEET
        ]
        known = {warp for warp, _ in waits}
        if any(each.kind == CREATION for _, each in waits):
            return None
        if not self._are_comparable(run):
            return None
        if not waits or any(each.warp not in known for each in run.groups):
            return None
        first = min((it for _, it in waits), key=lambda it: (self._rank(run, it), it.since))
        places = {each.step.found.start: each.step.found for _, each in waits}
        wait = first.step.found
        others = tuple(found for start, found in places.items() if start != wait.start)
        state = self._state(run, first)
        if state is not None:
            return self._at_object(state, wait, others, first.wanted[0][1])
        if first.kind == COLUMNS:
            return StuckWait(wait, others, None, None, 0, 0, 0, 0, 0, self._assumed)
        if first.kind == CLUSTER:
            count = self._cluster.block.n_threads * self._cluster.n_blocks
            arrived, number = run.cluster_barrier.arrived, None
        else:
            barrier = run.barriers.open[first.wanted[0]]
            count = barrier.count or self._cluster.block.n_threads
            arrived, number = barrier.arrived, barrier.number
        missing = count - arrived.bit_count()
        return StuckWait(wait, others, number, None, 0, 0, count, missing, 0, self._assumed)

    def _are_comparable(self, run: Execution) -> bool:
        """Whether the same parameters decide how often all warps repeat their loops.

        If not, there may be launches for which the numbers agree.
        """
        known = {
            frozenset(name for block in own for name in self._program.parameters(block))
            for own in run.branching.decided.values()
        }
        ordered = sorted(known, key=len)
        return all(one <= other for one, other in pairwise(ordered))

    def _at_object(
        self, state: MbarrierState, place: Found, others: tuple[Found, ...], parity: int
    ) -> StuckWait:
        return StuckWait(
            place,
            others,
            None,
            state.init.found,
            parity,
            state.phase,
            state.count,
            state.pending,
            state.n_bytes,
            self._assumed,
        )

    def _state(self, run: Execution, waiting: Waiting) -> MbarrierState | None:
        if waiting.kind != OBJECT:
            return None
        return run.objects.states.get(waiting.wanted[0][0])

    def _rank(self, run: Execution, waiting: Waiting) -> int:
        """Returns a number that is smaller if a wait is more likely the cause of others."""
        state = self._state(run, waiting)
        if state is None:
            return 0 if waiting.kind == COLUMNS else 2
        if state.n_bytes and not state.pending:
            return 0  # only copies bring the bytes
        return 1 if 0 < state.pending < state.count else 2
