"""Finds out whether accesses of different warps of a block may be unordered.

A kernel that does not state its block shape may run with one warp in each block. Then shuffles and
barriers of the warp order everything.
"""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING, Final

from ptx_ls.source.reachability import reached
from ptx_ls.threads.happens_before.ordering import OrderingLevel, ordering_of
from ptx_ls.threads.happens_before.shared_accesses import MANY_ACCESSES
from ptx_ls.threads.uniformity.levels import LANES

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from ptx_ls.semantics.symbols.symbols import Symbol
    from ptx_ls.threads.events.sites import EventSite
    from ptx_ls.threads.happens_before.access_overlaps import AccessOverlaps
    from ptx_ls.threads.happens_before.shared_accesses import SharedAccess
    from ptx_ls.threads.launch_example.launch import LaunchExample
    from ptx_ls.values.function_values import FunctionValues

_OF_WARPGROUPS: Final = ("wgmma", "setmaxnreg")
"""The opcodes of instructions that four warps execute together."""
_WarpBytes = tuple[set[int], set[int]]
"""The bytes that the first warp accesses, and where the accesses of other warps begin."""


class SeveralWarps:
    """Whether the blocks of a launch have several warps."""

    def __init__(
        self,
        values: FunctionValues,
        launch: LaunchExample,
        accesses: Sequence[SharedAccess],
        overlaps: AccessOverlaps,
    ) -> None:
        self._values, self._launch = values, launch
        self._accesses, self._overlaps = accesses, overlaps
        self._known: dict[int, _WarpBytes | None] = {}
        self._reached: dict[int, set[int]] = {}

    def may(self, level: OrderingLevel, sites: Iterable[EventSite]) -> bool:
        """Whether it may matter that sites order accesses only at some level."""
        if level is OrderingLevel.WARP or self._launch.is_stated:
            return True
        if self._launch.n_threads <= LANES or len(self._accesses) >= MANY_ACCESSES:
            return False
        return any(ordering_of(each.known) is OrderingLevel.WARP for each in sites)

    def surely(self, level: OrderingLevel) -> bool:
        """Whether it surely matters."""
        return level is OrderingLevel.WARP or self._are_sure

    @cached_property
    def _are_sure(self) -> bool:
        """Whether blocks surely have several warps, whose accesses nothing in a warp orders."""
        return (
            self._launch.is_stated
            or self._values.flow.text.has_opcodes(_OF_WARPGROUPS)
            or self._needs_several
        )

    @property
    def _needs_several(self) -> bool:
        """Whether the first warp of a block surely reads what only other warps have written.

        In a block of one warp, the kernel would read memory that it has not written.
        """
        written: dict[Symbol, list[SharedAccess]] = {}
        for each in self._accesses:
            if each.event.is_write:
                symbol = self._overlaps.symbol(each)
                if symbol is None or each.is_remote:
                    return False  # it may write anything
                written.setdefault(symbol, []).append(each)
        reads = [it for it in self._accesses if it.event.is_read and not it.is_asynchronous]
        for read in reads:
            symbol = self._overlaps.symbol(read)
            writes = written.get(symbol, ()) if symbol is not None else ()
            before = [each for each in writes if self._may_come_first(each, read)]
            if before and self._is_of_others(read, before):
                return True
        return False

    def _may_come_first(self, write: SharedAccess, read: SharedAccess) -> bool:
        """Whether a path leads from a write to a read."""
        start, end = write.site.block, read.site.block
        if start == end and write.number <= read.number:
            return True
        if start not in self._reached:
            following = self._values.graph.successors
            self._reached[start] = reached(following[start], following.__getitem__)
        return end in self._reached[start]

    def _is_of_others(self, read: SharedAccess, writes: Iterable[SharedAccess]) -> bool:
        """Whether the first warp reads bytes that other warps write, but not the first one."""
        places = self._bytes(read)
        left, others = set() if places is None else set(places[0]), set[int]()
        for write in writes if left else ():
            found = self._bytes(write)
            if found is None:
                return False
            left -= found[0]
            if not left:
                return False
            others |= found[1]
        return not left.isdisjoint(others)

    def _bytes(self, access: SharedAccess) -> _WarpBytes | None:
        """Returns the bytes of a variable that warps access; None if that is unclear."""
        if access.number not in self._known:
            self._known[access.number] = self._find_bytes(access)
        return self._known[access.number]

    def _find_bytes(self, access: SharedAccess) -> _WarpBytes | None:
        address = None if access.is_asynchronous else self._overlaps.address(access, ())
        if address is None or len(address.unknowns) != 1:
            return None
        runs = self._overlaps.threads(access, ())
        if runs is None:
            return None
        own, others = set[int](), set[int]()
        for each in filter(access.takes_part, runs.threads):
            start = address.numbers[each]
            if each < LANES:
                own.update(range(start, start + access.n_bytes))
            else:
                others.add(start)
        return own, others
