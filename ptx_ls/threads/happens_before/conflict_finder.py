"""Compares the accesses of a kernel to shared memory, in an example of a launch."""

from __future__ import annotations

from functools import reduce
from itertools import chain, islice, permutations, product
from operator import or_
from typing import TYPE_CHECKING, Final

from ptx_ls.semantics.declarations.storage import bytes_of
from ptx_ls.source.named_tuple import NamedTuple
from ptx_ls.threads.events.sites import base_name
from ptx_ls.threads.happens_before.access_overlaps import AccessOverlaps
from ptx_ls.threads.happens_before.concurrent_accesses import ConcurrentAccesses
from ptx_ls.threads.happens_before.conflicting_accesses import (
    ALL,
    BlocksOfAccesses,
    ConflictingAccesses,
    bits_of,
    numbers_in,
)
from ptx_ls.threads.happens_before.feasible_paths import FeasiblePaths
from ptx_ls.threads.happens_before.iteration_choices import IterationChoices
from ptx_ls.threads.happens_before.meetings import MeetingFinder
from ptx_ls.threads.happens_before.ordering import OrderingLevel, ordering_of
from ptx_ls.threads.happens_before.overlaps import ThreadPair
from ptx_ls.threads.happens_before.several_warps import SeveralWarps
from ptx_ls.threads.happens_before.shared_accesses import SharedAccess
from ptx_ls.threads.happens_before.unordered_paths import APART, FORWARD, UnorderedPaths
from ptx_ls.threads.happens_before.waiting_sites import decides, relaying_sites
from ptx_ls.threads.launch_example.assumptions import without_rank
from ptx_ls.threads.launch_example.launch import LaunchExample
from ptx_ls.threads.uniformity.function_uniformity import uniformity_of
from ptx_ls.threads.uniformity.levels import LANES, Level
from ptx_ls.values.affine_values import is_stable

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence
    from collections.abc import Set as AbstractSet

    from ptx_ls.document.coordinates import FunctionPosition
    from ptx_ls.semantics.symbols.symbols import Symbol
    from ptx_ls.threads.events.sites import EventSite
    from ptx_ls.threads.happens_before.concurrent_accesses import ConcurrentPair
    from ptx_ls.threads.happens_before.unordered_paths import CodeSpot
    from ptx_ls.threads.launch_example.iterations import Iterations
    from ptx_ls.values.function_values import FunctionValues
    from ptx_ls.values.taken_graph import Edge

_MAX_BASES, _FEW_BASES = 16, 8
"""Number of registers and variables that addresses begin with and that are evaluated, which takes
long; the same if there are more of them."""
_MAX_PAIRS: Final = 400
"""Number of pairs of accesses whose addresses are compared."""
_MAX_CHOICES, _FEW_CHOICES = 9, 3
"""Number of choices of iterations in which accesses are compared; if no loop moves their places."""
_VOLATILE: Final = "volatile"


class AccessConflict(NamedTuple):
    """Two accesses of different threads to the same bytes, which nothing orders.

    Attributes:
        first, second: the accesses in the order in which a thread runs them.
        symbol: the variable that they access.
        threads: the numbers in the block of a thread that runs the first, and of one that runs the
            second.
        offset: where in the variable the bytes begin; None if that is unknown.
        kind: the kind of the path between them: the number of the first block of the loop in whose
            next iteration the second access is; `FORWARD` if it is in the same iteration, and
            `APART` if threads may run them in either order.
        is_always: whether nothing orders the accesses on any path, not only on some.
        is_remote: whether the threads are in different blocks of a cluster.
        is_after_arrival: whether the second thread waits for arrivals, but the first one accesses
            the bytes only after it has arrived.
    """

    first: SharedAccess
    second: SharedAccess
    symbol: Symbol
    threads: ThreadPair
    offset: int | None
    kind: int
    is_always: bool
    is_remote: bool
    is_after_arrival: bool = False

    @property
    def crosses_warps(self) -> bool:
        """Whether the threads are in different warps."""
        if self.is_remote:
            return True
        return self.threads[0] // LANES != self.threads[1] // LANES


class _Candidate(NamedTuple):
    """Two accesses with an unordered path of a kind from the first to the second."""

    first: SharedAccess
    second: SharedAccess
    kind: int
    level: OrderingLevel


