"""Follows the operations of a function through the states of a protocol."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from ptx_ls.protocols.definition import MAX_AGE, HeldState, ProtocolEvent
from ptx_ls.protocols.site_facts import SiteFacts
from ptx_ls.protocols.site_steps import DONE, ENTRY, SiteFact, SiteSteps

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Sequence

    from ptx_ls.document.coordinates import FunctionPosition
    from ptx_ls.protocols.definition import Protocol
    from ptx_ls.protocols.graph_view import SuccessorGraph
    from ptx_ls.protocols.site_facts import StepLimit
    from ptx_ls.threads.events.sites import EventSite

    EventsOf = Callable[[int, int], tuple[ProtocolEvent, ...]]

UNKNOWN: Final = ProtocolEvent("unknown")
"""An event that may do anything, such as a call: nothing is reported of an operation after it."""
UNRELATED: Final = ProtocolEvent("unrelated")
"""An event of another operation, which leaves all states as they are."""
_AGES: Final = MAX_AGE + 1


class ProtocolSteps:
    """How the sites of a function change the states of operations, on any paths.

    Attributes:
        kept: the number of each site that changes states; `ENTRY` for `ENTRY`.
        steps: the steps of these sites.
        at_entry: the states that begin with the function.
    """

    def __init__(
        self,
        protocol: Protocol,
        sites: Sequence[EventSite],
        origins: Collection[int],
        events_of: EventsOf,
    ) -> None:
        """Describes the steps.

        `origins`: the numbers of the sites where operations begin; `ENTRY` for one that begins with
        the function. `events_of`: the events of a site for an operation, by their numbers; whether
        a site has any does not depend on the operation.
        """
        self.sites, self._protocol = sites, protocol
        self._names = [*protocol.states]
        self._known: dict[tuple[int, tuple[ProtocolEvent, ...]], tuple[int, ...]] = {}
        start, begun = self._number(HeldState(protocol.start)), frozenset(origins)
        sample = min(begun, default=ENTRY)
        kept = [
            number for number in range(len(sites)) if number in begun or events_of(sample, number)
        ]
        self.kept = {ENTRY: ENTRY, **dict(enumerate(kept))}

        def begins(index: int) -> int | None:
            return start if kept[index] in begun else None

        def after(fact: SiteFact, index: int) -> Sequence[int]:
            return self._after(fact.state, events_of(self.kept[fact.origin], kept[index]))

        self.at_entry = [start] if ENTRY in begun else []
        self.steps = SiteSteps([sites[number] for number in kept], begins, after)

    def _number(self, held: HeldState) -> int:
        return self._names.index(held.name) * _AGES + held.age

    def held(self, state: int) -> HeldState:
        """Returns the state that a number means."""
        return HeldState(self._names[state // _AGES], state % _AGES)

    def _after(self, state: int, events: tuple[ProtocolEvent, ...]) -> Sequence[int]:
        if not events or state == DONE:
            return (state,)
        key = state, events
        if key not in self._known:
            held = {self.held(state)}
            for event in events:
                held = {each for one in held for each in self._protocol.after(one, event)}
            known = (DONE,) if UNKNOWN in events else tuple(map(self._number, held))
            self._known[key] = known
        return self._known[key]


class ProtocolFacts:
    """The states of operations at each place of a function.

    `limit`: for searches that share one.
    """

    def __init__(
        self, graph: SuccessorGraph, steps: ProtocolSteps, limit: StepLimit | None = None
    ) -> None:
        self._steps = steps
        self._known: dict[int, dict[int, set[HeldState]]] = {}
        self._facts = SiteFacts(graph, steps.steps, steps.at_entry, limit=limit)

    @property
    def is_known(self) -> bool:
        """Whether all paths could be followed; if not, there are no facts."""
        return self._facts.is_known

    def before(self, number: int) -> dict[int, set[HeldState]]:
        """Returns the states of each operation before a site, if all of them are known."""
        if number not in self._known:
            site = self._steps.sites[number]
            self._known[number] = self.at(site.block, site.found.start)
        return self._known[number]

    def after_block(self, block: int) -> dict[int, set[HeldState]]:
        """Returns the states of each operation at the end of a block, if all are known."""
        return self._by_origin(self._facts.after_block(block))

    def at(self, block: int, place: FunctionPosition) -> dict[int, set[HeldState]]:
        """Returns the states of each operation at a place, if all are known."""
        return self._by_origin(self._facts.at(block, place))

    def _by_origin(self, facts: set[SiteFact]) -> dict[int, set[HeldState]]:
        found: dict[int, set[HeldState]] = {}
        unknown = {each.origin for each in facts if each.state == DONE}
        for each in facts:
            if each.origin not in unknown:
                origin = self._steps.kept[each.origin]
                found.setdefault(origin, set()).add(self._steps.held(each.state))
        return found
