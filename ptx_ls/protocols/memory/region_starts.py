"""The places where regions of shared memory begin in each thread."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from typing import TYPE_CHECKING, Final

from ptx_ls.source.named_tuple import NamedTuple

if TYPE_CHECKING:
    from ptx_ls.threads.launch_example.thread_number import Unknowns

WIDTH: Final = 32
"""Width of addresses in shared memory."""
MASK: Final = (1 << WIDTH) - 1


class RegionStarts(NamedTuple):
    """Where a region begins in each thread of an example launch.

    Attributes:
        plain: the starts without the constant part of the address.
        offset: the constant part.
        lowest, highest: the smallest and the largest start.
        unknowns: unknown numbers that all threads add.
    """

    plain: tuple[int, ...]
    offset: int
    lowest: int
    highest: int
    unknowns: Unknowns

    @property
    def numbers(self) -> tuple[int, ...]:
        """The start in each thread."""
        offset = self.offset
        return tuple([each + offset & MASK for each in self.plain])

    def may_meet(self, n_bytes: int, other: RegionStarts, other_bytes: int) -> bool:
        """Whether this and another region of some sizes may overlap, if their unknowns agree."""
        return self.lowest < other.highest + other_bytes and other.lowest < self.highest + n_bytes

    def meets(self, n_bytes: int, other: RegionStarts, other_bytes: int) -> bool:
        """Whether some threads name common bytes, which takes more time than `may_meet`."""
        if not self.may_meet(n_bytes, other, other_bytes):
            return False
        starts = sorted({*other.numbers})
        return any(
            bisect_right(starts, each - other_bytes) < bisect_left(starts, each + n_bytes)
            for each in {*self.numbers}
        )


def starts_of(plain: tuple[int, ...], offset: int, unknowns: Unknowns) -> RegionStarts:
    """Returns the starts of a region, given those without the constant part of its address."""
    lowest, highest = min(plain) + offset, max(plain) + offset
    found = RegionStarts(plain, offset, lowest, highest, unknowns)
    if lowest >= 0 and highest <= MASK:
        return found
    numbers = found.numbers
    return found._replace(lowest=min(numbers), highest=max(numbers))
