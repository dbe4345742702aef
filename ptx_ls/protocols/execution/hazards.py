"""Accesses of a run that nothing orders: a slot is read too early, or overwritten too early.

At least one of the two is asynchronous; `ptx_ls.threads.happens_before` compares the others.
"""

from __future__ import annotations

from enum import StrEnum
from typing import TYPE_CHECKING, Final

from ptx_ls.protocols.execution.clusters import rank_of
from ptx_ls.protocols.execution.kernel_steps import GROUPED, TENSOR_LOAD
from ptx_ls.protocols.execution.lane_values import same_in
from ptx_ls.protocols.execution.memory_uses import (
    SHARED,
    TENSOR,
    AsyncOperation,
    MemoryUse,
    named_memory,
)
from ptx_ls.protocols.execution.operation_index import OperationIndex
from ptx_ls.source.named_tuple import NamedTuple
from ptx_ls.threads.uniformity.levels import WARPS_OF_GROUP

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from ptx_ls.protocols.execution.clocks import Clocks
    from ptx_ls.protocols.execution.evaluation import LaneEvaluation
    from ptx_ls.protocols.execution.kernel_steps import KernelStep
    from ptx_ls.protocols.execution.warps import Group

_OF_WARPGROUP: Final = "wgmma"
_ASYNCHRONOUS: Final = (*GROUPED, "mbarrier", "tcgen05", "cp.async")


class HazardKind(StrEnum):
    """The kinds of what is wrong with the second access."""

    READ = "reads"
    OVERWRITE = "overwrites"
    FREE = "frees"
    CREATE = "uses"
    PUBLISH = "may not see"
    END = "is never awaited"
    EXIT = "accesses"


class Hazard(NamedTuple):
    """Two accesses to the same memory, the second of which does not wait for the first."""

    kind: HazardKind
    first: KernelStep
    second: KernelStep
    space: str


class _PlainAccess(NamedTuple):
    """An access of a warp that is over at once. `act`: the warp, and the number of its act."""

    step: KernelStep
    act: tuple[int, int]
    memory: MemoryUse


