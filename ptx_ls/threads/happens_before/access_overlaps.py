"""Finds threads whose accesses to shared memory touch common bytes, in some iterations of loops."""

from __future__ import annotations

from functools import lru_cache
from itertools import product
from typing import TYPE_CHECKING, Final

from ptx_ls.semantics.declarations.storage import bytes_of
from ptx_ls.source.named_tuple import NamedTuple
from ptx_ls.threads.events.descriptors import descriptor_start
from ptx_ls.threads.events.sites import address_of
from ptx_ls.threads.happens_before.conflicting_accesses import UPDATES
from ptx_ls.threads.happens_before.ordering import OrderingLevel
from ptx_ls.threads.happens_before.overlaps import (
    ThreadBytes,
    ThreadPair,
    common_bytes,
    may_have_common_bytes,
)
from ptx_ls.threads.happens_before.reaching_threads import ReachFinder
from ptx_ls.threads.happens_before.shared_accesses import SharedAccess, takes_part
from ptx_ls.threads.launch_example.assumptions import agree, allows_rank, without_rank
from ptx_ls.threads.launch_example.iterations import iterations_of
from ptx_ls.threads.launch_example.launch import LaunchExample
from ptx_ls.threads.launch_example.loop_ends import LoopEnds
from ptx_ls.threads.launch_example.thread_number import variable_of
from ptx_ls.threads.launch_example.thread_numbers import ThreadNumbers
from ptx_ls.values.affine import (
    AffineTerm,
    TermKind,
    plain_space,
    resized,
    without_conversions,
)
from ptx_ls.values.data_sources import DataSourceFinder

if TYPE_CHECKING:
    from collections.abc import Iterable

    from ptx_ls.semantics.symbols.symbols import Symbol
    from ptx_ls.threads.events.sites import EventSite
    from ptx_ls.threads.happens_before.reaching_threads import ReachingThreads
    from ptx_ls.threads.launch_example.iterations import Iterations
    from ptx_ls.threads.launch_example.thread_number import ThreadNumber
    from ptx_ls.values.affine import AffineForm
    from ptx_ls.values.function_values import FunctionValues

_DESCRIPTOR: Final = "descriptor"
_WIDTH: Final = 32
"""Width of addresses in shared memory."""
_SAME_IN_BLOCKS: Final = (TermKind.SYMBOL, TermKind.PARAMETER, TermKind.WINDOW)
_FIRST_RANKS: Final = (0, 1)
"""The numbers that blocks of each cluster with several blocks have."""
_BLOCK_NUMBERS: Final = ("%ctaid", "%clusterid", "%cluster_cta")
_WIDTHS: Final = (64, 32, 16)
"""Widths of registers that are stored."""
_MAX_KEPT: Final = 1 << 3
"""Number of accesses whose bytes are kept."""
_MAX_KEPT_PAIRS: Final = 1 << 7
"""Number of pairs of accesses whose results are kept."""


class AccessOverlap(NamedTuple):
    """Two threads that access common bytes, and where these begin in the variable, if known.

    `needs_data`: whether they only do so for some data in memory.
    """

    threads: ThreadPair
    offset: int | None
    needs_data: bool


