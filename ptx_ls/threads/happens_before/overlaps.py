"""Finds threads whose accesses touch the same bytes."""

from __future__ import annotations

from functools import cached_property
from math import gcd
from operator import itemgetter
from typing import TYPE_CHECKING, Final

from ptx_ls.threads.uniformity.levels import LANES

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

_MAX_PLACES: Final = 1 << 17
"""Number of places that threads access, all together."""
ThreadPair = tuple[int, int]
"""Two threads by their numbers in the block."""


class ThreadBytes:
    """The bytes that each thread accesses with an instruction.

    Attributes:
        starts: where the bytes of each thread begin, by its number in the block.
        n_bytes: the number of bytes of each thread.
    """

    def __init__(self, starts: Mapping[int, int], n_bytes: int) -> None:
        self.starts, self.n_bytes = starts, n_bytes
        self._owners: dict[int, Mapping[int, list[int]]] = {}

    @cached_property
    def unit(self) -> int:
        """The largest number of bytes that divides all starts and the size."""
        return gcd(self.n_bytes, *self.starts.values())

    @cached_property
    def lowest(self) -> int:
        """The place of the first byte of all threads."""
        return min(self.starts.values())

    @cached_property
    def end(self) -> int:
        """The place after the last byte of all threads."""
        return max(self.starts.values()) + self.n_bytes

    @property
    def size(self) -> int:
        """The number of bytes of all threads together."""
        return len(self.starts) * self.n_bytes

    def places(self, thread: int, unit: int) -> range:
        """Returns the numbers of the places of `unit` bytes that a thread accesses."""
        start = self.starts[thread]
        return range(start // unit, (start + self.n_bytes) // unit)

    def owners(self, unit: int) -> Mapping[int, list[int]]:
        """Maps places of `unit` bytes to some of the threads that access them.

        These are the first one, another of its warp, and one of another warp, if there are such.
        """
        if unit not in self._owners:
            found: dict[int, list[int]] = {}
            for thread in self.starts:
                for place in self.places(thread, unit):
                    known = found.setdefault(place, [])
                    warps = [each // LANES == known[0] // LANES for each in known[1:]]
                    if not known or (thread // LANES == known[0] // LANES) not in warps:
                        known.append(thread)
            self._owners[unit] = found
        return self._owners[unit]


def common_bytes(
    first: ThreadBytes, second: ThreadBytes, *, in_warp: bool, across: bool = False
) -> tuple[ThreadPair, int] | None:
    """Returns two different threads with overlapping bytes, and where their common bytes begin.

    The threads are of different warps if possible. `in_warp`: whether they may be of the same warp.
    `across`: whether they are of different blocks, so that they may have the same number.
    Returns None if there are too many bytes.
    """
    unit = gcd(first.unit, second.unit)
    n_places = (first.size + second.size) // unit
    if len(first.starts) * len(second.starts) <= n_places:
        found = _of_pairs(first, second)
    elif n_places <= _MAX_PLACES:
        found = _of_places(first, second, unit)
    else:
        return None
    in_one_warp: tuple[ThreadPair, int] | None = None
    for (owner, thread), start in found:
        if across or owner // LANES != thread // LANES:
            return (owner, thread), start
        if owner != thread and in_warp and in_one_warp is None:
            in_one_warp = (owner, thread), start
    return in_one_warp


def _of_pairs(first: ThreadBytes, second: ThreadBytes) -> Iterator[tuple[ThreadPair, int]]:
    """Yields threads with common bytes by comparing all pairs, for few threads and many bytes."""
    for thread, start in second.starts.items():
        pairs = [
            (max(start, other), owner)
            for owner, other in first.starts.items()
            if start < other + first.n_bytes and other < start + second.n_bytes
        ]
        pairs.sort(key=itemgetter(0))
        for place, owner in pairs:
            yield (owner, thread), place


def _of_places(
    first: ThreadBytes, second: ThreadBytes, unit: int
) -> Iterator[tuple[ThreadPair, int]]:
    """Yields threads with common bytes by listing all places of `unit` bytes, for many threads."""
    owners = first.owners(unit)
    for thread in second.starts:
        for place in second.places(thread, unit):
            for owner in owners.get(place, ()):
                yield (owner, thread), place * unit


def may_have_common_bytes(
    first: ThreadBytes, second: ThreadBytes, *, in_warp: bool, across: bool = False
) -> bool:
    """Whether `common_bytes` may find something for some of the threads.

    Only the owners of the second bytes are listed, which callers compare with many others.
    """
    if not first.starts or not second.starts:
        return False
    if first.end <= second.lowest or second.end <= first.lowest:
        return False
    if first.size + second.size > _MAX_PLACES:
        return True
    return common_bytes(second, first, in_warp=in_warp, across=across) is not None
