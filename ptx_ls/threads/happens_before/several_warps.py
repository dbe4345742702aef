"""Finds out whether accesses of different warps of a block may be unordered.

A kernel that does not state its block shape may run with one warp in each block. Then shuffles and
barriers of the warp order everything.
"""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING, Final

from ptx_ls.source.reachability import reached
from ptx_ls.threads.happens_before.access_overlaps import AccessOverlaps
from ptx_ls.threads.happens_before.ordering import OrderingLevel, ordering_of
from ptx_ls.threads.happens_before.shared_accesses import MANY_ACCESSES
from ptx_ls.threads.launch_example.launch import launches_of_one_warp
from ptx_ls.threads.uniformity.levels import LANES
from ptx_ls.values.affine_values import is_stable

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

    from ptx_ls.semantics.symbols.symbols import Symbol
    from ptx_ls.threads.events.sites import EventSite
    from ptx_ls.threads.happens_before.shared_accesses import SharedAccess
    from ptx_ls.threads.launch_example.launch import LaunchExample
    from ptx_ls.values.function_values import FunctionValues

_OF_WARPGROUPS: Final = ("wgmma", "setmaxnreg")
"""The opcodes of instructions that four warps execute together."""
_ThreadBytes = dict[int, range]
"""The bytes of a variable that each thread accesses."""


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
        """Whether a block of one warp would surely read what only other warps write."""
        written: dict[Symbol, list[SharedAccess]] = {}
        for each in self._accesses:
            if each.event.is_write:
                symbol = self._overlaps.symbol(each)
                if symbol is None or each.is_remote:
                    return False  # it may write anything
                written.setdefault(symbol, []).append(each)
        return any(self._is_of_others(*each) for each in self._reads(written)) and all(
            self._reads_unwritten(AccessOverlaps(self._values, each), written)
            for each in launches_of_one_warp(self._launch)
        )

    def _reads(
        self, written: Mapping[Symbol, Iterable[SharedAccess]]
    ) -> Iterator[tuple[SharedAccess, Sequence[SharedAccess]]]:
        """Yields the reads of variables, and the writes that may come before them."""
        for read in self._accesses:
            if read.event.is_read and not read.is_asynchronous:
                symbol = self._overlaps.symbol(read)
                writes = written.get(symbol, ()) if symbol is not None else ()
                before = [each for each in writes if self._may_come_first(each, read)]
                if before:
                    yield read, before

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
        places = _bytes(self._overlaps, read) or {}
        left = {it for thread, each in places.items() if thread < LANES for it in each}
        found = [_bytes(self._overlaps, each) or {} for each in writes if left]
        own = [each for one in found for thread, each in one.items() if thread < LANES]
        left.difference_update(*own)
        starts = {each.start for one in found for thread, each in one.items() if thread >= LANES}
        return not left.isdisjoint(starts)

    def _reads_unwritten(
        self, overlaps: AccessOverlaps, written: Mapping[Symbol, Iterable[SharedAccess]]
    ) -> bool:
        """Whether most threads of a launch read bytes that none has written.

        A kernel may ignore what a few threads read, as at the end of a row.
        """
        for read, writes in self._reads(written):
            places, filled = _bytes(overlaps, read), set[int]()
            for each in writes if places else ():
                form, found = overlaps.form(each), _bytes(overlaps, each)
                if found is None or form is None or not is_stable(form):
                    break  # it may write other bytes in later iterations
                filled.update(*found.values())
            else:
                lanes = (places or {}).values()
                n_unwritten = sum(filled.isdisjoint(each) for each in lanes)
                if 2 * n_unwritten > len(lanes):
                    return True
        return False


def _bytes(overlaps: AccessOverlaps, access: SharedAccess) -> _ThreadBytes | None:
    """Returns the bytes of a variable that each thread accesses; None if they are unclear."""
    address = None if access.is_asynchronous else overlaps.address(access, ())
    if address is None or len(address.unknowns) != 1:
        return None
    runs = overlaps.threads(access, ())
    if runs is None:
        return None
    starts = {each: address.numbers[each] for each in runs.threads if access.takes_part(each)}
    return {each: range(start, start + access.n_bytes) for each, start in starts.items()}