class AccessOverlaps:
    """The places that the accesses of a function name, and the threads that run them."""

    def __init__(self, values: FunctionValues, launch: LaunchExample) -> None:
        self._values, self._across = values, launch.is_any_block
        self._numbers = ThreadNumbers(values, launch)
        self.ends = LoopEnds(values, launch, self._numbers)
        self._numbers.last_iteration = self.ends.last
        self.reach = ReachFinder(values, launch, self._numbers, self.ends)
        self._reaching: dict[tuple[int, Iterations], ReachingThreads | None] = {}
        self._forms: dict[int, AffineForm | None] = {}
        self._addresses: dict[tuple[int, Iterations], ThreadNumber | None] = {}

    def symbol(self, access: SharedAccess) -> Symbol | None:
        """Returns the variable in shared memory whose address that of an access begins with."""
        form = self.form(access)
        base = form.base if form is not None else None
        symbol = base.symbol if base is not None and base.kind is TermKind.SYMBOL else None
        if symbol is None:
            address = self.address(access, ())
            symbol = None if address is None else variable_of(address)
        return symbol if symbol is not None and plain_space(symbol.space) == ".shared" else None

    def form(self, access: SharedAccess) -> AffineForm | None:
        """Returns the address of an access, without what makes it generic."""
        if access.number not in self._forms:
            site, name = access.site, access.event.operand
            by_descriptor = access.event.by == _DESCRIPTOR
            start_of = descriptor_start if by_descriptor else address_of
            form = start_of(self._values, site, name)
            if form is not None:
                is_known = access.is_remote or not form.is_mapped
                form = resized(without_conversions(form), _WIDTH) if is_known else None
            if form is not None and access.shift:
                form = form._replace(offset=form.offset + access.shift)
            self._forms[access.number] = form
        return self._forms[access.number]

    def overlap(
        self,
        first: SharedAccess,
        now: Iterations,
        second: SharedAccess,
        later: Iterations,
        level: OrderingLevel,
    ) -> AccessOverlap | None:
        """Returns two threads whose accesses overlap, and where; None if there are none."""
        one, other = self.address(first, now), self.address(second, later)
        is_anywhere = self._is_anywhere(first, one) or self._is_anywhere(second, other)
        in_warp = level is OrderingLevel.WARP
        if not is_anywhere and not self._may_overlap(first, one, second, other, in_warp=in_warp):
            return None  # to find the threads that get there takes longer
        runs, follows = self.threads(first, now), self.threads(second, later)
        if runs is None or follows is None:
            return None
        both = (follows, runs) if first.is_remote else (runs, follows)
        if not self._may_run_together(*both, (first if first.is_remote else second).rank):
            return None
        if is_anywhere or one is None or other is None:
            pairs = product(sorted(runs.threads)[::-1], sorted(follows.threads))
            threads = next((each for each in pairs if each[0] != each[1]), None)
            return None if threads is None else AccessOverlap(threads, None, needs_data=True)
        is_same_place = len({one.numbers[each] for each in runs.threads}) == 1
        if is_same_place and runs.threads >= follows.threads and self._stores_same(first, second):
            return None
        found = common_bytes(
            _bytes_of_some(first, one, runs.threads),
            _bytes_of_some(second, other, follows.threads),
            in_warp=in_warp,
            across=self._across,
        )
        if found is None:
            return None
        threads, start = found
        offset = start if len(one.unknowns) == 1 else None
        return AccessOverlap(threads, offset, needs_data=runs.needs_data or follows.needs_data)

    def _may_run_together(
        self, owner: ReachingThreads, other: ReachingThreads, rank: AffineForm | None
    ) -> bool:
        """Whether some launch lets different threads execute both accesses.

        If the number of the block decides both, the two blocks may not be those that one accesses.
        `rank`: the number in the cluster of the block with the memory; `other` is of another one.
        """
        one, two = owner.assumptions, other.assumptions
        if self._across and _is_of_some_blocks(owner) and _is_of_some_blocks(other):
            if rank is None or rank.terms or not allows_rank(one, rank.offset):
                return False
            if not any(each != rank.offset and allows_rank(two, each) for each in _FIRST_RANKS):
                return False
            one, two = without_rank(one), without_rank(two)
            owner, other = owner._replace(assumptions=one), other._replace(assumptions=two)
            if _is_of_some_blocks(owner) or _is_of_some_blocks(other):
                return False
        return agree(one, two, self._numbers.sources) and owner.may_run_with(other)

    def _may_overlap(
        self,
        first: SharedAccess,
        one: ThreadNumber | None,
        second: SharedAccess,
        other: ThreadNumber | None,
        *,
        in_warp: bool,
    ) -> bool:
        """Whether accesses at known addresses may have common bytes, if all threads run them."""
        if one is None or other is None or one.unknowns != other.unknowns:
            return False
        if self._across and _has_block(one.unknowns):
            return False
        return _may_have_common(
            _AllBytes(one.numbers, first.n_bytes, first.event.lanes),
            _AllBytes(other.numbers, second.n_bytes, second.event.lanes),
            in_warp=in_warp,
            across=self._across,
        )

    def _is_anywhere(self, access: SharedAccess, address: ThreadNumber | None) -> bool:
        """Whether data chooses the place that any thread updates, as in a histogram.

        Atomic operations are for places that several threads share.
        """
        form = self.form(access)
        if address is not None or form is None or access.event.kind != UPDATES or self._across:
            return False
        found = DataSourceFinder(self._values).of_form(form)
        return found.has_data and found.is_known and not found.has_thread

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

    def address(self, access: SharedAccess, iterations: Iterations) -> ThreadNumber | None:
        """Returns the address of an access in each thread, in some iterations."""
        key = access.number, iterations
        if key not in self._addresses:
            form = self.form(access)
            self._addresses[key] = None if form is None else self._numbers.form(form, iterations)
        return self._addresses[key]

    def named(self, site: EventSite, operand: str, iterations: Iterations) -> ThreadNumber | None:
        """Returns the address in an operand in each thread, in some iterations."""
        form = address_of(self._values, site, operand)
        if form is None or form.is_mapped:
            return None
        plain = resized(without_conversions(form), _WIDTH)
        return None if plain is None else self._numbers.form(plain, iterations)

    def threads(self, access: SharedAccess, iterations: Iterations) -> ReachingThreads | None:
        """Returns the threads that run an access in some iterations."""
        key = access.number, iterations
        if key not in self._reaching:
            self._reaching[key] = self.reach.threads(access.site, iterations)
        return self._reaching[key]

    def first_threads(self, site: EventSite) -> frozenset[int] | None:
        """Returns the threads that run a statement in first iterations; None if that is unclear."""
        heads = self._values.graph.loop_forest.heads_around(site.block)
        found = self.reach.threads(site, iterations_of(dict.fromkeys(heads, 0)))
        return None if found is None else found.threads


