"""How an instruction may order the accesses of different threads.

Source: PTX ISA, "Memory Consistency Model". In doubt, an instruction orders more.
"""

from __future__ import annotations

from enum import IntEnum
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from ptx_ls.semantics.instructions.memory_events import ShapeEvents


class OrderingLevel(IntEnum):
    """The threads whose accesses before and after an instruction it may order."""

    NONE = 0
    WARP = 1
    """Threads of one warp."""
    BLOCK = 2
    """Any threads of the block."""


_OWN: Final = frozenset(
    {"fence", "init fence", "proxy fence", "register fence", "fence before", "fence after",
     "commit", "wait", "wait reads", "prefetch", "cache hint", "exit", "grid launch",
     "allocate", "relinquish",
     "mbarrier init", "mbarrier inval", "mbarrier expect", "mbarrier complete"}
)  # fmt: skip
"""Acts after which the thread does not wait for another thread."""
_WARP: Final = frozenset({"warp barrier", "exchange", "elect"})
_WARPS: Final = frozenset({"members", "live warp", "warp", "warpgroup"})

OPCODES: Final = (
    "atom", "bar", "barrier", "call", "clusterlaunchcontrol", "cp", "elect", "fabric",
    "griddepcontrol", "ld", "ldmatrix", "ldu", "match", "mbarrier", "mma", "movmatrix", "multimem",
    "red", "redux", "setmaxnreg", "shfl", "st", "stmatrix", "tcgen05", "vote", "wgmma", "wmma",
)  # fmt: skip
"""The opcodes of accesses to shared memory, and of all instructions that may order accesses."""


def ordering_of(known: ShapeEvents | None) -> OrderingLevel:
    """Returns which accesses an instruction may order."""
    if known is None:
        return OrderingLevel.BLOCK
    events = known.events
    actions = {each.action for each in events.syncs} - _OWN
    waits = any(each.is_read and each.is_strong for each in events.accesses)
    if actions - _WARP or (waits and not _only_adds(known)):
        return OrderingLevel.BLOCK
    if actions or events.executed_by in _WARPS:
        return OrderingLevel.WARP
    return OrderingLevel.NONE


def _only_adds(known: ShapeEvents) -> bool:
    """Whether an instruction returns nothing of what it reads, as `red` does."""
    return "d" not in known.places
