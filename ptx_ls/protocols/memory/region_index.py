"""Finds regions of shared memory that may have common bytes."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from itertools import accumulate
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable

    from ptx_ls.protocols.memory.regions import SharedRegion, SharedRegions
    from ptx_ls.threads.launch_example.iterations import Iterations


class RegionIndex:
    """Regions, each in some iterations of loops, to find those that may overlap another one."""

    def __init__(
        self, regions: SharedRegions, members: Iterable[tuple[SharedRegion, Iterations]]
    ) -> None:
        self._regions = regions
        self._of_number: dict[int, list[int]] = {}
        spans: dict[object, list[tuple[int, int, int]]] = {}
        for place, (region, iterations) in enumerate(members):
            self._of_number.setdefault(region.number, []).append(place)
            starts = regions.starts(region, iterations)
            if starts is not None:
                span = starts.lowest, starts.highest + region.n_bytes, place
                spans.setdefault((region.symbol, starts.unknowns), []).append(span)
        self._spans = {key: SortedSpans(own) for key, own in spans.items()}

    def near(self, region: SharedRegion) -> list[int]:
        """Returns the places of the members that may overlap a region in the first iterations."""
        found = {*self._of_number.get(region.number, ())}
        starts = self._regions.starts(region, ())
        if starts is not None:
            spans = self._spans.get((region.symbol, starts.unknowns))
            if spans is not None:
                found |= spans.meeting(starts.lowest, starts.highest + region.n_bytes)
        return sorted(found)


class SortedSpans:
    """Spans of bytes, each with its first byte, its end and a place, by their first bytes."""

    def __init__(self, spans: list[tuple[int, int, int]]) -> None:
        self._spans = sorted(spans)
        self._firsts = [first for first, _, _ in self._spans]
        self._ends = [*accumulate((end for _, end, _ in self._spans), max)]

    def meeting(self, first: int, end: int) -> set[int]:
        """Returns the places of the spans with bytes from `first` on and before `end`."""
        since, until = bisect_right(self._ends, first), bisect_left(self._firsts, end)
        return {place for _, own_end, place in self._spans[since:until] if own_end > first}