class Hazards:
    """Notes the accesses of a run, and compares them.

    Attributes:
        found: the first hazard.
        open: the operations of each warp that an object may be made to track.
    """

    def __init__(self, values: LaneEvaluation, clocks: Clocks) -> None:
        self._values, self._clocks = values, clocks
        self._operations = OperationIndex()
        self._reads: dict[object, _PlainAccess] = {}
        self._writes: dict[object, _PlainAccess] = {}
        self._groups: dict[tuple[int, str], list[list[AsyncOperation]]] = {}
        self._frees: list[_PlainAccess] = []
        self._ends: dict[int, KernelStep] = {}
        self._awaited: dict[int, int] = {}
        self.open: dict[int, list[AsyncOperation]] = {}
        self.found: Hazard | None = None

    def report(
        self, kind: HazardKind, first: KernelStep, second: KernelStep, space: str = SHARED
    ) -> None:
        """Notes a hazard, if it is the first one."""
        self.found = self.found or Hazard(kind, first, second, space)

    def end_block(self, rank: int, step: KernelStep) -> None:
        """Notes that all threads of a block have ended, with the last step."""
        self._ends[rank] = step

    def reach(self, step: KernelStep, addresses: Iterable[int]) -> None:
        """Reports an access to shared memory of a block that has ended."""
        if self._ends:
            for address in addresses:
                last = self._ends.get(rank_of(address))
                if last is not None:
                    self.report(HazardKind.EXIT, last, step)

    def access(self, step: KernelStep, group: Group, active: int) -> AsyncOperation | None:
        """Notes the accesses of some lanes; returns an operation that begins with them."""
        known = step.known
        if known is None or self.found is not None:
            return None
        self._change_groups(step, group)
        reads = tuple(named_memory(self._values, step, group, active, is_write=False))
        writes = tuple(named_memory(self._values, step, group, active, is_write=True))
        for memory in (*reads, *writes):
            self.reach(step, memory.starts if memory.space == SHARED else ())
        if known.events.completion not in _ASYNCHRONOUS:
            self._access_now(step, group.warp, reads, writes)
            return None
        if not reads and not writes:
            return None
        made = AsyncOperation(step, group.warp, reads, writes)
        self._check_operation(made)
        self._begin(made)
        return made

    def _begin(self, made: AsyncOperation) -> None:
        if made.completion in GROUPED:
            made.is_tracked = True
            self._groups_of(made.warp, made.completion)[-1].append(made)
        elif made.completion == "mbarrier":
            made.is_tracked = True
        else:
            self.open[made.warp] = [*_without(self.open.get(made.warp, ()), made), made]
        self._operations.add(made)

    def _groups_of(self, warp: int, of: str) -> list[list[AsyncOperation]]:
        """Returns the groups of a warp, the open one last."""
        return self._groups.setdefault((warp, of), [[]])

    def _change_groups(self, step: KernelStep, group: Group) -> None:
        """Closes a group, or ends those that a wait covers."""
        known = step.known
        for each in known.events.syncs if known is not None else ():
            if each.of == TENSOR_LOAD:
                self._await_loads(group.warp)
            if each.of not in GROUPED or known is None:
                continue
            groups = self._groups_of(group.warp, each.of)
            if each.action == "commit":
                groups.append([])
                continue
            amount = each.amount
            if each.argument:
                place = known.places[each.argument]
                amount = same_in(self._values.operand(step, place, group), group.mask)
            n_done = max(0, len(groups) - 1 - (amount or 0))
            for operation in (it for done in groups[:n_done] for it in done):
                operation.over = self._now(group.warp)
            del groups[:n_done]

    def _await_loads(self, warp: int) -> None:
        """Notes that loads of a warp from Tensor Memory are not over before its wait for them."""
        for key, each in self._reads.items():
            if (
                each.act[0] == warp
                and each.memory.space == TENSOR
                and each.act[1] > self._awaited.get(warp, 0)
            ):
                self._reads[key] = each._replace(act=self._now(warp))
        self._awaited[warp] = self._clocks.now(warp)

    def _now(self, warp: int) -> tuple[int, int]:
        return warp, self._clocks.now(warp)

    def free(self, step: KernelStep, group: Group) -> None:
        """Notes that a warp frees Tensor Memory."""
        for each in self._reads.values():
            if each.memory.space == TENSOR and not self._clocks.knows(group.warp, each.act):
                self.report(HazardKind.FREE, each.step, step, TENSOR)
        everything = MemoryUse(TENSOR, frozenset(), 0)
        self._frees.append(_PlainAccess(step, self._now(group.warp), everything))

    def _access_now(
        self,
        step: KernelStep,
        warp: int,
        reads: tuple[MemoryUse, ...],
        writes: tuple[MemoryUse, ...],
    ) -> None:
        """Compares accesses that are over at once with earlier operations."""
        for memory in reads:
            for each in self._in_use(memory, warp):
                if any(memory.meets(it) for it in each.writes):
                    self.report(HazardKind.READ, each.step, step, memory.space)
            for free in self._frees if memory.space == TENSOR else ():
                if not self._clocks.knows(warp, free.act):
                    self.report(HazardKind.FREE, step, free.step, TENSOR)
            self._reads[step.found.start, warp, memory] = _PlainAccess(
                step, self._now(warp), memory
            )
        for memory in writes:
            for each in self._in_use(memory, warp):
                self.report(HazardKind.OVERWRITE, each.step, step, memory.space)
            if memory.space == SHARED:
                key = step.found.start, warp, memory
                self._writes[key] = _PlainAccess(step, self._now(warp), memory)

    def _in_use(self, memory: MemoryUse, warp: int) -> Iterator[AsyncOperation]:
        """Yields the operations on some memory that a warp does not know to be complete.

        Other checks compare an operation of a group with accesses of its own thread.
        """
        found = [it for it in self._operations.using(memory) if it.is_tracked]
        known = [it for it in found if it.is_known(self._clocks, warp)]
        for each in found:
            is_own = each.completion in GROUPED and each.warp == warp
            if not is_own and each not in known and not any(_are_one(each, it) for it in known):
                yield each

    def _check_operation(self, made: AsyncOperation) -> None:
        """Compares an operation with all that comes before it."""
        for memory in made.writes:
            for step in self._unknown(self._reads, memory, made.warp):
                self.report(HazardKind.OVERWRITE, step, made.step, memory.space)
            for other in self._in_use(memory, made.warp):
                if not _are_in_order(other, made):
                    self.report(HazardKind.OVERWRITE, other.step, made.step, memory.space)
        for memory in made.reads:
            for step in self._unknown(self._writes, memory, made.warp):
                self.report(HazardKind.READ, step, made.step, memory.space)
            for other in self._in_use(memory, made.warp):
                is_written = any(memory.meets(it) for it in other.writes)
                if is_written and not _are_in_order(other, made):
                    self.report(HazardKind.READ, other.step, made.step, memory.space)

    def _unknown(
        self, accesses: dict[object, _PlainAccess], memory: MemoryUse, warp: int
    ) -> Iterator[KernelStep]:
        """Yields the accesses to some memory that a warp does not know; forgets the others."""
        for key, each in [*accesses.items()]:
            if memory.meets(each.memory):
                if self._clocks.knows(warp, each.act):
                    del accesses[key]
                else:
                    yield each.step


def _are_one(one: AsyncOperation, other: AsyncOperation) -> bool:
    """Whether two warps take part in the same operation of a warpgroup."""
    if one.completion != _OF_WARPGROUP or one.step is not other.step:
        return False
    is_same_group = one.warp // WARPS_OF_GROUP == other.warp // WARPS_OF_GROUP
    return is_same_group and one.reads == other.reads


def _are_in_order(one: AsyncOperation, other: AsyncOperation) -> bool:
    """Whether operations follow each other, or are the same one of several warps.

    `tcgen05` operations of one thread do.
    """
    if one.warp != other.warp:
        return one.step is other.step
    return one.completion == other.completion == "tcgen05"


def _without(
    operations: Iterable[AsyncOperation], made: AsyncOperation
) -> Iterator[AsyncOperation]:
    """Yields operations, except older ones of the same instruction on the same memory."""
    for each in operations:
        same = each.warp == made.warp and each.step is made.step
        if not same or (each.writes, each.reads) != (made.writes, made.reads):
            yield each
