"""Follows asynchronous operations that complete in groups: which wait covers which operation.

Unlike the rules, this also follows earlier executions of an operation in a loop, because a pipeline
waits for the copies of an earlier iteration.
"""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING, Final

from ptx_ls.protocols.batches import first_of_batch
from ptx_ls.protocols.definition import MAX_AGE
from ptx_ls.protocols.site_facts import SiteFacts, states_by_origin
from ptx_ls.protocols.site_steps import DONE, ENTRY, SiteFact, SiteSteps
from ptx_ls.source.named_tuple import NamedTuple
from ptx_ls.threads.events.sites import number_of

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence
    from collections.abc import Set as AbstractSet

    from ptx_ls.protocols.protocol_sites import ProtocolSites

WITHOUT_COMMIT: Final = frozenset({"tcgen05.ld", "tcgen05.st"})
"""Mechanisms whose operations need no commit before a wait."""
_COUNTED: Final = frozenset({"cp.async", "bulk", "wgmma"})
"""Mechanisms whose waits leave a number of groups in flight."""
_OPEN: Final = 0
"""The state of an operation in an open group; that of a committed one is 1 plus its age."""
_RETURNS: Final = ("ret", "exit")
_MAX_WORK: Final = 200_000
"""Number of operations times the number of sites up to which operations are followed."""
_MAX_COUNT: Final = MAX_AGE


class Completed(NamedTuple):
    """An operation that a wait covers.

    `is_all`: whether it is complete after the wait on all paths, in all iterations.
    """

    number: int
    is_all: bool


