"""Counts the sectors of global memory that the lanes of a warp access with one instruction.

Source: CUDA C++ Programming Guide, "Device Memory Accesses". Caches and memory transfer sectors of
32 bytes, as a whole.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from ptx_ls.source.named_tuple import NamedTuple

if TYPE_CHECKING:
    from collections.abc import Collection

SECTOR: Final = 32
"""The number of bytes of a sector."""


class SectorUse(NamedTuple):
    """The sectors that a warp accesses. `fewest`: how many could hold the same bytes."""

    n_sectors: int
    fewest: int

    @property
    def factor(self) -> float:
        """How many times the sectors are as many as needed."""
        return self.n_sectors / max(1, self.fewest)


def sector_use(spans: Collection[tuple[int, int]], unit: int) -> SectorUse:
    """Returns the sectors that surely hold some spans, each a place with a number of bytes.

    The places count from one that is a multiple of `unit`, but perhaps not of a sector.
    """
    places = {each for first, size in spans for each in range(first, first + size)}
    counts = [
        len({(each + shift) // SECTOR for each in places})
        for shift in range(0, SECTOR, min(unit, SECTOR))
    ]
    return SectorUse(min(counts, default=0), -(-len(places) // SECTOR))
