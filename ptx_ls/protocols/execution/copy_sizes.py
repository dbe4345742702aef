"""The sizes of tensor copies, which their tensor maps contain, as far as a run shows them."""

from __future__ import annotations

from itertools import pairwise
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from collections.abc import Iterable

    from ptx_ls.document.coordinates import FunctionPosition

_FEWEST_BYTES: Final = 16
"""Number of bytes that every copy of an unknown size, and every matrix, has at least."""


class CopySizes:
    """How many bytes copies surely write, by their places."""

    def __init__(self) -> None:
        self._known: dict[FunctionPosition, int] = {}

    def of(self, place: FunctionPosition) -> int:
        """Returns how many bytes the copy at a place writes, at least."""
        return self._known.get(place, _FEWEST_BYTES)

    def note(self, copies: Iterable[tuple[int, FunctionPosition]], n_bytes: int) -> None:
        """Notes the sizes of copies that together bring the bytes that a phase still misses.

        Copies of one phase do not overlap. So if they begin at equal distances, they are as large,
        and in other cases, the last one brings at least what does not fit before it.

        `copies`: the first address that each writes, and its place.
        """
        places = sorted(copies)
        if not places:
            return
        starts = [start for start, _ in places]
        share = n_bytes // len(places)
        is_even = share * len(places) == n_bytes
        if is_even and all(other - one == share for one, other in pairwise(starts)):
            for _, place in places:
                self._note(place, share)
        elif len({*starts}) == len(starts):
            self._note(places[-1][1], n_bytes - (starts[-1] - starts[0]))

    def _note(self, place: FunctionPosition, n_bytes: int) -> None:
        known = self._known.get(place, n_bytes)
        self._known[place] = max(_FEWEST_BYTES, min(known, n_bytes))