class GroupChains:
    """The operations of one mechanism in a function, with commits and waits.

    Attributes:
        of: the mechanism, as `completion` of an instruction.
        operations: the sites where operations begin.
        commits, waits: the sites that close groups, and those that wait for them.
    """

    def __init__(self, sites: ProtocolSites, of: str, waiting: Iterable[str] = ("wait",)) -> None:
        """Finds the sites. `waiting`: the acts that count as a wait."""
        self.of, self._sites = of, sites
        self.operations = sites.completing(of)
        self.commits = frozenset(sites.of_action(f"commit {of}"))
        self.waits = frozenset(sites.of_action(*(f"{each} {of}" for each in waiting)))
        tracking = f"mbarrier track {of}", f"mbarrier track uncounted {of}"
        self.tracking = frozenset(sites.of_action(*tracking))
        self._waiting = frozenset(waiting)
        opaque = {each for each in range(len(sites.sites)) if sites.is_opaque(each)}
        numbers = {*self.operations, *self.commits, *self.waits, *self.tracking, *opaque}
        self._opaque = opaque
        self._kept = sorted(each for each in numbers if sites.sites[each].block >= 0)
        self._places = {number: place for place, number in enumerate(self._kept)}
        self._left = {each: self._amount(each) for each in self.waits}
        self._max_age = _MAX_COUNT if self.waits else 1  # without a wait, ages do not matter

    def _amount(self, number: int) -> int | None:
        """Returns the number of groups that a wait leaves; None if it is unknown."""
        for sync in self._sites.syncs(number):
            if sync.of == self.of and sync.action in self._waiting:
                if sync.argument:
                    return number_of(self._sites.values, self._sites.sites[number], sync.argument)
                return sync.amount or 0
        return None

    @cached_property
    def _firsts(self) -> dict[int, int]:
        """The first operation of the batch of each, whose states are therefore the same."""
        sites, who = self._sites.sites, self._sites.participants
        is_guarded = any(sites[each].is_guarded for each in (*self.commits, *self.waits))

        def is_together(first: int, number: int) -> bool:
            one, other = sites[self._kept[first]], sites[self._kept[number]]
            is_same = one.block == other.block
            return is_same and (not is_guarded or who.executes_too(one, other))

        places = [self._places[each] for each in self.operations if each in self._places]
        found = first_of_batch(places, is_together)
        return {self._kept[place]: self._kept[first] for place, first in found.items()}

    @cached_property
    def _facts(self) -> SiteFacts | None:
        """The states of operations on all paths; None if there are too many."""
        firsts = {*self._firsts.values()}
        if len(firsts) * len(self._kept) > _MAX_WORK:
            return None
        start = 1 if self.of in WITHOUT_COMMIT else _OPEN
        steps = SiteSteps(
            [self._sites.sites[each] for each in self._kept],
            lambda place: start if self._kept[place] in firsts else None,
            self._after,
            keeps_earlier=True,
        )
        found = SiteFacts(self._sites.values.graph, steps)
        return found if found.is_known else None

    def _after(self, fact: SiteFact, place: int) -> Iterator[int]:
        number, state = self._kept[place], fact.state
        if state == DONE or number in self._opaque:
            yield DONE
            return
        states = {min(state + 1, self._max_age) if number in self.commits else state}
        if number in self.waits:
            states = {each for each in states if not self._is_covered(each, number)}
        if (number in self.commits or number in self.waits) and not self._is_certain(
            self._kept[fact.origin], number
        ):
            states.add(state)
        yield from states

    def _is_covered(self, state: int, wait: int) -> bool:
        left = self._left[wait]
        return state > _OPEN and left is not None and state > left

    def _is_certain(self, origin: int, number: int) -> bool:
        """Whether a thread that began an operation executes a site if it gets there."""
        one, other = self._sites.sites[origin], self._sites.sites[number]
        return not other.is_guarded or self._sites.participants.executes_too(one, other)

    def _before(self, number: int) -> dict[int, set[int]]:
        """Returns the states of the operations before a site, by the first of each batch."""
        if self._facts is None or number not in self._places:
            return {}
        found = states_by_origin(self._facts.before(self._places[number]))
        return {self._kept[each]: states for each, states in found.items()}

    def _members(self, first: int) -> list[int]:
        return [each for each, own in self._firsts.items() if own == first]

    @cached_property
    def _closed(self) -> dict[int, list[int]]:
        """The commits, and the `cp.async.mbarrier.arrive`, that may get each batch."""
        found: dict[int, list[int]] = {}
        for number in sorted(self.commits | self.tracking):
            for first, states in self._before(number).items():
                is_tracked = number in self.tracking and states - {DONE}
                if _OPEN in states or is_tracked:
                    found.setdefault(first, []).append(number)
        return found

    @cached_property
    def _awaited(self) -> dict[int, list[int]]:
        """The waits that may complete each batch."""
        found: dict[int, list[int]] = {}
        for number in sorted(self.waits):
            for first, states in self._before(number).items():
                if any(self._is_covered(each, number) for each in self._closed_at(number, states)):
                    found.setdefault(first, []).append(number)
        return found

    def _closed_at(self, number: int, states: AbstractSet[int]) -> AbstractSet[int]:
        """Returns states as a wait finds them that may close a group first."""
        if number not in self.commits:
            return states
        return {min(each + 1, self._max_age) for each in states if each != DONE}

    def commits_of(self, operation: int) -> Sequence[int]:
        """Returns the sites that may close the group of an operation."""
        return self._closed.get(self._firsts.get(operation, -1), ())

    def waits_of(self, operation: int) -> Sequence[int]:
        """Returns the waits that may be the first to include an operation."""
        return self._awaited.get(self._firsts.get(operation, -1), ())

    @cached_property
    def _at_ends(self) -> Mapping[int, set[int]]:
        """The states that batches may have at the ends of the function."""
        facts, graph = self._facts, self._sites.values.graph
        found: dict[int, set[int]] = {}
        for block, opcode in graph.leaves.items():
            if opcode in _RETURNS and facts is not None:
                for each, states in states_by_origin(facts.after_block(block)).items():
                    found.setdefault(self._kept[each], set()).update(states)
        return found

    def is_closed(self, operation: int) -> bool:
        """Whether each path from an operation to the end closes its group."""
        states = self._at_ends.get(self._firsts[operation], set())
        return bool(self.commits_of(operation)) and states.isdisjoint((_OPEN, DONE))

    def is_awaited(self, operation: int) -> bool:
        """Whether each path from an operation to the end has a wait that covers it."""
        return bool(self.waits_of(operation)) and self._firsts[operation] not in self._at_ends

    def completed_by(self, wait: int) -> list[Completed]:
        """Returns the operations that a wait may be the first to cover, in order."""
        found = []
        for first, states in self._before(wait).items():
            if wait not in self._awaited.get(first, ()):
                continue
            closed = self._closed_at(wait, states)
            is_covered = all(self._is_covered(each, wait) for each in closed)
            is_all = is_covered and DONE not in states and self._is_certain(first, wait)
            found += [Completed(each, is_all) for each in self._members(first)]
        return sorted(found)

    def closed_by(self, commit: int) -> list[int]:
        """Returns the operations whose group a commit may close, in order."""
        return sorted(
            each
            for first, commits in self._closed.items()
            if commit in commits
            for each in self._members(first)
        )

    @cached_property
    def _counts(self) -> SiteFacts | None:
        """The number of groups that may be in flight; only of kernels, which begin without any."""
        if not self._sites.is_kernel or self._opaque or self.of not in _COUNTED:
            return None
        sites = [self._sites.sites[each] for each in self._kept]
        graph = self._sites.values.graph
        found = SiteFacts(graph, SiteSteps(sites, lambda _: None, self._counted), [0])
        return found if found.is_known else None

    def _counted(self, fact: SiteFact, place: int) -> Iterator[int]:
        number, count = self._kept[place], fact.state
        if number in self.commits:
            count = min(count + 1, _MAX_COUNT)
        if number in self.waits:
            left = self._left[number]
            count = count if left is None else min(count, left)
        yield count
        if self._sites.sites[number].is_guarded and count != fact.state:
            yield fact.state

    def in_flight_after(self, number: int) -> range | None:
        """Returns how many groups may be in flight after a commit or wait; None if unknown.

        A range from the fewest to the most on any path, as if no group completed by itself.
        """
        if self._counts is None or number not in self._places:
            return None
        place = self._places[number]
        before = states_by_origin(self._counts.before(place)).get(ENTRY, set())
        after = {count for each in before for count in self._counted(SiteFact(ENTRY, each), place)}
        if not after or max(after) >= _MAX_COUNT:
            return None
        return range(min(after), max(after) + 1)

    def most_after(self, wait: int) -> int | None:
        """Returns how many groups may at most be in flight after a wait; None if unknown."""
        pending = self.in_flight_after(wait)
        if pending is not None:
            return pending.stop - 1
        return self._left.get(wait) if self.of in _COUNTED else None

    def oldest_after(self, commit: int) -> list[int]:
        """Returns the operations in the oldest group that is in flight after a commit, in order."""
        pending = self.in_flight_after(commit)
        if pending is None or len(pending) != 1:
            return []
        wanted = pending.start - 1  # the state of the oldest group before the commit
        return sorted(
            each
            for first, states in self._before(commit).items()
            if wanted in states
            for each in self._members(first)
        )
