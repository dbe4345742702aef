"""How statements change states of protocols, whatever comes before and after them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from ptx_ls.source.named_tuple import NamedTuple

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Sequence

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

    Searches on several views of one graph take the same steps, so the results are kept. A set of
    facts is a number with a bit for each: most sites leave most facts as they are, and these are
    moved past a site all at once.

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
        self._facts: list[SiteFact] = []
        self._numbers: dict[SiteFact, int] = {}
        self._begun: dict[int, int] = {}
        self._past_site: dict[int, _Moves] = {}
        self._past_block: dict[int, _Moves] = {}

    def bits_of(self, facts: Iterable[SiteFact]) -> int:
        """Returns a set of facts."""
        found = 0
        for fact in facts:
            number = self._numbers.get(fact)
            if number is None:
                number = self._numbers[fact] = len(self._facts)
                self._facts.append(fact)
            found |= 1 << number
        return found

    def facts_in(self, bits: int) -> set[SiteFact]:
        """Returns the facts in a set."""
        return {self._facts[number] for number in _numbers_in(bits)}

    def begun(self, block: int) -> int:
        """Returns the facts at the end of a block that begin in it."""
        if block not in self._begun:
            found = 0
            for number in self.in_block.get(block, ()):
                found = self.after_site(number, found)
            self._begun[block] = found
        return self._begun[block]

    def after_block(self, block: int, facts: int) -> int:
        """Returns what facts are at the end of a block, without those that begin there."""
        numbers = self.in_block.get(block)
        if numbers is None:
            return facts
        known = self._past_block.get(block)
        if known is None:
            known = self._past_block[block] = _Moves()
        new = facts & ~known.all
        if new:
            kept = new if new & new - 1 else 0
            for number in numbers if kept else ():
                kept &= self._moves(number, kept).kept
            known.add_kept(kept)
            for each in _numbers_in(new & ~kept):
                moved = 1 << each
                for number in numbers:
                    moved = self._moved(number, moved)
                known.add(1 << each, moved)
        return known.of(facts)

    def after_site(self, number: int, facts: int) -> int:
        """Returns the facts after a site, with the one that begins there."""
        found, state = self._moved(number, facts), self._begins(number)
        return found if state is None else found | self.bits_of([SiteFact(number, state)])

    def _moved(self, number: int, facts: int) -> int:
        """Returns some facts after a site, without the one that begins there."""
        known = self._past_site.get(number)
        if known is None or facts & ~known.all:
            known = self._moves(number, facts)
        return known.of(facts) if facts & ~known.kept else facts

    def _moves(self, number: int, facts: int) -> _Moves:
        """Returns how a site moves at least some facts.

        A fact ends where its origin is executed again, unless earlier ones are kept.
        """
        known = self._past_site.get(number)
        if known is None:
            known = self._past_site[number] = _Moves()
        for each in _numbers_in(facts & ~known.all):
            fact = self._facts[each]
            is_kept = self._keeps_earlier or fact.origin != number
            states = (*self._after(fact, number),) if is_kept else ()
            if states == (fact.state,):
                known.add_kept(1 << each)
            else:
                moved = self.bits_of([SiteFact(fact.origin, state) for state in states])
                known.add(1 << each, moved)
        return known


class _Moves:
    """The results of moving some facts past a site or a block.

    `all`: these facts. `kept`: those that stay as they are. `changed`: for each of the others, what
    it becomes.
    """

    __slots__ = ("all", "changed", "kept")

    def __init__(self) -> None:
        self.all = self.kept = 0
        self.changed: dict[int, int] = {}

    def add(self, fact: int, moved: int) -> None:
        """Adds what one fact becomes."""
        if moved == fact:
            self.kept |= fact
        else:
            self.changed[fact] = moved
        self.all |= fact

    def add_kept(self, facts: int) -> None:
        """Adds facts that stay as they are."""
        self.kept |= facts
        self.all |= facts

    def of(self, facts: int) -> int:
        """Returns what some of the facts become."""
        found = facts & self.kept
        changed = facts ^ found
        while changed:
            lowest = changed & -changed
            found |= self.changed[lowest]
            changed ^= lowest
        return found


def _numbers_in(bits: int) -> Iterator[int]:
    """Yields the numbers in a set, in order."""
    while bits:
        lowest = bits & -bits
        yield lowest.bit_length() - 1
        bits ^= lowest
