"""The barrier of a cluster while a kernel runs, at which threads arrive first and wait later."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from ptx_ls.protocols.execution.clocks import join

if TYPE_CHECKING:
    from ptx_ls.protocols.execution.clocks import Clock, Clocks
    from ptx_ls.protocols.execution.warps import Group
    from ptx_ls.semantics.symbols.region_text import RegionText

_BARRIER: Final = ("barrier",)
_ARRIVAL: Final = "barrier.cluster.arrive"
_RELAXED: Final = ".relaxed"
_FENCES: Final = ("fence", "membar")
_PROXY_FENCE: Final = "fence.proxy"


def may_order_no_memory(text: RegionText) -> bool:
    """Whether an arrival at the barrier of the cluster is relaxed, and no fence helps it."""
    arrivals = [it for it in text.shapes_of(_BARRIER) if it.opcode.startswith(_ARRIVAL)]
    return any(_RELAXED in each.opcode for each in arrivals) and all(
        each.opcode.startswith(_PROXY_FENCE) for each in text.shapes_of(_FENCES)
    )


class ClusterBarrier:
    """How often the warps have arrived, and how often all of them have.

    Attributes:
        arrived: the threads that have arrived in the current phase.
    """

    def __init__(self, clocks: Clocks) -> None:
        self._clocks = clocks
        self.arrived = self._n_phases = 0
        self._n_arrivals: dict[int, int] = {}
        self._gathered: Clock = {}
        self._released: Clock = {}

    def arrive(self, group: Group) -> bool:
        """Lets a group arrive; returns whether it may, which is once in each phase."""
        if group.threads & self.arrived:
            return False
        self.arrived |= group.threads
        self._n_arrivals[group.warp] = self._n_phases + 1
        self._clocks.release(group.warp, self._gathered)
        return True

    def complete(self, live: int) -> bool:
        """Completes the phase if all live threads have arrived; returns whether they have."""
        if not self.arrived or live & ~self.arrived:
            return False
        self.arrived = 0
        self._n_phases += 1
        join(self._released, self._gathered)
        return True

    def has_passed(self, group: Group) -> bool:
        """Whether the phase is over in which a group has arrived; if so, it knows the others."""
        if self._n_arrivals.get(group.warp, self._n_phases + 1) > self._n_phases:
            return False
        self._clocks.acquire(group.warp, self._released)
        return True
