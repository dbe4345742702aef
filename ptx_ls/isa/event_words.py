"""The words of memory events in the data, and what they mean; see docs/isa-format.md."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

ACCESSES: Final = ("reads", "writes", "updates")
"""Kinds of accesses. An update reads and writes; that of an atomic operation is one step."""

SPACES: Final = frozenset(
    {"generic", "global", "shared::cta", "shared::cluster", "local", "const", "param",
     "tensor", "texture", "surface", "fabric"}
)  # fmt: skip
"""State spaces of accesses. The address of a `generic` access determines the state space; `tensor`
is Tensor Memory, `fabric` the memory of another machine."""

PROXIES: Final = frozenset(
    {"generic", "async", "tensormap", "readonly", "texture", "surface", "alias", "fabric"}
)
"""Ways in which memory is accessed; only a proxy fence orders two accesses by different ones."""

ORDERS: Final = frozenset(
    {"weak", "relaxed", "acquire", "release", "acq_rel", "sc", "volatile", "mmio"}
)
SCOPES: Final = frozenset({"cta", "cluster", "gpu", "sys"})

MEANS: Final = frozenset({"address", "descriptor", "tensor map", "coordinates"})
"""How an operand names what is accessed."""

EXECUTED_BY: Final[Mapping[str, str]] = {
    "thread": "Each thread may execute the instruction by itself.",
    "members": "All threads in the mask must execute the instruction with the same mask.",
    "live warp": "All threads of the warp that have not exited must execute the instruction.",
    "warp": (
        "All threads of the warp must execute the instruction together, and none of them may have "
        "exited."
    ),
    "warpgroup": "All four warps of a warpgroup must execute the instruction together.",
    "cta": "All threads of the block that have not exited must execute the instruction.",
    "cluster": "All threads of the cluster that have not exited must execute the instruction.",
}
"""Which threads must execute an instruction."""

COMPLETIONS: Final[Mapping[str, str]] = {
    "cp.async": (
        "the next `cp.async.commit_group` commits the operation as part of a group, or an "
        "mbarrier object tracks it"
    ),
    "bulk": "the next `cp.async.bulk.commit_group` commits the operation as part of a group",
    "mbarrier": "the operation signals the mbarrier object when it completes",
    "wgmma": "the next `wgmma.commit_group` commits the operation as part of a group",
    "tcgen05": "the next `tcgen05.commit` makes an mbarrier object track the operation",
    "tcgen05.ld": "`tcgen05.wait::ld` waits for the operation",
    "tcgen05.st": "`tcgen05.wait::st` waits for the operation",
    "fabric": "the next `fabric.submit` submits the operation",
    "untracked": "no instruction can wait for the operation to complete",
}
"""How an asynchronous instruction completes."""

ACTIONS: Final[Mapping[str, str]] = {
    "barrier sync": "arrives at a barrier of the block and waits for it",
    "barrier arrive": "arrives at a barrier of the block without waiting",
    "barrier reduce": "arrives at a barrier of the block, waits, and combines a predicate",
    "warp barrier": "waits for the threads in the mask",
    "cluster arrive": "arrives at the cluster barrier without waiting",
    "cluster wait": "waits for the cluster barrier",
    "mbarrier init": "initialises an mbarrier object",
    "mbarrier inval": "ends the use of an mbarrier object",
    "mbarrier arrive": "arrives at an mbarrier object",
    "mbarrier drop": "makes the last arrival of this thread at an mbarrier object",
    "mbarrier partial arrive": "arrives at an mbarrier object without completing its phase",
    "mbarrier partial drop": (
        "makes the last arrival of this thread at an mbarrier object without completing its phase"
    ),
    "mbarrier expect": "announces bytes to an mbarrier object",
    "mbarrier complete": "reports completed bytes to an mbarrier object",
    "mbarrier test": "tests a phase of an mbarrier object",
    "mbarrier wait": "waits a limited time for a phase of an mbarrier object",
    "mbarrier track": "makes an mbarrier object wait for this thread's earlier copies",
    "mbarrier track uncounted": "lets this thread's earlier copies arrive at an mbarrier object",
    "fence": "orders memory accesses",
    "init fence": "publishes the mbarrier objects that this thread has initialised",
    "proxy fence": "orders accesses through different proxies",
    "register fence": "orders accesses to registers before later `wgmma` instructions",
    "fence before": "orders `tcgen05` operations before a later synchronisation",
    "fence after": "orders `tcgen05` operations after an earlier synchronisation",
    "commit": "commits asynchronous operations as a group",
    "wait": "waits for groups of asynchronous operations",
    "wait reads": "waits until groups of asynchronous operations have read their sources",
    "exchange": "exchanges values with the threads in the mask",
    "active exchange": "exchanges values with the active threads of the warp",
    "elect": "elects one thread of the mask",
    "allocate": "allocates columns of Tensor Memory",
    "free": "frees columns of Tensor Memory",
    "relinquish": "gives up the right to allocate Tensor Memory",
    "take registers": (
        "waits until the register pool of the block has enough registers, and takes them"
    ),
    "release registers": "returns registers to the register pool of the block",
    "grid wait": "waits for the grids that this grid depends on",
    "grid launch": "lets dependent grids start",
    "prefetch": "prefetches memory",
    "cache hint": "changes the eviction priority of cached data",
    "exit": "ends the thread",
    "call": "has the effects of the called function",
}
"""Acts that are not accesses, mostly synchronisation."""

COMMITS: Final[Mapping[str, str]] = {
    "tcgen05": "lets an mbarrier object track this thread's earlier `tcgen05` operations",
    "fabric": "submits the `fabric` operations that this thread has started",
}
"""How an asynchronous instruction that has no groups is committed."""

GROUP_ACTIONS: Final[Mapping[str, tuple[str, str]]] = {
    "commit": (
        "commits the pending {of} operations of this thread as a group",
        "commits the pending {of} operations of this thread as a group",
    ),
    "wait": (
        "waits for all {of} operations of this thread",
        "waits until at most {number} {of} groups are pending",
    ),
    "wait reads": (
        "waits until all {of} operations of this thread have read their sources",
        "waits until all but the newest {number} {of} groups have read their sources",
    ),
}
"""Acts on asynchronous operations of one kind: on all of them, or on all but some groups."""

MECHANISMS: Final = frozenset(COMPLETIONS)

EXPECTED: Final[Mapping[str, frozenset[str]]] = {
    "space": SPACES | {"shared", "param::entry", "param::func"},
    "proxy": PROXIES,
    "order": ORDERS,
    "scope": SCOPES,
    "by": MEANS,
    "of": MECHANISMS,
}
"""The keys of an event that take a word or the name of a slot, and the words they may get."""
