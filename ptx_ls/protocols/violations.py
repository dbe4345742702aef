"""Finds where the statements of a function break a protocol.

An operation begins at a site, or with the function. The events of later sites move it from state to
state; an event that is wrong in all states that the operation may have is a violation.
"""

from __future__ import annotations

from functools import cached_property, partial
from typing import TYPE_CHECKING, Final

from ptx_ls.protocols.definition import ProtocolEvent, Sureness
from ptx_ls.protocols.graph_view import GraphView, closing_edges, without_edges
from ptx_ls.protocols.protocol_facts import UNKNOWN, UNRELATED, ProtocolFacts, ProtocolSteps
from ptx_ls.protocols.site_facts import StepLimit
from ptx_ls.protocols.site_steps import ENTRY
from ptx_ls.source.named_tuple import NamedTuple

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
    from collections.abc import Set as AbstractSet

    from ptx_ls.flow.graph import FlowGraph
    from ptx_ls.protocols.definition import HeldState, Misuse, Protocol
    from ptx_ls.protocols.participants import Participants
    from ptx_ls.threads.events.sites import EventSite

    Edges = frozenset[tuple[int, int]]
    States = Mapping[int, AbstractSet[HeldState]]

END: Final = "end"
"""The event at the end of the function."""
_RETURNS: Final = ("ret", "exit")
_MAX_WORK: Final = 200_000
"""Number of operations times the number of sites up to which operations are followed."""


class ProtocolViolation(NamedTuple):
    """An event that is wrong on all paths from where an operation begins.

    Attributes:
        misuse: what is wrong.
        origin: the site where the operation begins, or `ENTRY`.
        number: the site of the event; -1 for the end of the function.
    """

    misuse: Misuse
    origin: int
    number: int


