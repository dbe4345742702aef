"""Follows states of protocols along the paths of a function.

A fact is a state that began at a site, such as an asynchronous load that nothing waited for. Facts
do not depend on each other: each is moved along all paths, and where paths meet, all of them are
kept. If all facts of one origin are wrong at a place, every path from there to the place is wrong.
"""

from __future__ import annotations

from bisect import bisect_left
from typing import TYPE_CHECKING, Final

from ptx_ls.source.named_tuple import NamedTuple

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence
    from collections.abc import Set as AbstractSet

    from ptx_ls.document.coordinates import FunctionPosition
    from ptx_ls.protocols.graph_view import SuccessorGraph
    from ptx_ls.threads.events.sites import EventSite

ENTRY: Final = -1
"""The origin of a state in which the function begins."""
DONE: Final = -1
"""The state of what is completed."""
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


class SiteFact(NamedTuple):
    """A state that a thread may be in.

    `origin`: the number of the site where it began, or `ENTRY`. `state`: a number whose meaning the
    protocol decides; `DONE` if it is over.
    """

    origin: int
    state: int


class SiteFacts:
    """The facts at each place of a function.

    Attributes:
        sites: the statements that change facts, in order.
        is_known: whether the facts are complete; if not, there are none.
    """

    def __init__(  # noqa: PLR0913  each is another part of a search
        self,
        graph: SuccessorGraph,
        sites: Sequence[EventSite],
        begins: Callable[[int], int | None],
        after: Callable[[SiteFact, int], Iterable[int]],
        at_entry: Iterable[int] = (),
        *,
        keeps_earlier: bool = False,
        limit: StepLimit | None = None,
    ) -> None:
        """Follows all facts.

        `begins`: the state that begins at a site. `after`: the states that a fact may have after
        a site. `at_entry`: the states that begin at the entry. `keeps_earlier`: whether a fact goes
        on when its origin is executed again. `limit`: for searches that share one.
        """
        self.sites, self._graph = sites, graph
        self._keeps_earlier = keeps_earlier
        self._begins, self._after = begins, after
        self._limit = StepLimit() if limit is None else limit
        self._in_block: dict[int, list[int]] = {}
        for number, site in enumerate(sites):
            if site.block >= 0:
                self._in_block.setdefault(site.block, []).append(number)
        self._starts = {
            block: [sites[number].found.start for number in numbers]
            for block, numbers in self._in_block.items()
        }
        self._entering: dict[int, set[SiteFact]] = {}
        self._known: dict[int, list[set[SiteFact]]] = {}
        self.is_known = self._follow([SiteFact(ENTRY, state) for state in at_entry])
        if not self.is_known:
            self._entering.clear()

    def _follow(self, first: Iterable[SiteFact]) -> bool:
        if not self._limit.take(len(self.sites)):
            return False
        waiting = [(0, fact) for fact in first if self._graph.successors]
        for block, numbers in self._in_block.items():
            if block in self._graph.reachable:
                own = self._through(numbers, ())
                waiting += [(to, each) for to in self._graph.successors[block] for each in own]
        while waiting:
            block, fact = waiting.pop()
            known = self._entering.setdefault(block, set())
            if fact in known:
                continue
            known.add(fact)
            numbers = self._in_block.get(block, [])
            if not self._limit.take(1 + len(numbers)):
                return False
            moved = self._moved({fact}, numbers)
            waiting += [(to, each) for to in self._graph.successors[block] for each in moved]
        return True

    def _through(self, numbers: Iterable[int], facts: Iterable[SiteFact]) -> set[SiteFact]:
        """Returns the facts after some sites, with those that begin there."""
        found = set(facts)
        for number in numbers:
            found = self._moved(found, (number,))
            state = self._begins(number)
            if state is not None:
                found.add(SiteFact(number, state))
        return found

    def _moved(self, facts: AbstractSet[SiteFact], numbers: Iterable[int]) -> set[SiteFact]:
        """Returns some facts after some sites.

        A fact ends where its origin is executed again, unless earlier ones are kept.
        """
        found = set(facts)
        for number in numbers:
            found = {
                SiteFact(fact.origin, state)
                for fact in found
                if self._keeps_earlier or fact.origin != number
                for state in self._after(fact, number)
            }
        return found

    def before(self, number: int) -> set[SiteFact]:
        """Returns the facts before a site."""
        site = self.sites[number]
        return self.at(site.block, site.found.start)

    def at(self, block: int, place: FunctionPosition) -> set[SiteFact]:
        """Returns the facts before a place in a block."""
        return self._within(block)[bisect_left(self._starts.get(block, []), place)]

    def after_block(self, block: int) -> set[SiteFact]:
        """Returns the facts at the end of a block."""
        return self._within(block)[-1]

    def _within(self, block: int) -> list[set[SiteFact]]:
        """Returns the facts before each site of a block, and at its end."""
        found = self._known.get(block)
        if found is None:
            facts = set(self._entering.get(block, ()))
            found = [facts]
            for number in self._in_block.get(block, ()):
                facts = self._through((number,), facts)
                found.append(facts)
            self._known[block] = found
        return found


def states_by_origin(facts: Iterable[SiteFact]) -> dict[int, set[int]]:
    """Returns the states that what began at each origin may have."""
    found: dict[int, set[int]] = {}
    for fact in facts:
        found.setdefault(fact.origin, set()).add(fact.state)
    return found
