"""Finds out which threads of a launch run a statement in each iteration of a loop."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from ptx_ls.lint.collectives.function_collectives import DividedGroup
from ptx_ls.threads.events.sites import EventSite
from ptx_ls.threads.happens_before.reaching_threads import ReachFinder
from ptx_ls.threads.launch_example.iterations import iterations_of
from ptx_ls.threads.launch_example.launch import LaunchExample
from ptx_ls.threads.launch_example.loop_ends import LoopEnds
from ptx_ls.threads.launch_example.thread_numbers import ThreadNumbers
from ptx_ls.threads.uniformity.levels import LANES, Level

if TYPE_CHECKING:
    from ptx_ls.semantics.symbols.region_text import Found
    from ptx_ls.threads.uniformity.launches import BlockShape
    from ptx_ls.values.function_values import FunctionValues

_MAX_ITERATIONS: Final = 12
"""Number of iterations that are examined."""


class LoopThreads:
    """The threads of a launch that run the iterations of loops."""

    def __init__(self, values: FunctionValues, shape: BlockShape) -> None:
        launch = LaunchExample(shape.sizes, is_stated=shape.is_stated)
        numbers = ThreadNumbers(values, launch)
        self._n_threads = launch.n_threads
        self.ends = LoopEnds(values, launch, numbers)
        numbers.last_iteration = self.ends.last
        self._reach = ReachFinder(values, launch, numbers, self.ends)

    def skipping(self, found: Found, block: int, head: int, alive: int) -> DividedGroup | None:
        """Returns a warp of which some lanes skip a statement in an iteration that all run.

        `block`: the block of the statement. `head`: that at which the loop starts. `alive`: the
        threads that have not exited, as bits.
        """
        site = EventSite(found, None, block)
        n_sure = self.ends.end(head, ()).fewest
        for number in range(min(n_sure, _MAX_ITERATIONS)):
            reached = self._reach.threads(site, iterations_of({head: number}))
            if reached is None or reached.assumptions or reached.needs_data:
                return None
            for first in range(0, self._n_threads, LANES):
                lanes = range(first, min(first + LANES, self._n_threads))
                running = sum(1 << each - first for each in lanes if each in reached.threads)
                missing = sum(1 << each - first for each in lanes if alive >> each & 1) & ~running
                if running and missing:
                    return DividedGroup(Level.WARP, running, missing, len(lanes), first)
        return None
