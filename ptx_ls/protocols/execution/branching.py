"""Moves groups of lanes from block to block while a kernel runs."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ptx_ls.protocols.execution.kernel_steps import BRANCHES, LEAVING

if TYPE_CHECKING:
    from ptx_ls.protocols.execution.evaluation import LaneEvaluation
    from ptx_ls.protocols.execution.kernel_steps import KernelStep, KernelSteps
    from ptx_ls.protocols.execution.live_groups import LiveGroups
    from ptx_ls.protocols.execution.warps import Group


class UnsupportedError(Exception):
    """The run depends on what is not known here."""


class Branching:
    """Decides where groups go.

    Attributes:
        decided: the blocks at whose ends each warp has decided where to go.
    """

    def __init__(self, program: KernelSteps, values: LaneEvaluation, live: LiveGroups) -> None:
        self._program, self._values, self._live = program, values, live
        self.decided: dict[int, set[int]] = {}

    def leave(self, group: Group) -> Group | None:
        """Moves a group to the blocks that follow; returns the lanes that end.

        Raises `UnsupportedError` if it is unknown where they go.
        """
        graph, block = self._program.graph, group.block
        last = self._program.last(block)
        if last is None or last.name not in (*BRANCHES, *LEAVING):
            following = graph.successors[block]
            if block in graph.leaves or len(following) != 1:
                raise UnsupportedError  # `trap`, or a call that does not return
            self._live.go(group, following[0])
            return None
        if last.guard < 0 and last.name in LEAVING:
            return group
        if last.guard < 0 and len(graph.successors[block]) == 1:
            self._live.go(group, graph.successors[block][0])
            return None
        if block in self._program.deciding:
            return self._decide(group, last)
        after = self._program.after(block)
        if after < 0:
            return group
        self._live.go(group, after)
        return None

    def _decide(self, group: Group, last: KernelStep) -> Group | None:
        """Splits a group at a branch; returns the lanes that end."""
        graph, block = self._program.graph, group.block
        taken = self._values.active(last, group)
        self.decided.setdefault(group.warp, set()).add(block)
        targets = [each for each in graph.successors[block] if each != block + 1]
        is_leaving = last.name in LEAVING
        if taken is None or last.name == "brx" or len(targets) > 1:
            raise UnsupportedError
        if not targets and not is_leaving:
            self._live.go(group, block + 1)
            return None
        leaving = self._live.split(group, taken) if taken else None
        if leaving is not group:
            self._live.go(group, block + 1)
        if leaving is not None and not is_leaving:
            self._live.go(leaving, targets[0])
        return leaving if is_leaving else None
