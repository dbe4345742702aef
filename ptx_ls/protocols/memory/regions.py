"""The bytes of shared memory that accesses and copies name, compared over threads."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ptx_ls.protocols.memory.region_starts import WIDTH, starts_of
from ptx_ls.semantics.declarations.storage import bytes_of
from ptx_ls.source.named_tuple import NamedTuple
from ptx_ls.threads.events.descriptors import MIN_BYTES, descriptor_start
from ptx_ls.threads.events.sites import address_of, number_of
from ptx_ls.threads.events.staged_tiles import tile_bytes
from ptx_ls.threads.happens_before.overlaps import ThreadBytes, ThreadPair, common_bytes
from ptx_ls.threads.launch_example.launch import LaunchExample
from ptx_ls.threads.launch_example.thread_number import variable_of
from ptx_ls.threads.launch_example.thread_numbers import ThreadNumbers
from ptx_ls.threads.uniformity.levels import LANES
from ptx_ls.values.affine import TermKind, plain_space, resized, without_conversions
from ptx_ls.values.affine_values import is_stable
from ptx_ls.values.launch import MAX_THREADS

if TYPE_CHECKING:
    from ptx_ls.isa.memory_events import AccessEvent
    from ptx_ls.protocols.memory.region_starts import RegionStarts
    from ptx_ls.semantics.symbols.symbols import Symbol
    from ptx_ls.threads.events.sites import EventSite
    from ptx_ls.threads.launch_example.iterations import Iterations
    from ptx_ls.threads.launch_example.thread_number import ThreadNumber
    from ptx_ls.threads.uniformity.launches import BlockShape
    from ptx_ls.values.affine import AffineForm, Terms
    from ptx_ls.values.function_values import FunctionValues


class SharedRegion(NamedTuple):
    """Some bytes of shared memory, as each thread names them.

    `form`: the address of the first one. `n_bytes`: how many there are, at least. `symbol`: the
    variable that the address is in. `number`: the same for equal forms of a function.
    """

    site: EventSite
    form: AffineForm
    n_bytes: int
    symbol: Symbol | None
    number: int

    @property
    def is_constant(self) -> bool:
        """Whether the address is a variable, or at a constant offset in one."""
        terms = self.form.terms
        return len(terms) == 1 and terms[0][0].kind is TermKind.SYMBOL


class RegionOverlap(NamedTuple):
    """Common bytes of two regions.

    `is_own`: whether a thread names bytes in both. `threads`: two different threads of which the
    first one names bytes in the first region, and the other one in the second.
    """

    is_own: bool
    threads: ThreadPair | None


class SharedRegions:
    """The regions of a function."""

    def __init__(self, values: FunctionValues, shape: BlockShape | None) -> None:
        self._values = values
        self._numbers: ThreadNumbers | None = None
        self._is_stated = shape is not None and shape.is_stated
        self._n_threads = 0 if shape is None else shape.n_threads
        if shape is not None and shape.n_threads <= MAX_THREADS:
            launch = LaunchExample(shape.sizes, is_stated=shape.is_stated)
            self._numbers = ThreadNumbers(values, launch)
        self._known: dict[tuple[object, ...], SharedRegion | None] = {}
        self._forms: dict[AffineForm, tuple[int, Symbol | None]] = {}
        self._starts: dict[tuple[int, Iterations], RegionStarts | None] = {}
        self._plain: dict[tuple[Terms, Iterations], ThreadNumber | None] = {}

    def of_event(self, site: EventSite, event: AccessEvent) -> SharedRegion | None:
        """Returns the region of an access by address or descriptor; None if it is unclear."""
        if event.by == "descriptor":
            return self.of_descriptor(site, event.operand)
        return self.of_access(site, event)

    def of_access(self, site: EventSite, event: AccessEvent) -> SharedRegion | None:
        """Returns the region of an access by address; None if it is unknown or remote."""
        if event.by != "address":
            return None
        key = site.found.start, event.operand, event.n_bytes, event.size
        if key not in self._known:
            self._known[key] = self._by_address(site, event)
        return self._known[key]

    def of_peer(self, site: EventSite, event: AccessEvent) -> SharedRegion | None:
        """Returns the region that another block accesses here, if it runs the same statement."""
        form = address_of(self._values, site, event.operand)
        plain = None if form is None else resized(without_conversions(form), WIDTH)
        return None if plain is None else self._region(site, plain, event.n_bytes or MIN_BYTES)

    def _by_address(self, site: EventSite, event: AccessEvent) -> SharedRegion | None:
        form = self.address(site, event.operand)
        if form is None:
            return None
        n_bytes = event.n_bytes or (number_of(self._values, site, event.size) if event.size else 0)
        n_bytes = n_bytes or tile_bytes(self._values, site, event)
        return self._region(site, form, n_bytes if n_bytes and n_bytes > 0 else MIN_BYTES)

    def _region(self, site: EventSite, form: AffineForm, n_bytes: int) -> SharedRegion:
        known = self._forms.get(form)
        if known is None:
            known = self._forms[form] = len(self._forms), self._variable(form)
        number, symbol = known
        return SharedRegion(site, form, n_bytes, symbol, number)

    def _variable(self, form: AffineForm) -> Symbol | None:
        """Returns the variable that an address is in; None if that is unknown.

        It may be a part of a computed term, as in `buffer + offset ^ 64`.
        """
        base = form.base
        if base is not None and base.kind is TermKind.SYMBOL:
            return base.symbol
        number = None if self._numbers is None else self._numbers.form(form, ())
        symbol = None if number is None else variable_of(number)
        return symbol if symbol is not None and plain_space(symbol.space) == ".shared" else None

    def address(self, site: EventSite, operand: str) -> AffineForm | None:
        """Returns the address in an operand, in the shared memory of the own block."""
        form = address_of(self._values, site, operand)
        if form is None or form.is_mapped:
            return None
        return resized(without_conversions(form), WIDTH)

    def of_descriptor(self, site: EventSite, operand: str) -> SharedRegion | None:
        """Returns the start of the matrix that a descriptor names; None if it is unclear."""
        form = descriptor_start(self._values, site, operand)
        return None if form is None else self._region(site, form, MIN_BYTES)

    def may_overlap(
        self, first: SharedRegion, now: Iterations, second: SharedRegion, later: Iterations
    ) -> bool:
        """Whether `overlap` may find common bytes for some threads, which is found quickly."""
        if first.symbol != second.symbol:
            return False
        one, other = self.starts(first, now), self.starts(second, later)
        if one is None or other is None or one.unknowns != other.unknowns:
            return first.number == second.number and (now == later or is_stable(first.form))
        return one.meets(first.n_bytes, other, second.n_bytes)

    def overlap(
        self,
        first: SharedRegion,
        first_threads: int,
        now: Iterations,
        second: SharedRegion,
        second_threads: int,
        later: Iterations,
    ) -> RegionOverlap | None:
        """Returns the common bytes of two regions in some iterations; None if none are certain.

        The threads are sets with a bit for each.
        """
        if first.symbol != second.symbol:
            return None
        one, other = self.starts(first, now), self.starts(second, later)
        if one is None or other is None or one.unknowns != other.unknowns:
            is_same = first.number == second.number and (now == later or is_stable(first.form))
            is_own = is_same and bool(first_threads & second_threads)
            return RegionOverlap(is_own=True, threads=None) if is_own else None
        if not one.may_meet(first.n_bytes, other, second.n_bytes):
            return None
        n_least = max(_n_least(first_threads), _n_least(second_threads))
        count = min(
            self._n_likely(first, one.numbers, first_threads, n_least),
            self._n_likely(second, other.numbers, second_threads, n_least),
        )
        all_starts, all_others = one.numbers, other.numbers
        starts = {each: all_starts[each] for each in _members(first_threads, count)}
        others = {each: all_others[each] for each in _members(second_threads, count)}
        both = starts.keys() & others.keys()
        is_own = any(
            starts[it] < others[it] + second.n_bytes and others[it] < starts[it] + first.n_bytes
            for it in both
        )
        found = common_bytes(
            ThreadBytes(starts, first.n_bytes), ThreadBytes(others, second.n_bytes), in_warp=True
        )
        if found is None and not is_own:
            return None
        return RegionOverlap(is_own, None if found is None else found[0])

    def are_apart(self, first: SharedRegion, second: SharedRegion) -> bool:
        """Whether no thread names bytes of one region that a thread names in the other one.

        Only regions at places that do not change are compared.
        """
        if not (is_stable(first.form) and is_stable(second.form)):
            return False
        one, other = self.starts(first, ()), self.starts(second, ())
        if one is None or other is None or one.unknowns != other.unknowns:
            return False
        return not one.may_meet(first.n_bytes, other, second.n_bytes)

    def _n_likely(
        self, region: SharedRegion, starts: tuple[int, ...], threads: int, n_least: int
    ) -> int:
        """Returns the number of threads that blocks surely may have.

        If the kernel does not state it, these are as many as find their bytes in the variable, of
        those that access it.
        """
        if self._is_stated:
            return self._n_threads
        size = bytes_of(region.symbol) if region.symbol is not None else None
        if not size:
            return min(self._n_threads, n_least)
        inside = range(size - region.n_bytes + 1)
        outside = (
            each for each, start in enumerate(starts) if start not in inside and threads >> each & 1
        )
        return next(outside, self._n_threads)

    def starts(self, region: SharedRegion, iterations: Iterations) -> RegionStarts | None:
        """Returns where a region begins in some iterations; None if that is unknown."""
        key = region.number, iterations
        if key not in self._starts:
            own = () if is_stable(region.form) else iterations
            self._starts[key] = self._find_starts(region.form, own)
        return self._starts[key]

    def _find_starts(self, form: AffineForm, iterations: Iterations) -> RegionStarts | None:
        if self._numbers is None:
            return None
        key = form.terms, iterations
        if key not in self._plain:
            self._plain[key] = self._numbers.form(form._replace(offset=0), iterations)
        plain = self._plain[key]
        return plain and starts_of(plain.numbers, form.offset, plain.unknowns)


def _n_least(threads: int) -> int:
    """Returns how many threads a block has at least if one of these exists, in complete warps."""
    lowest = max((threads & -threads).bit_length() - 1, 0)
    return lowest // LANES * LANES + LANES


def _members(threads: int, n_threads: int) -> list[int]:
    return [each for each in range(n_threads) if threads >> each & 1]
