"""The memory that the lanes of a warp name in an instruction, and asynchronous operations on it."""

from __future__ import annotations

from bisect import bisect_right
from functools import lru_cache
from typing import TYPE_CHECKING, Final

from ptx_ls.protocols.execution.clocks import OBJECT
from ptx_ls.protocols.execution.clusters import address_in, addresses_in
from ptx_ls.protocols.execution.lane_values import lanes_of, of_lane
from ptx_ls.source.named_tuple import NamedTuple

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from ptx_ls.isa.memory_events import AccessEvent
    from ptx_ls.protocols.execution.clocks import Clocks
    from ptx_ls.protocols.execution.evaluation import LaneEvaluation
    from ptx_ls.protocols.execution.kernel_steps import KernelStep
    from ptx_ls.protocols.execution.warps import Group

TENSOR: Final = "tensor"
SHARED: Final = "shared"
_SHARED_SPACES: Final = ("shared::cta", "shared::cluster")
_DESCRIPTOR: Final = "descriptor"
_FIELD, _UNIT = 0x3FFF, 4
"""The bits of a descriptor that have an address, and how many of its low bits they leave out."""
_COLUMN: Final = 0xFFFF
_COLUMNS: Final = 16
"""The number of bits of a column."""
_WIDE, _WORD = 64, 32

_MAX_ORDERED: Final = 4_096
"""Number of sets of places that are kept in order."""


@lru_cache(maxsize=_MAX_ORDERED)
def _ordered(starts: frozenset[int]) -> Sequence[int]:
    return sorted(starts)


class MemoryUse(NamedTuple):
    """The memory that lanes of a warp name: where it begins for each, and the size.

    In Tensor Memory, places are columns.
    """

    space: str
    starts: frozenset[int]
    n_bytes: int

    def meets(self, other: MemoryUse) -> bool:
        """Whether both have common bytes."""
        if self.space != other.space:
            return False
        ones, others = _ordered(self.starts), _ordered(other.starts)
        if not ones or not others:
            return False
        if ones[-1] + self.n_bytes <= others[0] or others[-1] + other.n_bytes <= ones[0]:
            return False
        if not self.starts.isdisjoint(other.starts):
            return True
        for one in ones:
            place = bisect_right(others, one - other.n_bytes)
            if place < len(others) and others[place] < one + self.n_bytes:
                return True
        return False


class AsyncOperation:
    """An asynchronous operation that a warp has begun.

    Attributes:
        reads, writes: the memory that it uses.
        ends: the objects that it has signalled, with the numbers of the phases.
        over: the warp that has waited for its group, and the number of its act.
        is_tracked: whether some thread can wait for it.
    """

    def __init__(
        self,
        step: KernelStep,
        warp: int,
        reads: tuple[MemoryUse, ...],
        writes: tuple[MemoryUse, ...],
    ) -> None:
        self.step, self.warp, self.reads, self.writes = step, warp, reads, writes
        self.ends: list[tuple[int, int]] = []
        self.over: tuple[int, int] | None = None
        self.is_tracked = False

    @property
    def completion(self) -> str:
        """How it completes."""
        return "" if self.step.known is None else self.step.known.events.completion

    def is_known(self, clocks: Clocks, warp: int) -> bool:
        """Whether a warp knows that it is complete."""
        if self.over is not None and clocks.knows(warp, self.over):
            return True
        clock = clocks.of(warp)
        return any(clock.get((OBJECT, address), 0) > phase for address, phase in self.ends)


def named_memory(
    values: LaneEvaluation, step: KernelStep, group: Group, active: int, *, is_write: bool
) -> Iterator[MemoryUse]:
    """Yields what some lanes read or write in an instruction, as far as it is known."""
    known = step.known
    if known is None:
        return
    objects = {each.operand for each in known.events.syncs}
    for event in known.events.accesses:
        is_meant = event.is_write if is_write else event.is_read
        if is_meant and event.operand in known.places and event.operand not in objects:
            found = _named(values, step, event, group, active)
            if found is not None:
                yield found


def _named(
    values: LaneEvaluation, step: KernelStep, event: AccessEvent, group: Group, active: int
) -> MemoryUse | None:
    places = {} if step.known is None else step.known.places
    width = _WIDE if event.by == _DESCRIPTOR else _WORD
    value = values.operand(step, places[event.operand], group, width)
    if step.is_multicast:
        lanes = lanes_of(active)
        numbers = {(of_lane(value, lane), values.ranks(step, group, lane)) for lane in lanes}
    elif isinstance(value, tuple):
        numbers = {(value[lane], ()) for lane in lanes_of(active)}
    else:
        numbers = {(value, ())}
    named = [(start, ranks) for start, ranks in numbers if start is not None and ranks is not None]
    if not named:
        return None
    pair = values.pair(step, group)
    if event.space == TENSOR:
        columns = {(it & _COLUMN) + (rank << _COLUMNS) for it, _ in named for rank in pair}
        return MemoryUse(TENSOR, frozenset(columns), 1)
    if event.by == _DESCRIPTOR:
        fields = [(it & _FIELD) << _UNIT for it, _ in named]
        starts = {address_in(rank, it) for it in fields for rank in pair}
    elif event.by != "address" or event.space not in _SHARED_SPACES:
        return None
    elif event.is_write:
        starts = {it for start, ranks in named for it in addresses_in(ranks, start)}
    else:
        starts = {start for start, _ in named}
    size = event.n_bytes
    if size is None and event.size:
        stated = values.operand(step, places[event.size], group)
        size = stated if isinstance(stated, int) else None
    return MemoryUse(SHARED, frozenset(starts), size or values.sizes.of(step.found.start))
