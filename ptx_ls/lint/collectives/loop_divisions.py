"""Finds barriers in loops that lanes of a warp leave in different iterations."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ptx_ls.lint.collectives.function_collectives import DividedGroup
from ptx_ls.threads.happens_before.launch_example import launch_examples
from ptx_ls.threads.happens_before.loop_ends import LoopEnds
from ptx_ls.threads.happens_before.thread_numbers import ThreadNumbers
from ptx_ls.threads.uniformity.levels import LANES, Level

if TYPE_CHECKING:
    from ptx_ls.lint.collectives.function_collectives import FunctionCollectives
    from ptx_ls.semantics.symbols.region_text import Found
    from ptx_ls.threads.happens_before.loop_ends import LoopEnd


def loop_division(collectives: FunctionCollectives, found: Found) -> DividedGroup | None:
    """Returns a warp of which some lanes leave a loop around a statement before others.

    Only for kernels that state the shape of their blocks, and statements that each iteration runs.
    """
    uniformity = collectives.uniformity
    values = uniformity.values
    bounds = values.given.bounds
    block = values.graph.number_at(found.start)
    if block is None or block < 0 or bounds.threads is None or not values.given.is_kernel:
        return None
    head = values.graph.loop_forest.innermost(block)
    if head < 0 or uniformity.surely(found) >= Level.WARP:
        return None
    if uniformity.guard_of(found) is not None or not _is_in_each(collectives, block, head):
        return None
    (launch,) = launch_examples(bounds, 1)
    numbers = ThreadNumbers(values, launch)
    ends = LoopEnds(values, launch, numbers)
    numbers.last_iteration = ends.last
    return _divided(ends.end(head, ()), launch.n_threads)


def _is_in_each(collectives: FunctionCollectives, block: int, head: int) -> bool:
    """Whether each whole iteration of a loop runs a block."""
    graph = collectives.uniformity.values.graph
    if graph.loop_forest.depth(head) != 1:
        return False
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
