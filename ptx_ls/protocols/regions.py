"""The bytes of shared memory that accesses and copies name, compared over threads."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from ptx_ls.semantics.declarations.storage import bytes_of
from ptx_ls.source.named_tuple import NamedTuple
from ptx_ls.syntax.register_events import GUARDS, READS
from ptx_ls.threads.events.sites import address_of, number_of
from ptx_ls.threads.happens_before.launch_example import LaunchExample
from ptx_ls.threads.happens_before.overlaps import ThreadPair, common_bytes
from ptx_ls.threads.happens_before.thread_numbers import ThreadNumbers
from ptx_ls.threads.uniformity.levels import LANES
from ptx_ls.values.affine import AffineForm, TermKind, resized, without_conversions
from ptx_ls.values.affine_values import is_stable
from ptx_ls.values.launch import MAX_THREADS

if TYPE_CHECKING:
    from ptx_ls.isa.memory_events import AccessEvent
    from ptx_ls.semantics.symbols.symbols import Symbol
    from ptx_ls.threads.events.sites import EventSite
    from ptx_ls.threads.happens_before.thread_numbers import Iterations
    from ptx_ls.threads.uniformity.launches import BlockShape
    from ptx_ls.values.function_values import FunctionValues

_WIDTH: Final = 32
"""Width of addresses in shared memory."""
_MIN_BYTES: Final = 16
"""Number of bytes that every copy of unknown size, and every matrix, has at least."""
_MAX_DEPTH: Final = 16
"""Number of instructions between an address and the descriptor that is made of it."""


class SharedRegion(NamedTuple):
    """Some bytes of shared memory, as each thread names them.

    `form`: the address of the first one. `n_bytes`: how many there are, at least.
    """

    site: EventSite
    form: AffineForm
    n_bytes: int

    @property
    def symbol(self) -> Symbol | None:
        """The variable that the address begins with."""
        base = self.form.base
        return base.symbol if base is not None and base.kind is TermKind.SYMBOL else None

    @property
    def is_constant(self) -> bool:
        """Whether the address is a variable, or at a constant offset in one."""
        return self.symbol is not None and len(self.form.terms) == 1


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

    def of_event(self, site: EventSite, event: AccessEvent) -> SharedRegion | None:
        """Returns the region of an access by address or descriptor; None if it is unclear."""
        if event.by == "descriptor":
            return self.of_descriptor(site, event.operand)
        return self.of_access(site, event)

    def of_access(self, site: EventSite, event: AccessEvent) -> SharedRegion | None:
        """Returns the region of an access by address; None if it is unknown or remote."""
        if event.by != "address":
            return None
        form = self.address(site, event.operand)
        if form is None:
            return None
        n_bytes = event.n_bytes or (number_of(self._values, site, event.size) if event.size else 0)
        return SharedRegion(site, form, n_bytes if n_bytes and n_bytes > 0 else _MIN_BYTES)

    def address(self, site: EventSite, operand: str) -> AffineForm | None:
        """Returns the address in an operand, in the shared memory of the own block."""
        form = address_of(self._values, site, operand)
        if form is None or form.is_mapped:
            return None
        return resized(without_conversions(form), _WIDTH)

    def of_descriptor(self, site: EventSite, operand: str) -> SharedRegion | None:
        """Returns the start of the matrix that a descriptor names; None if it is unclear."""
        number = site.operand(operand)
        instruction = self._values.given.decoder.of_statement(site.found)
        if number is None or number >= len(instruction.operands):
            return None
        named = self._values.given.register_and_offset(instruction, instruction.operands[number])
        if named is None:
            return None
        forms: set[AffineForm] = set()
        is_known = self._collect(named[0], forms, {named[0]})
        return (
            SharedRegion(site, next(iter(forms)), _MIN_BYTES)
            if is_known and len(forms) == 1
            else None
        )

    def _collect(self, use: int, forms: set[AffineForm], seen: set[int]) -> bool:
        """Collects the shared addresses that a value is made of; whether that was possible."""
        flow, given = self._values.flow, self._values.given
        form = self._values.form(use)
        if form is not None and form.base is not None and form.base.kind is TermKind.SYMBOL:
            plain = resized(without_conversions(form), _WIDTH)
            if plain is None or form.space != ".shared":
                return False
            forms.add(plain)
            return True
        if len(seen) > _MAX_DEPTH:
            return False
        definitions = flow.definitions(use)
        if len(definitions.writes) != 1 or definitions.from_entry:
            return False
        instruction = given.decoder.of_use(definitions.writes[0])
        ways = flow.uses.ways
        for each in instruction.uses:
            if ways[each] & READS and not ways[each] & GUARDS and each not in seen:
                seen.add(each)
                if not self._collect(each, forms, seen):
                    return False
        return True

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
        one, other = self._starts(first, now), self._starts(second, later)
        if one is None or other is None or one[1] != other[1]:
            is_same = first.form == second.form and (now == later or is_stable(first.form))
            is_own = is_same and bool(first_threads & second_threads)
            return RegionOverlap(is_own=True, threads=None) if is_own else None
        count = min(self._n_likely(first, one[0]), self._n_likely(second, other[0]))
        starts = {each: one[0][each] for each in _members(first_threads, count)}
        others = {each: other[0][each] for each in _members(second_threads, count)}
        both = starts.keys() & others.keys()
        is_own = any(
            starts[it] < others[it] + second.n_bytes and others[it] < starts[it] + first.n_bytes
            for it in both
        )
        found = common_bytes(starts, first.n_bytes, others, second.n_bytes, in_warp=True)
        if found is None and not is_own:
            return None
        return RegionOverlap(is_own, None if found is None else found[0])

    def are_apart(self, first: SharedRegion, second: SharedRegion) -> bool:
        """Whether no thread names bytes of one region that a thread names in the other one.

        Only regions at places that do not change are compared.
        """
        if not (is_stable(first.form) and is_stable(second.form)):
            return False
        one, other = self._starts(first, ()), self._starts(second, ())
        if one is None or other is None or one[1] != other[1]:
            return False
        return max(one[0]) + first.n_bytes <= min(other[0]) or max(
            other[0]
        ) + second.n_bytes <= min(one[0])

    def _n_likely(self, region: SharedRegion, starts: tuple[int, ...]) -> int:
        """Returns the number of threads that blocks surely may have.

        If the kernel does not state it, these are as many as find their bytes in the variable.
        """
        if self._is_stated:
            return self._n_threads
        size = bytes_of(region.symbol) if region.symbol is not None else None
        if not size:
            return min(self._n_threads, LANES)
        inside = range(size - region.n_bytes + 1)
        outside = (each for each, start in enumerate(starts) if start not in inside)
        return next(outside, self._n_threads)

    def _starts(
        self, region: SharedRegion, iterations: Iterations
    ) -> tuple[tuple[int, ...], object] | None:
        found = self._numbers and self._numbers.form(region.form, iterations)
        return None if not found else (found.numbers, found.unknowns)


def _members(threads: int, n_threads: int) -> list[int]:
    return [each for each in range(n_threads) if threads >> each & 1]
