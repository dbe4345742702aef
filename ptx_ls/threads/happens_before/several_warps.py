"""Finds out whether accesses of different warps of a block may be unordered.

A kernel that does not state its block shape may run with one warp in each block. Then shuffles and
barriers of the warp order everything.
"""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING, Final

from ptx_ls.source.reachability import reached
from ptx_ls.threads.happens_before.ordering import OrderingLevel, ordering_of
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
_Starts = tuple[dict[int, int], int]
"""Where the access of each thread begins, and its size."""


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

    def may(self, level: OrderingLevel, sites: Iterable[EventSite]) -> bool:
        """Whether it may matter that sites order accesses only at some level."""
        if level is OrderingLevel.WARP or self._launch.is_stated:
            return True
        if self._launch.n_threads <= LANES:
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
            if _is_of_others(read, before, self._overlaps):
                return True
        return False

    def _may_come_first(self, write: SharedAccess, read: SharedAccess) -> bool:
        """Whether a path leads from a write to a read."""
        start, end = write.site.block, read.site.block
        if start == end and write.number <= read.number:
            return True
        following = self._values.graph.successors
        return end in reached(following[start], following.__getitem__)


def _is_of_others(
    read: SharedAccess, writes: Iterable[SharedAccess], overlaps: AccessOverlaps
) -> bool:
    """Whether the first warp reads bytes that other warps write, but not the first one."""
    places = _starts(read, overlaps) if writes else None
    left = set() if places is None else _bytes(places, range(LANES))
    others = set[int]()
    for write in writes if left else ():
        found = _starts(write, overlaps)
        if found is None:
            return False
        left -= _bytes(found, range(LANES))
        if not left:
            return False
        others.update(start for thread, start in found[0].items() if thread >= LANES)
    return not left.isdisjoint(others)


def _starts(access: SharedAccess, overlaps: AccessOverlaps) -> _Starts | None:
    """Returns where the threads of a block access a variable; None if that is unclear."""
    address = None if access.is_asynchronous else overlaps.address(access, ())
    if address is None or len(address.unknowns) != 1:
        return None
    runs = overlaps.threads(access, ())
    if runs is None:
        return None
    counted = filter(access.takes_part, runs.threads)
    return {each: address.numbers[each] for each in counted}, access.n_bytes


def _bytes(places: _Starts, threads: Iterable[int]) -> set[int]:
    """Returns the bytes that some threads access."""
    starts, n_bytes = places
    return {
        start + offset
        for each in threads
        if (start := starts.get(each)) is not None
        for offset in range(n_bytes)
    }
