"""The barriers and mbarrier objects of a block while a kernel runs."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ptx_ls.protocols.execution.clocks import join

if TYPE_CHECKING:
    from ptx_ls.protocols.execution.clocks import Clock
    from ptx_ls.protocols.execution.kernel_steps import KernelStep
    from ptx_ls.protocols.execution.memory_uses import AsyncOperation


class MbarrierState:
    """The state of an mbarrier object.

    Attributes:
        init: the step that created it.
        created: the warp that did, and the number of its act.
        count, pending: the arrivals that a phase needs, and those that it still needs.
        n_bytes: the bytes that were announced and have not arrived.
        phase: the number of completed phases.
        n_arrived: the arrivals of all phases.
        n_unsized: the copies of an unknown size that are complete in the current phase.
        n_copies: how many such copies bring all bytes of a phase, at least.
        fewest_unsized: how many such copies have ended in a phase, at least; 0 if there are none.
        last: the last step that changed it.
        surplus: an arrival at a phase that had all of its arrivals.
        gathered, released: what the threads that arrived know, and what they knew in phases that
            are complete.
    """

    def __init__(
        self, init: KernelStep, count: int, created: tuple[int, int], n_copies: int = 1
    ) -> None:
        self.created = created
        self.init, self.count, self.pending = init, count, count
        self.n_bytes = self.phase = self.n_arrived = self.n_unsized = 0
        self.n_copies, self.fewest_unsized = n_copies, 0
        self.last: KernelStep | None = None
        self.surplus: KernelStep | None = None
        self.gathered: Clock = {}
        self.released: Clock = {}

    def change(self, step: KernelStep, arrivals: int = 0, n_bytes: int = 0) -> None:
        """Takes arrivals and bytes into account, and completes the phase if nothing is missing."""
        self.add(step, arrivals, n_bytes)
        self.settle()

    def add(self, step: KernelStep, arrivals: int = 0, n_bytes: int = 0) -> None:
        """Takes arrivals and bytes into account."""
        self.last = step
        self.pending -= arrivals
        if self.pending < 0 and self.surplus is None:
            self.surplus = step
        self.n_arrived += max(arrivals, 0)
        self.n_bytes += n_bytes

    def settle(self) -> None:
        """Completes the phase if nothing is missing."""
        if self.pending == 0 and (self.n_bytes == 0 or self.n_unsized >= self.n_copies):
            known = self.fewest_unsized or self.n_unsized
            self.fewest_unsized = min(known, self.n_unsized or known)
            self.phase += 1
            join(self.released, self.gathered)
            self.pending, self.n_bytes, self.n_unsized = self.count, 0, 0

    def is_complete(self, parity: int) -> bool:
        """Whether a wait for a parity returns true."""
        return self.phase & 1 != parity & 1


class PendingCompletion:
    """The effect that an asynchronous operation will have on an mbarrier object.

    `n_bytes`: None if the size of the copy is unknown. `operations`: those that are complete then.
    """

    def __init__(self, step: KernelStep, address: int, arrivals: int, n_bytes: int | None) -> None:
        self.step, self.address, self.arrivals, self.n_bytes = step, address, arrivals, n_bytes
        self.operations: tuple[AsyncOperation, ...] = ()
