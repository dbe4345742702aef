"""Tells which threads have to execute an instruction together.

Source: the `executed-by` entries of the ISA database.
"""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING, Final

from ptx_ls.semantics.instructions.memory_events import events_of
from ptx_ls.source.named_tuple import NamedTuple
from ptx_ls.threads.uniformity.levels import Level

if TYPE_CHECKING:
    from ptx_ls.isa.memory_events import SyncEvent
    from ptx_ls.semantics.instructions.memory_events import ShapeEvents
    from ptx_ls.syntax.record import Shape

BARRIERS: Final = ("bar", "barrier")
MASKED: Final = ("shfl", "vote", "match", "redux", "elect", "bar", "fabric")
"""The opcodes of instructions with a mask."""
WHOLE_WARP: Final = (
    "ldmatrix", "stmatrix", "movmatrix", "mma", "wmma", "wgmma", "setmaxnreg", "tcgen05",
    "tensormap",
)  # fmt: skip
"""The opcodes of instructions that a whole warp or warpgroup may have to execute together."""
OPCODES: Final = tuple(dict.fromkeys((*BARRIERS, *MASKED, *WHOLE_WARP)))
"""The opcodes of instructions that several threads may have to execute together.

A test compares them with the database, which is not read before an instruction has one of them.
"""
_ACTIONS: Final = {"barrier sync": ".sync", "barrier reduce": ".red", "barrier arrive": ".arrive"}
_OF_CLUSTER: Final = frozenset({"cluster arrive", "cluster wait"})
_MEMBERS: Final = "members"
_MASK: Final = "membermask"
_LEVELS: Final = {
    "live warp": Level.WARP, "warp": Level.WARP, "warpgroup": Level.WARPGROUP
}  # fmt: skip


class CollectiveKind(NamedTuple):
    """Which threads have to execute an instruction together.

    Attributes:
        opcode: the opcode with its modifiers.
        level: those of a warp or a warpgroup, if it has no mask; `DIVERGENT` if any may.
        needs_whole_block: whether all threads of the block have to arrive: a barrier of the block
            without a count, or one of the cluster.
        mask: the number of the operand with a mask of lanes; None without one.
        action: `.sync`, `.red` or `.arrive` of a barrier of the block, else "".
        count_operand: the number of the operand with a count of threads; None without one.
        id_operand: the number of the operand with the number of a barrier.
    """

    opcode: str
    level: Level
    needs_whole_block: bool = False
    mask: int | None = None
    action: str = ""
    count_operand: int | None = None
    id_operand: int = 0

    @property
    def group(self) -> Level:
        """The largest group whose threads may all have to execute the instruction."""
        if self.needs_whole_block:
            return Level.CTA
        return Level.WARP if self.mask is not None else self.level

    @property
    def needs_lanes(self) -> bool:
        """Whether no lane of the warp may have exited."""
        return (
            self.level >= Level.WARP
            and not self.action
            and self.opcode.split(".")[0] not in BARRIERS
        )


@lru_cache(maxsize=1 << 12)
def kind_of(shape: Shape) -> CollectiveKind | None:
    """Returns which threads have to execute an instruction together; None for others."""
    known = events_of(shape) if shape.name in OPCODES else None
    if known is None:
        return None
    events = known.events
    for sync in events.syncs:
        if sync.action in _ACTIONS or sync.action in _OF_CLUSTER:
            return _barrier(shape, known, sync)
    if events.executed_by == _MEMBERS:
        return CollectiveKind(shape.opcode, Level.DIVERGENT, mask=known.places.get(_MASK))
    level = _LEVELS.get(events.executed_by) if events.is_aligned else None
    return None if level is None else CollectiveKind(shape.opcode, level)


def _barrier(shape: Shape, known: ShapeEvents, sync: SyncEvent) -> CollectiveKind:
    level = Level.WARP if known.events.is_aligned else Level.DIVERGENT
    if sync.action in _OF_CLUSTER:
        return CollectiveKind(shape.opcode, level, needs_whole_block=True)
    return CollectiveKind(
        shape.opcode,
        level,
        sync.argument not in known.places,
        None,
        _ACTIONS[sync.action],
        known.places.get(sync.argument),
        known.places.get(sync.operand, 0),
    )
