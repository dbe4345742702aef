"""How statements change states of protocols, whatever comes before and after them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from ptx_ls.source.named_tuple import NamedTuple

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

    from ptx_ls.threads.events.sites import EventSite

ENTRY: Final = -1
"""The origin of a state in which the function begins."""
DONE: Final = -1
"""The state of what is completed."""


class SiteFact(NamedTuple):
    """A state that a thread may be in.

    `origin`: the number of the site where it began, or `ENTRY`. `state`: a number whose meaning the
    protocol decides; `DONE` if it is over.
    """

    origin: int
    state: int


class SiteSteps:
    """How sites change facts.

    Searches on several views of one graph take the same steps, so the results are kept.

    Attributes:
        sites: the statements that change facts, in order.
        in_block: the numbers of those in each block that has any.
    """

    def __init__(
        self,
        sites: Sequence[EventSite],
        begins: Callable[[int], int | None],
        after: Callable[[SiteFact, int], Iterable[int]],
        *,
        keeps_earlier: bool = False,
    ) -> None:
        """Describes the steps.

        `begins`: the state that begins at a site. `after`: the states that a fact may have after
        a site. `keeps_earlier`: whether a fact continues when its origin is executed again.
        """
        self.sites, self._begins, self._after = sites, begins, after
        self._keeps_earlier = keeps_earlier
        self.in_block: dict[int, list[int]] = {}
        for number, site in enumerate(sites):
            if site.block >= 0:
                self.in_block.setdefault(site.block, []).append(number)
        self._begun: dict[int, set[SiteFact]] = {}
        self._past_site: dict[int, dict[SiteFact, tuple[SiteFact, ...]]] = {}
        self._past_block: dict[int, dict[SiteFact, set[SiteFact]]] = {}

    def begun(self, block: int) -> set[SiteFact]:
        """Returns the facts at the end of a block that begin in it."""
        if block not in self._begun:
            found = set[SiteFact]()
            for number in self.in_block.get(block, ()):
                found = self.after_site(number, found)
            self._begun[block] = found
        return self._begun[block]

    def after_block(self, block: int, facts: set[SiteFact]) -> set[SiteFact]:
        """Returns what facts are at the end of a block, without those that begin there."""
        numbers = self.in_block.get(block)
        if numbers is None:
            return facts
        known, moved = self._past_block.setdefault(block, {}), set[SiteFact]()
        for fact in facts:
            found = known.get(fact)
            if found is None:
                found = {fact}
                for number in numbers:
                    found = self._moved(number, found)
                known[fact] = found
            moved |= found
        return moved

    def after_site(self, number: int, facts: set[SiteFact]) -> set[SiteFact]:
        """Returns the facts after a site, with the one that begins there."""
        found, state = self._moved(number, facts), self._begins(number)
        return found if state is None else found | {SiteFact(number, state)}

    def _moved(self, number: int, facts: set[SiteFact]) -> set[SiteFact]:
        """Returns some facts after a site; the same set if it changes none of them.

        A fact ends where its origin is executed again, unless earlier ones are kept.
        """
        known = self._past_site.setdefault(number, {})
        found, is_changed = list[SiteFact](), False
        for fact in facts:
            past = known.get(fact)
            if past is None:
                is_kept = self._keeps_earlier or fact.origin != number
                states = self._after(fact, number) if is_kept else ()
                past = known[fact] = tuple([SiteFact(fact.origin, state) for state in states])
            is_changed = is_changed or past != (fact,)
            found += past
        return set(found) if is_changed else facts