class ProtocolRun:
    """The operations of one protocol in a function.

    `origins`: the sites where operations begin. `events`: the events of each site. `relates`:
    whether a site, the second one, is about the operation that begins at the first.
    `is_of_thread`: whether only the thread that begins an operation can break the protocol.

    `kept`: the sites that have events, or begin operations.
    """

    def __init__(  # noqa: PLR0913  each is another part of a run
        self,
        protocol: Protocol,
        graph: FlowGraph,
        sites: Sequence[EventSite],
        origins: Collection[int],
        events: Sequence[tuple[ProtocolEvent, ...]],
        *,
        participants: Participants,
        relates: Callable[[int, int], bool] = lambda _, __: True,
        is_of_thread: bool = True,
    ) -> None:
        self.protocol, self.sites, self.events = protocol, sites, events
        self._graph = graph
        self._origins = frozenset(
            each for each in origins if each == ENTRY or sites[each].block >= 0
        )
        self._participants, self._relates = participants, relates
        self._is_of_thread = is_of_thread
        self.kept = [
            number
            for number, site in enumerate(sites)
            if site.block >= 0 and (events[number] or number in self._origins)
        ]
        if len(self._origins) * len(self.kept) > _MAX_WORK:
            self._origins = frozenset()
        self._places = {number: place for place, number in enumerate(self.kept)}
        self._facts: dict[tuple[Edges, int | None], ProtocolFacts] = {}
        self._steps_of: dict[int | None, ProtocolSteps] = {}
        self._limit = StepLimit()
        self._views: dict[Edges, GraphView] = {}
        self._met: dict[tuple[int, int], bool] = {}
        self._known: dict[tuple[int, int], tuple[ProtocolEvent, ...]] = {}

    def _run(self, edges: Edges, origin: int | None = None) -> ProtocolFacts:
        """Returns the states of all operations, or of one, on paths without some edges."""
        key = edges, origin
        if key not in self._facts:
            self._facts[key] = ProtocolFacts(self._view(edges), self._steps(origin), self._limit)
        return self._facts[key]

    def _steps(self, origin: int | None) -> ProtocolSteps:
        if origin not in self._steps_of:
            origins = self._origins if origin is None else {origin}
            places = [each if each == ENTRY else self._places[each] for each in origins]
            sites = [self.sites[each] for each in self.kept]
            self._steps_of[origin] = ProtocolSteps(self.protocol, sites, places, self._events_of)
        return self._steps_of[origin]

    def _view(self, edges: Edges) -> GraphView:
        if edges not in self._views:
            self._views[edges] = without_edges(self._graph, edges)
        return self._views[edges]

    def _events_of(self, origin: int, place: int) -> tuple[ProtocolEvent, ...]:
        key = origin, place
        if key not in self._known:
            self._known[key] = self._find_events(origin, place)
        return self._known[key]

    def _find_events(self, origin: int, place: int) -> tuple[ProtocolEvent, ...]:
        number = self.kept[place]
        own = self.events[number]
        if not own or UNKNOWN in own:
            return own
        first = origin if origin == ENTRY else self.kept[origin]
        if not self._relates(first, number):
            return (UNRELATED,)
        site = self.sites[number]
        if origin == ENTRY:
            is_certain = not site.is_guarded
        else:
            is_certain = self._participants.executes_too(self.sites[first], site)
        return tuple([each._replace(is_certain=is_certain) for each in own])

    def _states(self, facts: ProtocolFacts, block: int, number: int | None) -> States:
        """Returns the states of operations before a site, or at the end of a block."""
        found = facts.after_block(block) if number is None else facts.before(self._places[number])
        return {each if each == ENTRY else self.kept[each]: own for each, own in found.items()}

    def surely(
        self,
        block: int,
        number: int | None,
        is_wrong: Callable[[AbstractSet[str]], bool],
        left_out: AbstractSet[int] = frozenset(),
    ) -> Iterator[tuple[int, frozenset[str]]]:
        """Yields the operations whose states are wrong at a place whenever a thread gets there.

        The place is before a site, or at the end of a block. On the way, the thread passes it for
        the first time in each loop, or repeats one loop around it that begins the operation.
        `left_out`: the operations that do not matter.
        """
        for quick, exact in self._variants(block):
            for origin, states in self._states(self._run(quick), block, number).items():
                if origin not in left_out and is_wrong(_names(states)):
                    names = self.confirmed(exact, origin, block, number)
                    if names and is_wrong(names):
                        yield origin, names

    def perhaps(
        self, block: int, number: int | None, is_wrong: Callable[[AbstractSet[str]], bool]
    ) -> Iterator[tuple[Edges, set[int]]]:
        """Yields the operations that `surely` may yield, with edges for `confirmed`."""
        for quick, exact in self._variants(block):
            found = self._states(self._run(quick), block, number).items()
            yield exact, {origin for origin, states in found if is_wrong(_names(states))}

    def confirmed(
        self, edges: Edges, origin: int, block: int, number: int | None
    ) -> frozenset[str]:
        """Returns the states of an operation at a place, on paths without some edges."""
        facts = self._run(edges, origin)
        return _names(self._states(facts, block, number).get(origin, frozenset()))

    def _variants(self, block: int) -> Iterator[tuple[Edges, Edges]]:
        """Yields the edges that paths to a block do not take.

        First fewer paths than there are, which are the same for many blocks, then the exact ones.
        """
        back = frozenset(self._graph.back_edges)
        yield back, closing_edges(self._graph, block)
        for loop in self._graph.loops_around(block):
            if not self._beginning.isdisjoint(loop.blocks):
                kept = frozenset(each for each in back if each[1] != loop.head)
                yield kept, closing_edges(self._graph, block, loop.head)

    @cached_property
    def _beginning(self) -> frozenset[int]:
        """The blocks in which operations begin."""
        return frozenset(self.sites[each].block for each in self._origins if each != ENTRY)

    def violations(self) -> Iterator[ProtocolViolation]:
        """Yields the first violation of each operation, and those at the end of the function."""
        wrong, done = {each.event for each in self.protocol.misuses}, set[int]()
        for number in self.kept:
            for name in {each.name for each in self.events[number]} & wrong:
                for found in self._at(name, number, done):
                    done.add(found.origin)
                    yield found
        if END in wrong:
            yield from self._at_end()

    def _at(self, event: str, number: int, done: AbstractSet[int]) -> Iterator[ProtocolViolation]:
        """Yields the violations by an event of a site."""
        block = self.sites[number].block
        for origin, names in self.surely(block, number, partial(self._is_wrong, event), done):
            is_about = origin in (ENTRY, number) or self._relates(origin, number)
            if is_about and origin not in done and self._is_met(origin, number):
                yield ProtocolViolation(self._misuse(event, names), origin, number)

    def _is_wrong(self, event: str, names: AbstractSet[str]) -> bool:
        return self.protocol.judge(event, names) is Sureness.PROVEN

    def _misuse(self, event: str, names: AbstractSet[str]) -> Misuse:
        return next(
            each for each in self.protocol.misuses if each.event == event and each.states & names
        )

    def _is_met(self, origin: int, number: int) -> bool:
        """Whether some thread that begins an operation surely gets to a later site.

        If neither of the two always runs with the other, their conditions may exclude each other.
        """
        if origin == ENTRY:
            return True
        key = origin, number
        if key not in self._met:
            self._met[key] = self._find_met(self.sites[origin], self.sites[number])
        return self._met[key]

    def _find_met(self, first: EventSite, second: EventSite) -> bool:
        graph, who = self._graph, self._participants
        one, other = who.threads(first), who.threads(second)
        if one is not None and other is not None:
            if self._is_of_thread and not one.threads & other.threads:
                return False
            if who.is_exact(first) and who.is_exact(second):
                return True
        dominates = graph.dominators.dominates
        is_together = (
            dominates(first.block, second.block)
            or graph.post_dominators.dominates(second.block, first.block)
            or (
                dominates(second.block, first.block)
                and any(second.block in each.blocks for each in graph.loops_around(first.block))
            )
        )
        is_free = not first.is_guarded or not self._is_of_thread
        return is_together and (is_free or who.executes_too(first, second))

    def _at_end(self) -> Iterator[ProtocolViolation]:
        """Yields the operations that are wrong at all ends of the function that they get to."""
        if any(UNKNOWN in each for each in self.events):
            return
        ended: dict[int, set[str]] = {}
        facts = self._run(frozenset())
        for block, opcode in self._graph.leaves.items():
            if opcode in _RETURNS:
                for origin, states in self._states(facts, block, None).items():
                    ended.setdefault(origin, set()).update(_names(states))
        for origin, names in ended.items():
            if self._is_wrong(END, names):
                yield ProtocolViolation(self._misuse(END, names), origin, -1)


def _names(states: AbstractSet[HeldState]) -> frozenset[str]:
    return frozenset(each.name for each in states)
