"""Finds accesses to shared memory by different threads that nothing orders.

Only what surely goes wrong is found: two threads of an example launch that both execute their
access, touch the same bytes, and meet no instruction on the way that may order them.
"""

from __future__ import annotations

from functools import lru_cache
from itertools import product
from typing import TYPE_CHECKING, Final

from ptx_ls.semantics.declarations.storage import bytes_of
from ptx_ls.semantics.symbols.module import region_facts
from ptx_ls.semantics.symbols.region_text import MAX_RECENT_FUNCTIONS, region_text
from ptx_ls.semantics.symbols.symbols import SymbolKind
from ptx_ls.source.named_tuple import NamedTuple
from ptx_ls.threads.events.sites import address_of, base_name
from ptx_ls.threads.happens_before.launch_example import LaunchExample, launch_example
from ptx_ls.threads.happens_before.ordering import OrderingLevel
from ptx_ls.threads.happens_before.overlaps import ThreadPair, common_bytes
from ptx_ls.threads.happens_before.reaching_threads import ReachFinder
from ptx_ls.threads.happens_before.shared_accesses import (
    SharedAccess,
    exchanges_data,
    may_conflict,
    shared_accesses,
)
from ptx_ls.threads.happens_before.thread_numbers import ThreadNumbers, iterations_of
from ptx_ls.threads.happens_before.unordered_paths import FORWARD, UnorderedPaths
from ptx_ls.threads.uniformity.levels import LANES
from ptx_ls.values.affine import TermKind
from ptx_ls.values.function_values import function_values
from ptx_ls.values.launch import MAX_THREADS

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from ptx_ls.document.function import Function
    from ptx_ls.semantics.symbols.module import ModuleFacts
    from ptx_ls.semantics.symbols.symbols import Symbol
    from ptx_ls.threads.events.sites import EventSite
    from ptx_ls.threads.happens_before.reaching_threads import ReachingThreads
    from ptx_ls.threads.happens_before.thread_numbers import Iterations, ThreadNumber
    from ptx_ls.threads.happens_before.unordered_paths import CodeSpot
    from ptx_ls.values.affine import AffineForm
    from ptx_ls.values.function_values import FunctionValues

_MAX_BASES: Final = 16
"""Number of registers and variables that addresses begin with up to which these are evaluated."""
_MAX_PAIRS: Final = 400
"""Number of pairs of accesses whose addresses are compared."""
_MAX_ITERATION: Final = 3
"""Number of iterations of a loop that are compared with the next one."""
_OTHER_DIMENSIONS: Final = ("%tid.y", "%tid.z", "%ntid.y", "%ntid.z")
"""Special registers that only matter to kernels whose blocks have several dimensions."""
_WIDTHS: Final = (64, 32, 16)
"""Widths of registers that are stored."""
_THREADS: Final = ("%tid", "%laneid")
"""Special registers by which threads differ."""


class AccessConflict(NamedTuple):
    """Two accesses of different threads to the same bytes, which nothing orders.

    Attributes:
        first, second: the accesses in the order in which a thread runs them.
        symbol: the variable that they access.
        threads: the numbers in the block of a thread that runs the first, and of one that runs the
            second.
        offset: where in the variable the bytes begin; None if that is unknown.
        kind: the kind of the path between them: the number of the first block of the loop in whose
            next iteration the second access is; `FORWARD` if it is in the same iteration.
        is_always: whether nothing orders the accesses on any path, not only on some.
    """

    first: SharedAccess
    second: SharedAccess
    symbol: Symbol
    threads: ThreadPair
    offset: int | None
    kind: int
    is_always: bool

    @property
    def crosses_warps(self) -> bool:
        """Whether the threads are in different warps."""
        return self.threads[0] // LANES != self.threads[1] // LANES


class _Candidate(NamedTuple):
    """Two accesses with an unordered path of a kind from the first to the second."""

    first: SharedAccess
    second: SharedAccess
    kind: int
    level: OrderingLevel