class ComparedAccesses(NamedTuple):
    """Accesses of a kernel to shared memory.

    `arrivals`: the sites that only arrive, for which others may wait. `known`: accesses that are
    compared with those before them, and for each the one that it probably conflicts with; None if
    all are compared.
    """

    accesses: Sequence[SharedAccess]
    arrivals: Sequence[EventSite]
    known: Mapping[int, int] | None = None

    @property
    def later(self) -> int:
        """The accesses that are compared with those before them, as bits."""
        return ALL if self.known is None else bits_of(self.known)


def _is_of_few(candidate: _Candidate, bases: set[str], most: int = _MAX_BASES) -> bool:
    """Whether two accesses begin with some of the first `most` addresses, which are in `bases`."""
    own = {base_name(each.site, each.event.operand) for each in candidate[:2]}
    if len(bases | own) > most:
        return False
    bases |= own
    return True


class ConflictFinder:
    """Compares the accesses of a kernel to shared memory."""

    def __init__(
        self,
        values: FunctionValues,
        launch: LaunchExample,
        given: ComparedAccesses,
        blocks: BlocksOfAccesses = BlocksOfAccesses.ONE,
        *,
        is_after_arrival: bool = False,
    ) -> None:
        """Prepares a search in a launch.

        `blocks`: those whose accesses are compared with each other.
        `is_after_arrival`: whether paths are searched on which a thread hands nothing over, neither
        by an arrival nor to another thread of its warp.
        """
        self._blocks, self._across = blocks, blocks is not BlocksOfAccesses.ONE
        self._is_after_arrival = is_after_arrival
        launch = launch._replace(is_any_block=self._across)
        self._values, self._launch, self._given = values, launch, given
        self._accesses = given.accesses
        self._conflicting = ConflictingAccesses(given.accesses, blocks)
        self._overlaps, self._feasible = AccessOverlaps(values, launch), FeasiblePaths(values)
        self._warps = SeveralWarps(values, launch, given.accesses, self._overlaps)
        self._all_ordering: dict[OrderingLevel, Sequence[EventSite]] = {}
        self._all_paths: dict[OrderingLevel, UnorderedPaths] = {}
        self._n_left = _MAX_PAIRS
        self._idle: dict[FunctionPosition, bool] = {}
        """Whether nothing depends on the results of reads, by their places."""

    def conflicts(self, sites: Sequence[EventSite]) -> Iterator[AccessConflict]:
        """Yields the first conflict of each access with one before it."""
        candidates: dict[int, list[_Candidate]] = {}
        known_pairs = set[tuple[int, int, int]]()
        for level in self._levels:
            for each in self._candidates(sites, level) if self._warps.may(level, sites) else ():
                pair = each.first.number, each.second.number, each.kind
                if self._launch.is_stated or pair not in known_pairs:
                    known_pairs.add(pair)
                    candidates.setdefault(each.second.number, []).append(each)
        known, every, bases = self._given.known or {}, set[str](), set[str]()
        has_few = all(_is_of_few(each, every) for each in chain(*candidates.values()))
        most = _MAX_BASES if has_few else _FEW_BASES
        for number in sorted(candidates):
            own = candidates[number]
            own.sort(key=lambda each: known.get(each.second.number) != each.first.number)
            few = (each for each in own if _is_of_few(each, bases, most))
            compared = (self._compared(each, sites) for each in few)
            found = next((each for each in compared if each is not None), None)
            if found is not None:
                yield found

    def anew(self, blocks: BlocksOfAccesses, *, is_after_arrival: bool = False) -> ConflictFinder:
        """Returns a search for conflicts of other blocks, or with other sites that order."""
        return ConflictFinder(
            self._values, self._launch, self._given, blocks, is_after_arrival=is_after_arrival
        )

    @property
    def _levels(self) -> tuple[OrderingLevel, ...]:
        """The levels at which accesses are compared."""
        if self._across or self._is_after_arrival:
            return (OrderingLevel.WARP,)
        levels = OrderingLevel.BLOCK, OrderingLevel.WARP
        return levels if self._launch.is_stated else levels[::-1]

    def _candidates(self, sites: Sequence[EventSite], level: OrderingLevel) -> Iterator[_Candidate]:
        """Yields the pairs of accesses with an unordered path from one to the other."""
        paths = self._paths(sites, level)
        accesses, later = self._accesses, self._later(level)
        spots: dict[CodeSpot, int] = {}
        for each in accesses:
            spot = paths.spot(each.site)
            spots[spot] = spots.get(spot, 0) | 1 << each.number
        ahead = {
            spot: reduce(or_, [later[each] for each in numbers_in(own)])
            for spot, own in spots.items()
        }
        for (one, firsts), (other, seconds) in product(spots.items(), repeat=2):
            if not seconds & ahead[one]:
                continue
            kinds = paths.kinds(one, other)
            for first in numbers_in(firsts) if kinds or one == other else ():
                for second in numbers_in(seconds & later[first]):
                    pair = accesses[first], accesses[second]
                    if pair[0].site == pair[1].site:
                        continue
                    if one == other and first < second:
                        yield _Candidate(*pair, FORWARD, level)
                    for kind in kinds:
                        yield _Candidate(*pair, kind, level)

    def _later(self, level: OrderingLevel) -> Sequence[int]:
        """Returns for each access those that must not come after it unordered, as bits."""
        compared = self._given.later
        later = [each & compared for each in self._conflicting.later]
        if level is not OrderingLevel.WARP:
            return later
        exchanges = [each for each in self._accesses if each.event.order == _VOLATILE]
        for first, second in permutations(exchanges, 2):
            if self._blocks.allows(first.kind, second.kind) and self._relies_on_lockstep(
                first, second
            ):
                later[first.number] |= 1 << second.number & compared
        return later

    def _relies_on_lockstep(self, first: SharedAccess, second: SharedAccess) -> bool:
        """Whether lanes exchange data through `.volatile` accesses without waiting for it."""
        events = first.event, second.event
        if {each.kind for each in events} != {"reads", "writes"}:
            return False
        read = (first if first.event.is_read else second).site
        if read.found.start not in self._idle:
            self._idle[read.found.start] = not decides(self._values, read, by_stores=False)
        return self._idle[read.found.start]

    def largest_block(self) -> int:
        """Returns the largest number of threads for which no access is outside of its variable."""
        most = self._launch.n_threads
        for each in self._accesses:
            symbol, address = self._overlaps.symbol(each), self._overlaps.address(each, ())
            size = bytes_of(symbol) if symbol is not None else None
            runs = self._overlaps.threads(each, ()) if address is not None else None
            if size and address is not None and runs is not None and len(address.unknowns) == 1:
                ends = range(size - each.n_bytes + 1)
                used = filter(each.takes_part, runs.threads)
                outside = [it for it in used if address.numbers[it] not in ends]
                most = min([most, *outside])
        return most

    def _compared(self, candidate: _Candidate, sites: Sequence[EventSite]) -> AccessConflict | None:
        """Returns the conflict of two accesses, or None."""
        first, second, kind, level = candidate
        symbol = self._overlaps.symbol(first)
        if symbol is None or symbol != self._overlaps.symbol(second):
            return None
        graph = self._values.graph
        paths = self._paths(sites, level)
        blocks = first.site.block, second.site.block
        choices = IterationChoices(graph, paths, self._overlaps.ends, blocks, kind).pairs()
        forms = self._overlaps.form(first), self._overlaps.form(second)
        is_fixed = all(each is not None and is_stable(each) for each in forms)
        for now, later in islice(choices, _FEW_CHOICES if is_fixed else _MAX_CHOICES):
            if not self._n_left:
                return None
            self._n_left -= 1
            found = self._overlaps.overlap(first, now, second, later, level)
            is_always = found and self._is_always(candidate, now, later, sites)
            if found is not None and is_always is not None and self._warps.surely(level):
                is_volatile = second.event.order == first.event.order == _VOLATILE
                is_always &= not (found.needs_data or is_volatile)
                threads, offset, _ = found
                return AccessConflict(
                    first,
                    second,
                    symbol,
                    threads,
                    offset,
                    kind,
                    is_always,
                    self._across,
                    self._is_after_arrival,
                )
        return None

    def concurrent(
        self, sites: Sequence[EventSite], waits: Sequence[EventSite]
    ) -> Iterator[AccessConflict]:
        """Yields conflicts of accesses between which no path leads.

        `sites`: all that access shared memory or may order; `waits`: those that order.
        """
        graph, meetings = self._values.graph, MeetingFinder(self._values, self._overlaps)
        found = [*meetings.meetings(sites)]
        for level in OrderingLevel.BLOCK, OrderingLevel.WARP:
            if self._warps.may(level, waits):
                pairs = ConcurrentAccesses(
                    graph,
                    self._paths(waits, level),
                    self._accesses,
                    self._conflicting,
                    self._may_divide,
                )
                after = (each for meeting in found for each in pairs.after(meeting))
                for each in chain(pairs.in_arms(), after):
                    conflict = self._at_once(each, level)
                    if conflict is not None and self._warps.surely(level):
                        yield conflict

    def _at_once(self, pair: ConcurrentPair, level: OrderingLevel) -> AccessConflict | None:
        """Returns the conflict of two accesses that run at the same time, or None."""
        first, second, now, later, is_always = pair
        symbol = self._overlaps.symbol(first)
        if symbol is None or symbol != self._overlaps.symbol(second) or not self._n_left:
            return None
        self._n_left -= 1
        found = self._overlaps.overlap(first, now, second, later, level)
        if found is None:
            return None
        is_sure = is_always and not found.needs_data
        if first.number < second.number:
            return AccessConflict(first, second, symbol, *found[:2], APART, is_sure, self._across)
        threads = found.threads[::-1]
        return AccessConflict(
            second, first, symbol, threads, found.offset, APART, is_sure, self._across
        )

    def _may_divide(self, block: int) -> bool:
        """Whether two of the compared threads may take different ways at the end of a block."""
        level = Level.CLUSTER if self._across else Level.CTA
        return uniformity_of(self._values).branch(block).surely < level

    def _paths(self, sites: Sequence[EventSite], level: OrderingLevel) -> UnorderedPaths:
        if level not in self._all_paths:
            ordering = self._ordering(sites, level)
            self._all_paths[level] = UnorderedPaths(self._values.graph, ordering)
        return self._all_paths[level]

    def _ordering(self, sites: Sequence[EventSite], level: OrderingLevel) -> Sequence[EventSite]:
        """Returns the sites that may order accesses at some level, in the order of the text."""
        if level not in self._all_ordering:
            found = [each for each in sites if ordering_of(each.known) >= level]
            if level is OrderingLevel.BLOCK and found:
                found += relaying_sites(self._values.graph, sites, self._overlaps.first_threads)
                found.sort(key=lambda site: site.found.start)
            self._all_ordering[level] = found
        return self._all_ordering[level]

    def _is_always(
        self,
        candidate: _Candidate,
        now: Iterations,
        later: Iterations,
        sites: Sequence[EventSite],
    ) -> bool | None:
        """Whether all paths from one access to the other are unordered; None if none is."""
        runs, follows = (
            self._overlaps.threads(candidate.first, now),
            self._overlaps.threads(candidate.second, later),
        )
        assumed = [each.assumptions for each in (runs, follows) if each is not None]
        if self._across:  # the two threads are in blocks with different numbers
            assumed = [*map(without_rank, assumed)]
        closed = self._overlaps.reach.closed_edges(frozenset().union(*assumed))
        paths = UnorderedPaths(self._values.graph, self._ordering(sites, candidate.level), closed)
        one, other = paths.spot(candidate.first.site), paths.spot(candidate.second.site)
        is_straight = candidate.kind == FORWARD and one == other
        if not is_straight and candidate.kind not in paths.kinds(one, other):
            return None
        if paths.is_always(one, other, candidate.kind):
            return True
        return False if self._is_feasible(candidate, sites, closed) else None

    def _is_feasible(
        self, candidate: _Candidate, sites: Sequence[EventSite], closed: AbstractSet[Edge]
    ) -> bool:
        """Whether guards and branches allow a path from one access to the other."""
        first, second = candidate.first.site, candidate.second.site
        graph = self._values.graph
        heads = {*graph.loop_forest.heads_around(first.block)}
        around = heads.intersection(graph.loop_forest.heads_around(second.block))
        back = {edge for edge in graph.back_edges if edge[1] in around - {candidate.kind}}
        ordering = [*self._ordering(sites, candidate.level), *self._given.arrivals]
        return self._feasible.is_path(first, second, ordering, back | closed, is_apart=True)
