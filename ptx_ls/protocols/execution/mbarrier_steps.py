"""The mbarrier objects of a block while a kernel runs, and what instructions do to them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from ptx_ls.protocols.execution.clocks import OBJECT, join
from ptx_ls.protocols.execution.clusters import addresses_in, rank_of
from ptx_ls.protocols.execution.lane_values import lanes_of, of_lane, same_in
from ptx_ls.protocols.execution.objects import MbarrierState, PendingCompletion
from ptx_ls.protocols.mbarriers.objects import (
    COMPLETE,
    EXPECT,
    INIT,
    INVAL,
    TRACK,
    UNCOUNTED,
    WAITS,
)

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from ptx_ls.document.coordinates import FunctionPosition
    from ptx_ls.isa.memory_events import SyncEvent
    from ptx_ls.protocols.execution.clocks import Clocks
    from ptx_ls.protocols.execution.evaluation import LaneEvaluation
    from ptx_ls.protocols.execution.hazards import Hazards
    from ptx_ls.protocols.execution.kernel_steps import KernelStep
    from ptx_ls.protocols.execution.lane_values import LaneValue
    from ptx_ls.protocols.execution.memory_uses import AsyncOperation
    from ptx_ls.protocols.execution.warps import Group

_ASYNCHRONOUS: Final = "mbarrier"
_COUNTED: Final = ("mbarrier arrive",)
"""The acts that are arrivals of threads; those that leave later phases are not followed."""
_TRY_TO_CANCEL: Final = "clusterlaunchcontrol"
_LARGEST: Final = 1 << 16
"""Number of bytes that a copy of an unknown size may write."""


class MbarrierSteps:
    """The objects of a block by their addresses, and the copies that will signal them.

    Attributes:
        states: the objects.
        ended: the last object at each address where one became invalid.
        pending: what will signal them.
        amounts: the counts and numbers of bytes of each instruction, by its place.
    """

    def __init__(
        self,
        values: LaneEvaluation,
        clocks: Clocks,
        hazards: Hazards,
        n_copies: Mapping[int, int],
    ) -> None:
        """Begins without objects; `n_copies`: as `copies_of_phases` of an earlier run returns."""
        self._n_copies = n_copies
        self._values, self._clocks, self._hazards = values, clocks, hazards
        self.states: dict[int, MbarrierState] = {}
        self.ended: list[tuple[int, MbarrierState]] = []
        self.pending: list[PendingCompletion] = []
        self.amounts: dict[FunctionPosition, set[int | None]] = {}
        self._touched: dict[int, MbarrierState] = {}
        self._warp = 0

    def act(self, step: KernelStep, group: Group, active: int) -> bool:
        """Lets some lanes act on objects; returns whether that is clear."""
        n_pending, self._warp = len(self.pending), group.warp
        self._touched.clear()
        acts = [each for each in step.syncs if each.action.startswith("mbarrier")]
        if not all(self._act_once(step, each, group, active) for each in acts):
            return False
        operations = self._operations(step, group, active)
        for each in self.pending[n_pending:]:
            each.operations = operations
        self._settle(group)
        return True

    def _settle(self, group: Group) -> None:
        """Completes the phases of the objects at which a group has arrived."""
        for state in self._touched.values():
            join(state.gathered, self._clocks.of(group.warp))
            state.settle()
        if self._touched:
            self._clocks.release(group.warp, {})

    def _operations(
        self, step: KernelStep, group: Group, active: int
    ) -> tuple[AsyncOperation, ...]:
        """Returns the operations whose completion a step makes an object track."""
        made = self._hazards.access(step, group, active)
        if made is not None and made.writes:
            return (made,)
        actions = {each.action for each in step.syncs}
        tracked = "cp.async" if actions & {TRACK, UNCOUNTED} else "tcgen05"
        own = self._hazards.open.get(group.warp, [])
        found = [it for it in own if it.completion == tracked]
        if not (actions & {TRACK, UNCOUNTED} or self._commits(step)):
            return ()
        for each in found:
            each.is_tracked = True
        if tracked == "cp.async":
            self._hazards.open[group.warp] = [it for it in own if it not in found]
        return tuple(found)

    @staticmethod
    def _commits(step: KernelStep) -> bool:
        known = step.known
        return known is not None and any(it.action == "commit" for it in known.events.syncs)

    def _act_once(self, step: KernelStep, sync: SyncEvent, group: Group, active: int) -> bool:
        addresses = self._operand(step, sync.operand, group)
        size = self._amount(step, sync, group)
        targets = self._written(step, group)
        amounts = self.amounts.setdefault(step.found.start, set())
        amounts.update(of_lane(size, lane) for lane in lanes_of(active))
        for lane in lanes_of(active):
            address, amount = of_lane(addresses, lane), of_lane(size, lane)
            target, ranks = of_lane(targets, lane), self._values.ranks(step, group, lane)
            if ranks is None or address is None:
                return False
            if sync.action == COMPLETE and target is not None:
                self._write(step, addresses_in(ranks, target), amount)
            self._hazards.reach(step, addresses_in(ranks, address))
            for each in addresses_in(ranks, address):
                if not self._act_at(step, sync, each, amount):
                    return False
        return True

    def _write(self, step: KernelStep, targets: Sequence[int], n_bytes: int | None) -> None:
        """Notes what an asynchronous operation writes."""
        for target in targets:
            self._values.memory.forget(target, n_bytes or _LARGEST)
        if step.name == _TRY_TO_CANCEL:
            self._values.memory.try_to_cancel(targets)

    def _written(self, step: KernelStep, group: Group) -> LaneValue:
        """Returns where an asynchronous operation writes."""
        events = step.known.events if step.known is not None else None
        objects = {each.operand for each in events.syncs} if events is not None else ()
        for each in events.accesses if events is not None else ():
            if each.is_write and each.operand not in objects:
                return self._operand(step, each.operand, group)
        return None

    def _act_at(self, step: KernelStep, sync: SyncEvent, address: int, amount: int | None) -> bool:
        """Lets one thread act on an object."""
        action = sync.action
        if action == INIT:
            if amount is None or not amount:
                return False
            created = self._warp, self._clocks.now(self._warp)
            n_copies = self._n_copies.get(address, 1)
            self._end_object(address)
            self.states[address] = MbarrierState(step, amount, created, n_copies)
            return True
        if action == INVAL:
            self._end_object(address)
            return True
        state = self.states.get(address)
        if state is None:
            return False
        is_later = step.known is not None and step.known.events.completion == _ASYNCHRONOUS
        if is_later and amount is None and action != COMPLETE:
            return False
        if is_later:
            if action == TRACK:
                state.add(step, arrivals=-(amount or 0))
            arrivals, n_bytes = (0, amount) if action == COMPLETE else (amount or 0, 0)
            self.pending.append(PendingCompletion(step, address, arrivals, n_bytes))
            join(state.gathered, self._clocks.of(self._warp))
            return True
        return amount is not None and self._act_now(step, action, address, amount)

    def _end_object(self, address: int) -> None:
        """Forgets an object, if there is one, but for the copies that its phases needed."""
        state = self.states.pop(address, None)
        if state is not None:
            self.ended.append((address, state))

    def _act_now(self, step: KernelStep, action: str, address: int, amount: int) -> bool:
        state = self.states[address]
        if action == EXPECT:
            state.add(step, n_bytes=amount)
        elif action == COMPLETE or action in _COUNTED:
            arrivals = amount if action in _COUNTED else 0
            state.add(step, arrivals, -amount if action == COMPLETE else 0)
            self._touched[address] = state
        else:
            return False
        return True

    def _amount(self, step: KernelStep, sync: SyncEvent, group: Group) -> LaneValue:
        if sync.argument:
            return self._operand(step, sync.argument, group)
        if sync.action == COMPLETE and sync.amount is None and step.known is not None:
            return self._operand(step, "size", group)
        return sync.amount

    def _operand(self, step: KernelStep, name: str, group: Group) -> LaneValue:
        place = step.known.places.get(name) if step.known is not None else None
        return None if place is None else self._values.operand(step, place, group)

    def wanted(self, step: KernelStep, group: Group, active: int) -> tuple[int, int] | None:
        """Returns the object and the parity for which some lanes wait; None if that is unclear."""
        for each in step.syncs:
            if each.action in WAITS:
                address = same_in(self._operand(step, each.operand, group), active)
                parity = same_in(self._operand(step, each.argument, group), active)
                if address is not None and parity is not None and address in self.states:
                    return address, parity & 1
        return None

    def addresses(self, step: KernelStep, group: Group, active: int) -> set[int]:
        """Returns the objects that some lanes name, as far as they are known."""
        found: set[int] = set()
        for each in step.syncs:
            if each.action.startswith("mbarrier"):
                value = self._operand(step, each.operand, group)
                if not (step.is_multicast or isinstance(value, tuple)):
                    found.update(() if value is None else (value,))
                    continue
                for lane in lanes_of(active):
                    address, ranks = of_lane(value, lane), self._values.ranks(step, group, lane)
                    if address is not None and ranks is not None:
                        found.update(addresses_in(ranks, address))
        return found

    def phase(self, step: KernelStep, group: Group, active: int) -> int | None:
        """Returns the number of completed phases of the object of an arrival."""
        address = same_in(self._operand(step, step.syncs[-1].operand, group), active)
        state = None if address is None else self.states.get(address)
        return None if state is None else state.phase

    def is_complete(self, address: int, parity: int) -> bool:
        """Whether a wait for a parity of an object returns true."""
        state = self.states.get(address)
        return state is not None and state.is_complete(parity)

    def complete_next(self) -> bool:
        """Lets the oldest asynchronous operation signal its object; returns whether there is one.

        Copies of unknown sizes together bring all that their phase still misses.
        """
        if not self.pending:
            return False
        first = self.pending.pop(0)
        state = self.states.get(first.address)
        if state is None:
            return True
        self._end(first, state)
        if first.n_bytes is None:
            others = [it for it in self.pending if it.address == first.address]
            unsized = [it for it in others if it.n_bytes is None]
            if not self._n_copies and not state.pending and others == unsized:
                copies = [each for one in (first, *unsized) for each in _written_by(one)]
                if len(copies) == 1 + len(unsized):
                    self._values.sizes.note(copies, state.n_bytes)
            state.n_unsized += 1 + len(unsized)
            for each in unsized:
                self._end(each, state)
                self.pending.remove(each)
            state.change(first.step)
        else:
            state.change(first.step, arrivals=first.arrivals, n_bytes=-first.n_bytes)
        return True

    @property
    def n_used(self) -> int:
        """The number of addresses at which there were objects."""
        return len(self.states.keys() | {address for address, _ in self.ended})

    def copies_of_phases(self) -> dict[int, int]:
        """Returns how many copies of unknown sizes a phase of each object needs.

        All copies of a phase have been issued if they only complete while all threads wait.
        """
        found: dict[int, int] = {}
        for at, state in (*self.ended, *self.states.items()):
            if state.fewest_unsized:
                found[at] = min(state.fewest_unsized, found.get(at, state.fewest_unsized))
        return found

    @staticmethod
    def _end(completion: PendingCompletion, state: MbarrierState) -> None:
        for each in completion.operations:
            each.ends.append((completion.address, state.phase))

    def acquire(self, address: int, warp: int) -> None:
        """Notes that a warp has waited for the latest complete phase of an object."""
        state = self.states[address]
        self._clocks.acquire(warp, {**state.released, (OBJECT, address): state.phase})

    def surplus(self) -> MbarrierState | None:
        """Returns an object with more arrivals in a phase than it needs."""
        objects = (*(state for _, state in self.ended), *self.states.values())
        return next((it for it in objects if it.surplus is not None), None)

    def unfinished(self) -> KernelStep | None:
        """Returns a copy to shared memory that is not complete."""
        copies = (it for it in self.pending if any(each.writes for each in it.operations))
        found = next((it for it in copies if it.n_bytes != 0), None)
        return None if found is None else found.step


def _written_by(copy: PendingCompletion) -> Iterator[tuple[int, FunctionPosition]]:
    """Yields the addresses that a copy writes in the block of its object, with its place."""
    for operation in copy.operations:
        for memory in operation.writes:
            for start in memory.starts:
                if rank_of(start) == rank_of(copy.address):
                    yield start, copy.step.found.start