class _ConflictFinder:
    """Compares the accesses of a kernel to shared memory."""

    def __init__(self, values: FunctionValues, launch: LaunchExample) -> None:
        self._values, self._launch = values, launch
        self._numbers = ThreadNumbers(values, self._launch)
        self._reach = ReachFinder(values, self._launch, self._numbers)
        self._reaching: dict[tuple[int, Iterations], ReachingThreads | None] = {}
        self._forms: dict[int, AffineForm | None] = {}
        self._addresses: dict[tuple[int, Iterations], ThreadNumber | None] = {}
        self._n_left = _MAX_PAIRS

    def conflicts(
        self, sites: Sequence[EventSite], accesses: Sequence[SharedAccess]
    ) -> Iterator[AccessConflict]:
        """Yields the first conflict of each access with one before it."""
        candidates: dict[int, list[_Candidate]] = {}
        for level in OrderingLevel.BLOCK, OrderingLevel.WARP:
            if level is OrderingLevel.WARP or self._launch.is_stated:
                for each in self._candidates(sites, accesses, level):
                    candidates.setdefault(each.second.number, []).append(each)
        if not candidates or self._has_many_bases(candidates):
            return
        for number in sorted(candidates):
            compared = (self._compared(each, sites) for each in candidates[number])
            found = next((each for each in compared if each is not None), None)
            if found is not None:
                yield found

    @property
    def has_threads(self) -> bool:
        """Whether a launch is known in which the threads of a kernel may differ."""
        if self._launch.is_stated:
            return 1 < self._launch.n_threads <= MAX_THREADS
        has_text = self._values.flow.has_text
        return any(map(has_text, _THREADS)) and not any(map(has_text, _OTHER_DIMENSIONS))

    def _has_many_bases(self, candidates: dict[int, list[_Candidate]]) -> bool:
        """Whether there are too many different addresses to evaluate."""
        found = {each.number: each for own in candidates.values() for it in own for each in it[:2]}
        names = {base_name(each.site, each.event.operand) for each in found.values()}
        return len(names) > _MAX_BASES

    def _candidates(
        self, sites: Sequence[EventSite], accesses: Sequence[SharedAccess], level: OrderingLevel
    ) -> Iterator[_Candidate]:
        """Yields the pairs of accesses with an unordered path from one to the other."""
        paths = UnorderedPaths(self._values.flow.graph, sites, level)
        spots: dict[CodeSpot, list[SharedAccess]] = {}
        for each in accesses:
            spots.setdefault(paths.spot(each.site), []).append(each)
        for (one, firsts), (other, seconds) in product(spots.items(), repeat=2):
            kinds = paths.kinds(one, other)
            if not kinds and one != other:
                continue
            for first, second in product(firsts, seconds):
                if not may_conflict(first.event, second.event) or first.site == second.site:
                    continue
                if one == other and first.number < second.number:
                    yield _Candidate(first, second, FORWARD, level)
                for kind in kinds:
                    yield _Candidate(first, second, kind, level)

    def largest_block(self, accesses: Sequence[SharedAccess]) -> int:
        """Returns the largest number of threads for which no access is outside of its variable."""
        most = self._launch.n_threads
        for each in accesses:
            symbol, address = self._symbol(each), self._address(each, ())
            size = bytes_of(symbol) if symbol is not None else None
            runs = self._threads(each, ()) if address is not None else None
            if size and address is not None and runs is not None and len(address.unknowns) == 1:
                ends = range(size - each.n_bytes + 1)
                used = filter(each.takes_part, runs.threads)
                outside = [it for it in used if address.numbers[it] not in ends]
                most = min([most, *outside])
        return most

    def _compared(self, candidate: _Candidate, sites: Sequence[EventSite]) -> AccessConflict | None:
        """Returns the conflict of two accesses, or None."""
        first, second, kind, level = candidate
        symbol = self._symbol(first)
        if symbol is None or symbol != self._symbol(second):
            return None
        for finished in range(1 if kind == FORWARD else _MAX_ITERATION):
            if not self._n_left:
                return None
            self._n_left -= 1
            is_next = kind != FORWARD
            now = iterations_of({kind: finished} if is_next else {})
            later = iterations_of({kind: finished + 1} if is_next else {})
            found = self._overlap(first, now, second, later, level)
            is_always = found and self._is_always(candidate, now, later, sites)
            if found is not None and is_always is not None:
                return AccessConflict(first, second, symbol, *found, kind, is_always)
        return None

    def _is_always(
        self,
        candidate: _Candidate,
        now: Iterations,
        later: Iterations,
        sites: Sequence[EventSite],
    ) -> bool | None:
        """Whether all paths from one access to the other are unordered; None if none is."""
        runs, follows = self._threads(candidate.first, now), self._threads(candidate.second, later)
        assumed = [each.assumptions for each in (runs, follows) if each is not None]
        closed = self._reach.closed_edges(frozenset().union(*assumed))
        paths = UnorderedPaths(self._values.flow.graph, sites, candidate.level, closed)
        one, other = paths.spot(candidate.first.site), paths.spot(candidate.second.site)
        is_straight = candidate.kind == FORWARD and one == other
        if not is_straight and candidate.kind not in paths.kinds(one, other):
            return None
        return paths.is_always(one, other, candidate.kind)

    def _symbol(self, access: SharedAccess) -> Symbol | None:
        form = self._form(access)
        base = form.base if form is not None else None
        return base.symbol if base is not None and base.kind is TermKind.SYMBOL else None

    def _form(self, access: SharedAccess) -> AffineForm | None:
        if access.number not in self._forms:
            name = access.event.operand
            self._forms[access.number] = address_of(self._values, access.site, name)
        return self._forms[access.number]

    def _overlap(
        self,
        first: SharedAccess,
        now: Iterations,
        second: SharedAccess,
        later: Iterations,
        level: OrderingLevel,
    ) -> tuple[ThreadPair, int | None] | None:
        """Returns two threads whose accesses overlap, and where; None if there are none."""
        one, other = self._address(first, now), self._address(second, later)
        if one is None or other is None or one.unknowns != other.unknowns:
            return None
        runs, follows = self._threads(first, now), self._threads(second, later)
        if runs is None or follows is None or not runs.agrees(follows):
            return None
        is_same_place = len({one.numbers[each] for each in runs.threads}) == 1
        if is_same_place and runs.threads >= follows.threads and self._stores_same(first, second):
            return None
        found = common_bytes(
            {it: one.numbers[it] for it in sorted(runs.threads) if first.takes_part(it)},
            first.n_bytes,
            {it: other.numbers[it] for it in sorted(follows.threads) if second.takes_part(it)},
            second.n_bytes,
            in_warp=level is OrderingLevel.WARP,
        )
        if found is None:
            return None
        threads, start = found
        return threads, start if len(one.unknowns) == 1 else None

    def _stores_same(self, first: SharedAccess, second: SharedAccess) -> bool:
        """Whether all threads store the same number, which one of them then loads."""
        place = first.site.operand("b")
        if first.event.kind != "writes" or second.event.kind != "reads" or place is None:
            return False
        instruction = self._values.given.decoder.of_statement(first.site.found)
        operand = instruction.operands[place]
        if operand.identifier < 0 and not operand.elements:
            return True
        found = (self._numbers.operand(instruction, operand, width, ()) for width in _WIDTHS)
        number = next((each for each in found if each is not None), None)
        return number is not None and number.is_same

    def _address(self, access: SharedAccess, iterations: Iterations) -> ThreadNumber | None:
        key = access.number, iterations
        if key not in self._addresses:
            form = self._form(access)
            self._addresses[key] = None if form is None else self._numbers.form(form, iterations)
        return self._addresses[key]

    def _threads(self, access: SharedAccess, iterations: Iterations) -> ReachingThreads | None:
        key = access.number, iterations
        if key not in self._reaching:
            self._reaching[key] = self._reach.threads(access.site, iterations)
        return self._reaching[key]


@lru_cache(maxsize=MAX_RECENT_FUNCTIONS)
def _conflicts_of(values: FunctionValues) -> tuple[AccessConflict, ...]:
    launch = launch_example(values.given.bounds)
    finder = _ConflictFinder(values, launch)
    if not finder.has_threads:
        return ()
    sites, accesses = shared_accesses(values)
    found = tuple(finder.conflicts(sites, accesses)) if accesses else ()
    most = launch.n_threads if launch.is_stated or not found else finder.largest_block(accesses)
    if most < launch.n_threads:
        smaller = LaunchExample((most, 1, 1), is_stated=False)
        found = tuple(_ConflictFinder(values, smaller).conflicts(sites, accesses)) if most else ()
    return found


def access_conflicts(function: Function, module: ModuleFacts) -> tuple[AccessConflict, ...]:
    """Returns conflicting accesses of a kernel, at most one for each second access; else none."""
    head = region_facts(function).function
    if head is None or head.kind is not SymbolKind.KERNEL:
        return ()
    if not exchanges_data(region_text(function)):
        return ()
    return _conflicts_of(function_values(function, module))
