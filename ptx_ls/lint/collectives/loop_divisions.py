"""Finds barriers in loops that lanes of a warp leave, or skip, in different iterations."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ptx_ls.lint.collectives.function_collectives import DividedGroup
from ptx_ls.threads.uniformity.levels import LANES, Level

if TYPE_CHECKING:
    from ptx_ls.lint.collectives.function_collectives import FunctionCollectives
    from ptx_ls.semantics.symbols.region_text import Found
    from ptx_ls.threads.launch_example.loop_ends import LoopEnd


def loop_division(collectives: FunctionCollectives, found: Found) -> DividedGroup | None:
    """Returns a warp of which some lanes do not execute a statement of a loop with the others.

    They leave the loop before, or skip the statement in some iteration. If the kernel does not
    state the shape of its blocks, small and large ones have to be divided.
    """
    uniformity = collectives.uniformity
    values = uniformity.values
    graph = values.graph
    block = graph.number_at(found.start)
    if block is None or block < 0 or not values.given.is_kernel:
        return None
    if not uniformity.control.deciding(block):
        return None  # all threads execute it
    head = graph.loop_forest.innermost(block)
    if head < 0 or graph.loop_forest.depth(head) != 1:
        return None
    if uniformity.surely(found) >= Level.WARP or uniformity.guard_of(found) is not None:
        return None
    from ptx_ls.lint.collectives.loop_threads import LoopThreads  # noqa: PLC0415  for few loops

    divided: DividedGroup | None = None
    for shape, own in uniformity.threads_of(found):
        loop = LoopThreads(values, shape)
        if _is_in_each(collectives, block, head):
            divided = _divided(loop.ends.end(head, ()), shape.n_threads)
        else:
            divided = loop.skipping(found, block, head, own.alive)
        if divided is None:
            return None
    return divided


def _is_in_each(collectives: FunctionCollectives, block: int, head: int) -> bool:
    """Whether each whole iteration of a loop runs a block."""
    graph = collectives.uniformity.values.graph
    latches = [each for each, to in graph.back_edges if to == head]
    return all(graph.dominators.dominates(block, each) for each in latches)


def _divided(end: LoopEnd, n_threads: int) -> DividedGroup | None:
    """Returns the first warp whose lanes do not leave together."""
    for first in range(0, n_threads if end.most is not None else 0, LANES):
        lanes = end.of_threads[first : first + LANES]
        last = max(lanes)
        missing = sum(1 << lane for lane, number in enumerate(lanes) if number < last)
        if missing:
            everyone = (1 << len(lanes)) - 1
            return DividedGroup(Level.WARP, everyone & ~missing, missing, len(lanes), first)
    return None
