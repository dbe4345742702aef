"""Finds waits in pipelined loops that also wait for groups of which later iterations need the data.

A loop copies for a later iteration if what it writes to shared memory is read there, but not in the
same iteration. A wait may then leave the groups of the iterations in between pending.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from ptx_ls.source.named_tuple import NamedTuple
from ptx_ls.threads.events.sites import address_of, number_of
from ptx_ls.threads.launch_example.iterations import iterations_of
from ptx_ls.threads.launch_example.launch import launch_examples
from ptx_ls.threads.launch_example.loop_ends import LoopEnds
from ptx_ls.threads.launch_example.thread_numbers import ThreadNumbers
from ptx_ls.values.affine import TermKind

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from ptx_ls.isa.memory_events import AccessEvent
    from ptx_ls.protocols.wait_sites import WaitSite, WaitSites
    from ptx_ls.semantics.symbols.region_text import Found
    from ptx_ls.semantics.symbols.symbols import Symbol
    from ptx_ls.threads.events.sites import EventSite
    from ptx_ls.threads.launch_example.launch import LaunchExample
    from ptx_ls.values.comparisons import HeldComparison
    from ptx_ls.values.function_values import FunctionValues

_OF: Final = "cp.async"
_SHARED: Final = "shared::cta"
_STEADY: Final = 1
"""The iteration that is compared with later ones: the first may be special."""
_MAX_DISTANCE: Final = 4
_MAX_COMPARED: Final = 32
"""Number of copies and reads of a loop that are evaluated."""

_Bytes = tuple["Symbol", frozenset[int]]
"""A variable, and bytes of it by their numbers."""


class DeepWait(NamedTuple):
    """A wait of a loop for more groups than needed.

    `n_pending`: how many groups may be pending after it. `distance`: after how many iterations the
    data of a copy is read first. `copy`: a copy of the loop.
    """

    wait: Found
    n_pending: int
    distance: int
    copy: Found


def deep_waits(waits: WaitSites) -> Iterator[DeepWait]:
    """Yields the waits of a function that wait for too many groups, in order."""
    for each in waits.waits.values():
        if each.of == _OF and waits.sites[each.number].block >= 0:
            found = _in_loop(waits, each)
            if found is not None:
                yield found


def _in_loop(waits: WaitSites, wait: WaitSite) -> DeepWait | None:
    """Returns a wait if it is in a loop and may leave more groups pending, or None."""
    site = waits.sites[wait.number]
    loop = next(waits.values.graph.loops_around(site.block), None)
    if loop is None:
        return None
    inside = [number for number, each in enumerate(waits.sites) if each.block in loop.blocks]
    own = [each for each in inside if each in waits.waits and waits.waits[each].of == _OF]
    commits = [each for each in inside if waits.commits(each, _OF) and each not in own]
    copies = [each for each in inside if waits.completes(each, _OF)]
    if len(commits) != 1 or own != [wait.number] or not copies:
        return None
    commit = waits.sites[commits[0]]
    if any(_comes_later(waits, waits.sites[each], commit) for each in copies):
        return None
    if not all(_is_always_run(waits, each, loop.head) for each in (commit, site)):
        return None
    reads = [*_reads(waits, inside)]
    distance = _distance(waits, loop.head, copies, reads)
    if distance is None:
        return None
    # Data that is read before the wait was awaited in the previous iteration.
    is_for_next = any(not _comes_later(waits, each, site) for each, _ in reads)
    n_pending = distance - _comes_later(waits, commit, site) - is_for_next
    if n_pending <= wait.n_pending:
        return None
    return DeepWait(site.found, n_pending, distance, waits.sites[copies[0]].found)


def _comes_later(waits: WaitSites, site: EventSite, other: EventSite) -> bool:
    """Whether a statement comes after another one, which each iteration executes, in a loop."""
    if site.block == other.block:
        return site.found.start > other.found.start
    return waits.values.graph.dominators.dominates(other.block, site.block)


def _is_always_run(waits: WaitSites, site: EventSite, head: int) -> bool:
    """Whether each iteration of a loop executes a statement."""
    graph = waits.values.graph
    latches = [each for each, to in graph.back_edges if to == head]
    dominates = graph.dominators.dominates
    return not site.is_guarded and all(dominates(site.block, each) for each in latches)


def _reads(
    waits: WaitSites, inside: Sequence[int]
) -> Iterator[tuple[EventSite, AccessEvent | None]]:
    """Yields what may read shared memory in a loop; without an event if that is unclear."""
    for number in inside:
        site = waits.sites[number]
        if site.known is None or any(each.action == "call" for each in site.known.events.syncs):
            yield site, None
            continue
        for event in site.known.events.accesses:
            if event.is_read and event.space == _SHARED:
                yield site, event if event.by == "address" else None
            elif event.is_read and event.space == "generic":
                yield site, None


def _distance(
    waits: WaitSites,
    head: int,
    copies: Sequence[int],
    reads: Sequence[tuple[EventSite, AccessEvent | None]],
) -> int | None:
    """Returns after how many iterations the data of a copy is read first; None if unknown."""
    if not reads or len(copies) + len(reads) > _MAX_COMPARED:
        return None
    places = IterationPlaces(waits.values, head)
    copied = [_written(places, waits.sites[each]) for each in copies]
    for distance in range(_MAX_DISTANCE + 1):
        is_read = False
        for site, event in reads:
            own = None if event is None else places.of(site, event, _STEADY + distance)
            if own is None:
                return None
            for each in copied:
                if each is None:
                    return None
                is_read |= own[0] == each[0] and not own[1].isdisjoint(each[1])
        if is_read:
            return distance
    return None


def _written(places: IterationPlaces, site: EventSite) -> _Bytes | None:
    """Returns what a copy writes in the iteration that is compared with later ones."""
    for event in site.known.events.accesses if site.known is not None else ():
        if event.is_write and event.space == _SHARED:
            return places.of(site, event, _STEADY)
    return None


class LoopAccess(NamedTuple):
    """Where the threads of a block access a variable in an iteration of a loop.

    `starts`: the first byte in each thread. `n_bytes`: how many bytes each thread accesses.
    """

    symbol: Symbol
    starts: Sequence[int]
    n_bytes: int

    def bytes_of(self, threads: Iterable[int]) -> frozenset[int]:
        """Returns the bytes that some threads access."""
        starts = {self.starts[each] for each in threads}
        return frozenset(it for each in starts for it in range(each, each + self.n_bytes))


class IterationPlaces:
    """The bytes that the threads of a block access in an iteration of a loop."""

    def __init__(
        self, values: FunctionValues, head: int, launch: LaunchExample | None = None
    ) -> None:
        """`launch`: the threads of the block; None for the first example."""
        self._values, self._head = values, head
        self.launch = launch or launch_examples(values.given.bounds, 1)[0]
        self._numbers = ThreadNumbers(values, self.launch)
        self._ends = LoopEnds(values, self.launch, self._numbers)

    def of(self, site: EventSite, event: AccessEvent, iteration: int) -> _Bytes | None:
        """Returns what all threads touch with an access; None if that is unknown."""
        found = self.access(site, event, iteration)
        return found and (found.symbol, found.bytes_of(range(self.launch.n_threads)))

    @property
    def last_iteration(self) -> int | None:
        """The number of the last iteration, from 0; None if that is unknown."""
        return self._ends.end(self._head, ()).most

    @property
    def staying(self) -> tuple[HeldComparison, ...]:
        """The comparisons that hold if a thread stays in the loop; none if that is unclear."""
        return self._ends.test(self._head)

    def access(
        self, site: EventSite, event: AccessEvent, iteration: int, least: int = 0
    ) -> LoopAccess | None:
        """Returns where each thread accesses memory; None if that is unknown.

        `least`: the number of bytes of an access of unknown size.
        """
        form = address_of(self._values, site, event.operand)
        base = form.base if form is not None else None
        if form is None or base is None or base.kind is not TermKind.SYMBOL:
            return None
        number = self._numbers.form(form, iterations_of({self._head: iteration}))
        size = event.n_bytes or (number_of(self._values, site, event.size) if event.size else least)
        if number is None or len(number.unknowns) != 1 or not size or base.symbol is None:
            return None
        return LoopAccess(base.symbol, number.numbers, size)
