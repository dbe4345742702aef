"""The threads of a block while a kernel runs: warps, and the parts of them that run together."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from ptx_ls.protocols.execution.lane_values import chosen
from ptx_ls.source.named_tuple import NamedTuple
from ptx_ls.threads.uniformity.levels import LANES

if TYPE_CHECKING:
    from ptx_ls.document.coordinates import FunctionPosition
    from ptx_ls.protocols.execution.kernel_steps import KernelStep
    from ptx_ls.protocols.execution.lane_values import LaneValue

LANES_MEET: Final = "lanes"
"""The kind of a wait for other lanes of the warp."""
OBJECT: Final = "mbarrier"
CREATION: Final = "creation"
"""The kind of a wait on an mbarrier object that does not exist yet; threads do not do that."""
BARRIER: Final = "barrier"
CLUSTER: Final = "cluster"
COLUMNS: Final = "columns"
"""The kind of a wait for columns of Tensor Memory."""


class Waiting(NamedTuple):
    """Why some threads do not continue.

    `kind`: `LANES_MEET`, `OBJECT`, `CREATION`, `BARRIER`, `CLUSTER` or `COLUMNS`. `step`: the
    instruction. `wanted`: the objects with the parities, any of which lets the threads continue; or
    the numbers of the block and of the barrier.
    `since`: how many steps had run.
    """

    kind: str
    step: KernelStep
    wanted: tuple[tuple[int, int], ...]
    since: int


class Group:
    """Lanes of a warp that execute the same instructions.

    Attributes:
        warp: the number of the warp.
        mask: its lanes.
        block, at: the block, and the number of the step in it that is next.
        registers: what their registers hold.
        waiting: why they do not continue; None if they do.
        n_acts: how many acts other threads may notice.
        failed: the waits that returned false since then, with the objects and parities.
    """

    def __init__(self, warp: int, mask: int, registers: dict[int, LaneValue]) -> None:
        self.warp, self.mask, self.registers = warp, mask, registers
        self.block = self.at = self.n_acts = 0
        self.waiting: Waiting | None = None
        self.failed: dict[FunctionPosition, tuple[int, int]] = {}

    @property
    def place(self) -> tuple[int, int]:
        """The place of the next step."""
        return self.block, self.at

    @property
    def threads(self) -> int:
        """The threads of the cluster that these lanes are, as a set with a bit for each."""
        return self.mask << self.warp * LANES

    def act(self) -> None:
        """Notes an act that other threads may notice."""
        self.n_acts += 1
        self.failed.clear()

    def split(self, mask: int) -> Group:
        """Takes some lanes away; returns them."""
        other = Group(self.warp, mask, dict(self.registers))
        other.block, other.at, other.n_acts = self.block, self.at, self.n_acts
        other.failed = dict(self.failed)
        self.mask &= ~mask
        return other

    def join(self, other: Group) -> None:
        """Adds the lanes of a group at the same place."""
        for code in {*self.registers, *other.registers}:
            own, its = self.registers.get(code), other.registers.get(code)
            self.registers[code] = chosen(self.mask, own, its)
        self.mask |= other.mask
        self.failed = {key: it for key, it in self.failed.items() if other.failed.get(key) == it}
