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
_ARRIVALS: Final = frozenset(
    {"barrier arrive", "cluster arrive", "mbarrier arrive", "mbarrier drop",
     "mbarrier partial arrive", "mbarrier partial drop", "mbarrier track",
     "mbarrier track uncounted"}
)  # fmt: skip
"""Acts for which other threads may wait, but the thread itself does not."""
_WAITS: Final = frozenset({"cluster wait", "mbarrier wait", "mbarrier test"})
"""Acts with which a thread waits for what others did before they arrived."""
_WARP: Final = frozenset({"warp barrier", "exchange", "elect"})
_WARPS: Final = frozenset({"members", "live warp", "warp", "warpgroup"})

_OF_BLOCK: Final = _WARP | {"barrier sync", "barrier reduce"}
"""Acts by which only threads of the same block wait for each other."""

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
    actions = _waiting_actions(known)
    if actions - _WARP or _reads_strongly(known):
        return OrderingLevel.BLOCK
    if actions or known.events.executed_by in _WARPS:
        return OrderingLevel.WARP
    return OrderingLevel.NONE


def orders_lanes(known: ShapeEvents | None) -> bool:
    """Whether at an instruction, threads of one warp wait for each other, but for no others."""
    actions = set() if known is None else _waiting_actions(known)
    return bool(actions) and ordering_of(known) is OrderingLevel.WARP


def orders_blocks(known: ShapeEvents | None) -> bool:
    """Whether an instruction may order accesses of different blocks of a cluster."""
    if known is None:
        return True
    return bool(_waiting_actions(known) - _OF_BLOCK) or _reads_strongly(known)


def orders_by_reading(known: ShapeEvents | None) -> bool:
    """Whether an instruction only orders accesses if it reads what another thread has written."""
    return known is not None and not _waiting_actions(known) and _reads_strongly(known)


def only_arrives(known: ShapeEvents | None) -> bool:
    """Whether an instruction lets other threads continue, but does not wait for any of them."""
    actions = set() if known is None else _waiting_actions(known)
    return bool(actions) and actions <= _ARRIVALS


def only_waits(known: ShapeEvents | None) -> bool:
    """Whether an instruction waits for arrivals, but does not arrive itself.

    It orders what a thread does later after what others did before they arrived.
    """
    actions = set() if known is None else _waiting_actions(known)
    return bool(actions) and actions <= _WAITS


def _waiting_actions(known: ShapeEvents) -> set[str]:
    """Returns the acts of an instruction after which a thread may wait for others."""
    return {each.action for each in known.events.syncs} - _OWN


def _reads_strongly(known: ShapeEvents) -> bool:
    """Whether an instruction returns what a strong access reads."""
    waits = any(each.is_read and each.is_strong for each in known.events.accesses)
    return waits and not _only_adds(known)


def _only_adds(known: ShapeEvents) -> bool:
    """Whether an instruction returns nothing of what it reads, as `red` does."""
    return "d" not in known.places
