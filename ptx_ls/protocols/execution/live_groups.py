"""The groups of lanes that have not ended while a kernel runs, and how they part and meet."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ptx_ls.protocols.execution.warps import LANES_MEET, Group, Waiting
from ptx_ls.threads.uniformity.levels import ALL_LANES, LANES, Level

if TYPE_CHECKING:
    from collections.abc import Iterator

    from ptx_ls.protocols.execution.clusters import ClusterShape
    from ptx_ls.protocols.execution.kernel_steps import KernelStep


class LiveGroups:
    """The groups of the warps of a cluster.

    Attributes:
        groups: those that have not ended.
    """

    def __init__(self, cluster: ClusterShape) -> None:
        self.groups: list[Group] = []
        for rank in range(cluster.n_blocks):
            for number, warp in enumerate(cluster.block.groups(Level.WARP)):
                mask = warp >> number * LANES & ALL_LANES
                self.groups.append(Group(rank * cluster.block.n_warps + number, mask, {}))

    @property
    def threads(self) -> int:
        """The threads that have not ended, as a set with a bit for each."""
        found = 0
        for each in self.groups:
            found |= each.threads
        return found

    def ready(self, warp: int) -> Group | None:
        """Returns the group of a warp that continues next; None if all wait, or have ended."""
        own = [each for each in self.groups if each.warp == warp and each.waiting is None]
        return min(own, key=lambda it: it.place) if own else None

    def waiting(self, kind: str) -> Iterator[tuple[Group, Waiting]]:
        """Yields the groups that wait for something of a kind."""
        for each in self.groups:
            if each.waiting is not None and each.waiting.kind == kind:
                yield each, each.waiting

    def have_met(self, step: KernelStep, group: Group, wanted: int, now: int) -> bool:
        """Whether some lanes of a warp are at a step; if not, those that are wait for the rest."""
        for each, _ in [*self.waiting(LANES_MEET)]:
            if each is not group and each.warp == group.warp and each.place == group.place:
                group.join(each)
                self.groups.remove(each)
        live = 0
        for each in self.groups:
            if each.warp == group.warp:
                live |= each.mask
        if live == group.mask or not wanted & live & ~group.mask:
            return True
        group.waiting = Waiting(LANES_MEET, step, (), now)
        return False

    def split(self, group: Group, mask: int) -> Group:
        """Takes some lanes out of a group; returns them, or the group if that is all of it."""
        if mask == group.mask:
            return group
        taken = group.split(mask)
        self.groups.append(taken)
        return taken

    def go(self, group: Group, block: int) -> None:
        """Moves a group to a block, where it joins other lanes of its warp."""
        group.block, group.at = block, 0
        for each in self.groups:
            is_there = each.place == group.place and each.waiting is None
            if each is not group and each.warp == group.warp and is_there:
                each.join(group)
                self.groups.remove(group)
                return

    def end(self, group: Group) -> None:
        """Ends the threads of a group."""
        self.groups.remove(group)
        for each, _ in self.waiting(LANES_MEET):
            if each.warp == group.warp:
                each.waiting = None
