"""Finds threads whose accesses touch the same bytes."""

from __future__ import annotations

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


def common_bytes(
    first: Mapping[int, int],
    n_first: int,
    second: Mapping[int, int],
    n_second: int,
    *,
    in_warp: bool,
    across: bool = False,
) -> tuple[ThreadPair, int] | None:
    """Returns two different threads with overlapping bytes, and where their common bytes begin.

    `first` and `second` map threads to the first of their `n_first` or `n_second` bytes. The
    threads are of different warps if possible. `in_warp`: whether they may be of the same warp.
    `across`: whether they are of different blocks, so that they may have the same number.
    Returns None if there are too many bytes.
    """
    unit = gcd(n_first, n_second, *first.values(), *second.values())
    n_places = (len(first) * n_first + len(second) * n_second) // unit
    if len(first) * len(second) <= n_places:
        found = _of_pairs(first, n_first, second, n_second)
    elif n_places <= _MAX_PLACES:
        found = _of_places(first, n_first, second, n_second, unit)
    else:
        return None
    in_one_warp: tuple[ThreadPair, int] | None = None
    for (owner, thread), start in found:
        if across or owner // LANES != thread // LANES:
            return (owner, thread), start
        if owner != thread and in_warp and in_one_warp is None:
            in_one_warp = (owner, thread), start
    return in_one_warp


def _of_pairs(
    first: Mapping[int, int], n_first: int, second: Mapping[int, int], n_second: int
) -> Iterator[tuple[ThreadPair, int]]:
    """Yields threads with common bytes by comparing all pairs, for few threads and many bytes."""
    for thread, start in second.items():
        pairs = [
            (max(start, other), owner)
            for owner, other in first.items()
            if start < other + n_first and other < start + n_second
        ]
        pairs.sort(key=itemgetter(0))
        for place, owner in pairs:
            yield (owner, thread), place


def _of_places(
    first: Mapping[int, int], n_first: int, second: Mapping[int, int], n_second: int, unit: int
) -> Iterator[tuple[ThreadPair, int]]:
    """Yields threads with common bytes by listing all places of `unit` bytes, for many threads."""
    owners = _owners(first, n_first, unit)
    for thread, start in second.items():
        for place in range(start // unit, (start + n_second) // unit):
            for owner in owners.get(place, ()):
                yield (owner, thread), place * unit


def may_have_common_bytes(
    first: Mapping[int, int],
    n_first: int,
    second: Mapping[int, int],
    n_second: int,
    *,
    in_warp: bool,
    across: bool = False,
) -> bool:
    """Whether `common_bytes` may find something for some of the threads."""
    if not first or not second:
        return False
    lowest, highest = min(second.values()), max(second.values())
    if max(first.values()) + n_first <= lowest or highest + n_second <= min(first.values()):
        return False
    if len(first) * n_first + len(second) * n_second > _MAX_PLACES:
        return True
    found = common_bytes(first, n_first, second, n_second, in_warp=in_warp, across=across)
    return found is not None


def _owners(starts: Mapping[int, int], n_bytes: int, unit: int) -> dict[int, list[int]]:
    """Maps places of `unit` bytes to some of the threads that access them.

    These are the first one, another of its warp, and one of another warp, if there are such.
    """
    found: dict[int, list[int]] = {}
    for thread, start in starts.items():
        for place in range(start // unit, (start + n_bytes) // unit):
            known = found.setdefault(place, [])
            warps = [each // LANES == known[0] // LANES for each in known[1:]]
            if not known or (thread // LANES == known[0] // LANES) not in warps:
                known.append(thread)
    return found