def _is_of_some_blocks(runs: ReachingThreads) -> bool:
    """Whether the number of the block decides if threads run a statement."""
    parts = [each for key, _ in runs.assumptions if isinstance(key, tuple) for each in key]
    return any(_has_block(each) for each in parts if isinstance(each, frozenset))


def _has_block(unknowns: frozenset[tuple[object, int]]) -> bool:
    """Whether unknown numbers may differ between blocks."""
    terms = [key[0] for key, _ in unknowns if isinstance(key, tuple)]
    return not all(isinstance(each, AffineTerm) and _is_same_in_blocks(each) for each in terms)


def _is_same_in_blocks(term: AffineTerm) -> bool:
    if term.kind is TermKind.SPECIAL:
        return not term.name.startswith(_BLOCK_NUMBERS)
    return term.kind in _SAME_IN_BLOCKS


class _AllBytes(NamedTuple):
    """Where the access of each thread begins, its size, and how many lanes of a warp count."""

    numbers: tuple[int, ...]
    n_bytes: int
    lanes: int | None


@lru_cache(maxsize=_MAX_KEPT_PAIRS)
def _may_have_common(first: _AllBytes, second: _AllBytes, *, in_warp: bool, across: bool) -> bool:
    """Whether some threads have common bytes; many accesses of a kernel are at equal places."""
    one, other = _by_thread(first), _by_thread(second)
    return may_have_common_bytes(one, other, in_warp=in_warp, across=across)


@lru_cache(maxsize=_MAX_KEPT)
def _by_thread(accessed: _AllBytes) -> ThreadBytes:
    counted = enumerate(accessed.numbers)
    starts = {it: number for it, number in counted if takes_part(it, accessed.lanes)}
    return ThreadBytes(starts, accessed.n_bytes)


def _bytes_of_some(
    access: SharedAccess, address: ThreadNumber, threads: Iterable[int]
) -> ThreadBytes:
    """Returns the bytes that some threads access, for those whose address counts.

    An address outside of its variable does not: no thread gets to it, or it is another mistake.
    """
    symbol = variable_of(address) if address.unknowns else None
    stop = 1 << address.width
    if symbol is not None:
        stop = bytes_of(symbol) or stop >> 1  # the addresses before a variable wrap around
    starts = {it: address.numbers[it] for it in sorted(threads) if access.takes_part(it)}
    counted = {it: start for it, start in starts.items() if start < stop}
    return ThreadBytes(counted, access.n_bytes)
