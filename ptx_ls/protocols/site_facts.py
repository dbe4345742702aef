"""Follows states of protocols along the paths of a function.

A fact is a state that began at a site, such as an asynchronous load that nothing waited for. Facts
do not depend on each other: each is moved along all paths, and where paths meet, all of them are
kept. If all facts of one origin are wrong at a place, every path from there to the place is wrong.
"""

from __future__ import annotations

from bisect import bisect_left
from heapq import heappop, heappush
from typing import TYPE_CHECKING, Final

from ptx_ls.protocols.site_steps import ENTRY, SiteFact

if TYPE_CHECKING:
    from collections.abc import Iterable

    from ptx_ls.document.coordinates import FunctionPosition
    from ptx_ls.protocols.graph_view import SuccessorGraph
    from ptx_ls.protocols.site_steps import SiteSteps

_MAX_STEPS: Final = 50_000
"""Number of facts that are moved past sites before a search is given up.

The kernels of compilers and libraries need up to a thousand.
"""


class StepLimit:
    """The number of steps that several searches in a function may take together."""

    def __init__(self, n_steps: int = _MAX_STEPS) -> None:
        self._left = n_steps

    def take(self, n_steps: int) -> bool:
        """Takes some steps; returns whether there were enough."""
        self._left -= n_steps
        return not self.is_reached

    @property
    def is_reached(self) -> bool:
        """Whether there were not enough steps."""
        return self._left < 0


class SiteFacts:
    """The facts at each place of a function.

    Attributes:
        sites: the statements that change facts, in order.
        is_known: whether the facts are complete; if not, there are none.
    """

    def __init__(
        self,
        graph: SuccessorGraph,
        steps: SiteSteps,
        at_entry: Iterable[int] = (),
        *,
        limit: StepLimit | None = None,
    ) -> None:
        """Follows all facts.

        `at_entry`: the states that begin at the entry. `limit`: for searches that share one.
        """
        self.sites, self._graph, self._steps = steps.sites, graph, steps
        self._limit = StepLimit() if limit is None else limit
        self._entering: dict[int, int] = {}  # sets of facts, as in `SiteSteps`
        self._known: dict[int, list[int]] = {}
        self.is_known = self._follow([SiteFact(ENTRY, state) for state in at_entry])
        if not self.is_known:
            self._entering.clear()

    def _follow(self, first: Iterable[SiteFact]) -> bool:
        steps, successors = self._steps, self._graph.successors
        if not self._limit.take(len(self.sites)):
            return False
        waiting = {0: steps.bits_of(first)} if successors else {}
        for block in steps.in_block:
            if block in self._graph.reachable:
                begun = steps.begun(block)
                for to in successors[block]:
                    waiting[to] = waiting.get(to, 0) | begun
        order = sorted(waiting)  # blocks are mostly in the order of the text, so few are seen twice
        while order:
            block = heappop(order)
            known = self._entering.get(block, 0)
            new = waiting.pop(block) & ~known
            self._entering[block] = known | new
            if not self._limit.take(new.bit_count() * (1 + len(steps.in_block.get(block, ())))):
                return False
            moved = steps.after_block(block, new) if new else 0
            for to in successors[block] if moved else ():
                if to not in waiting:
                    waiting[to] = moved
                    heappush(order, to)
                else:
                    waiting[to] |= moved
        return True

    def before(self, number: int) -> set[SiteFact]:
        """Returns the facts before a site."""
        site = self.sites[number]
        return self.at(site.block, site.found.start)

    def at(self, block: int, place: FunctionPosition) -> set[SiteFact]:
        """Returns the facts before a place in a block."""
        numbers = self._steps.in_block.get(block, ())
        before = bisect_left(numbers, place, key=lambda number: self.sites[number].found.start)
        return self._steps.facts_in(self._within(block)[before])

    def after_block(self, block: int) -> set[SiteFact]:
        """Returns the facts at the end of a block."""
        return self._steps.facts_in(self._within(block)[-1])

    def _within(self, block: int) -> list[int]:
        """Returns the facts before each site of a block, and at its end."""
        found = self._known.get(block)
        if found is None:
            facts = self._entering.get(block, 0)
            found = [facts]
            for number in self._steps.in_block.get(block, ()):
                facts = self._steps.after_site(number, facts)
                found.append(facts)
            self._known[block] = found
        return found


def states_by_origin(facts: Iterable[SiteFact]) -> dict[int, set[int]]:
    """Returns the states that what began at each origin may have."""
    found: dict[int, set[int]] = {}
    for fact in facts:
        found.setdefault(fact.origin, set()).add(fact.state)
    return found
