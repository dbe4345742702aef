"""The numbered barriers of a block while a kernel runs."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from ptx_ls.protocols.execution.lane_values import same_in
from ptx_ls.source.named_tuple import NamedTuple
from ptx_ls.threads.uniformity.levels import ALL_LANES, LANES

if TYPE_CHECKING:
    from collections.abc import Iterator

    from ptx_ls.document.coordinates import FunctionPosition
    from ptx_ls.protocols.execution.clocks import Clock, Clocks
    from ptx_ls.protocols.execution.evaluation import LaneEvaluation
    from ptx_ls.protocols.execution.kernel_steps import KernelStep
    from ptx_ls.protocols.execution.warps import Group
    from ptx_ls.semantics.symbols.region_text import RegionText

BarrierKey = tuple[int, int]
"""The number of the block, and of its barrier."""

_LOAD: Final = "ld"
_LOADS: Final = (_LOAD, "atom")
_STRONG: Final = frozenset({"acquire", "relaxed", "volatile"})


def may_wait_for_flags(text: RegionText) -> bool:
    """Whether values in memory may order the warps, which a run does not know."""
    return any(
        each.name != _LOAD or not _STRONG.isdisjoint(each.opcode.split("."))
        for each in text.shapes_of(_LOADS)
    )


class BarrierState:
    """Which threads have arrived at a barrier in a phase.

    `count`: for how many it waits; 0 for all. `members`: the threads of the block. `clock`: what
    those that have arrived know. `acts`: with which of its acts each warp has arrived.
    """

    def __init__(self, key: BarrierKey, count: int, members: int) -> None:
        self.key, self.count, self.members, self.arrived = key, count, members, 0
        self.clock: Clock = {}
        self.acts: dict[int, int] = {}

    @property
    def number(self) -> int:
        """The number of the barrier."""
        return self.key[1]

    def is_over(self, live: int) -> bool:
        """Whether all threads have arrived."""
        if self.count:
            return self.arrived.bit_count() >= self.count
        return not live & self.members & ~self.arrived


class BarrierMisuse(NamedTuple):
    """An arrival of a warp that has arrived in this phase, or with another number of threads.

    Or of one that might have taken part in an earlier phase of other warps: nothing orders it.

    `n_threads`: for how many it waits, `expected`: for how many others wait; 0 for all threads.
    `others`: the warps of that earlier phase; none if it is another mistake. `warp`: the warp.
    """

    step: KernelStep
    number: int
    n_threads: int
    expected: int
    warp: int = 0
    others: tuple[int, ...] = ()


class BlockBarriers:
    """The barriers of a block with threads waiting at them.

    Attributes:
        open: the phases that are not over.
        misuse: an arrival that is undefined.
        amounts: the number and the thread count of each instruction, by its place.
    """

    def __init__(
        self, values: LaneEvaluation, clocks: Clocks, *, are_clocks_complete: bool
    ) -> None:
        """Prepares barriers at which no thread has arrived.

        `are_clocks_complete`: whether nothing else can order the warps, and all of them exist.
        """
        self._values, self._clocks = values, clocks
        self._are_clocks_complete = are_clocks_complete
        self._over: dict[BarrierKey, BarrierState] = {}
        self.open: dict[BarrierKey, BarrierState] = {}
        self.misuse: BarrierMisuse | None = None
        self.amounts: dict[FunctionPosition, set[tuple[int, int]]] = {}

    def arrive(
        self, step: KernelStep, group: Group, live: int
    ) -> tuple[BarrierState, bool, bool] | None:
        """Lets a group arrive; returns the state, whether the phase is over, and whether it waits.

        None if that is unknown, or undefined.
        """
        sync = step.syncs[0]
        number, count = self._numbers(step, group)
        if number is None or count is None:
            return None
        self.amounts.setdefault(step.found.start, set()).add((number, count))
        cluster = self._values.cluster
        key = rank, _ = cluster.rank_of(group.warp), number
        state = self.open.setdefault(key, BarrierState(key, count, cluster.threads_of(rank)))
        events = step.known.events if step.known is not None else None
        is_warp = events is not None and events.is_aligned
        arrived = (ALL_LANES if is_warp else group.mask) << group.warp * LANES
        if state.count != count or state.arrived & arrived:
            self.misuse = BarrierMisuse(step, number, count, state.count)
            return None
        if self._are_clocks_complete and count and self._may_be_earlier(key, group.warp):
            others = tuple(sorted(self._over[key].acts))
            self.misuse = BarrierMisuse(step, number, count, count, group.warp, others)
            return None
        state.arrived |= arrived
        state.acts[group.warp] = self._clocks.now(group.warp)
        is_over = state.is_over(live)
        if is_over:
            self._over[key] = self.open.pop(key)
        return state, is_over, sync.action != "barrier arrive"

    def _may_be_earlier(self, key: BarrierKey, warp: int) -> bool:
        """Whether a warp might have arrived in the last phase of a barrier in place of others."""
        last = self._over.get(key)
        if last is None or warp in last.acts:
            return False
        return not all(self._clocks.knows(warp, each) for each in last.acts.items())

    def _numbers(self, step: KernelStep, group: Group) -> tuple[int | None, int | None]:
        """Returns the number of a barrier, and of its threads; 0 for all."""
        sync, known = step.syncs[0], step.known
        if known is None:
            return None, None
        found: list[int | None] = []
        for name in (sync.operand, sync.argument):
            place = known.places.get(name) if name else None
            value = 0 if place is None else self._values.operand(step, place, group)
            found.append(same_in(value, group.mask))
        return found[0], found[1]

    def completed_by_exit(self, live: int) -> Iterator[BarrierState]:
        """Yields the barriers that are over because the threads that were missing have ended."""
        for key, state in [*self.open.items()]:
            if not state.count and state.is_over(live):
                del self.open[key]
                yield state
