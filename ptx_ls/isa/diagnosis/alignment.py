"""Aligns modifiers with the ordered places of a group, and finds single changes that align them.

Both directions are bit sets. Bit `p` of `before[t]` is set if the first `t` modifiers can fill the
places before `p`, and bit `p` of `after[t]` if the modifiers from `t` on can fill the places from
`p` on; neither leaves a required place empty.
"""

from __future__ import annotations

from collections.abc import Sequence


class Alignment:
    """How modifiers align with the places of one group. Immutable."""

    __slots__ = ("_after", "_before", "_optional", "_takes", "is_complete")

    def __init__(self, takes: Sequence[int], optional: int, n_places: int) -> None:
        """`takes`: the places that take each modifier; `optional`: places that may stay empty."""
        self._takes, self._optional = tuple(takes), optional
        before = [self._skip_on(1)]
        for places in takes:
            before.append(self._skip_on((before[-1] & places) << 1))
        after = [self._skip_back(1 << n_places)]
        for places in reversed(self._takes):
            after.append(self._skip_back((after[-1] >> 1) & places))
        self._before, self._after = before, after[::-1]
        self.is_complete = bool(self._after[0] & 1)
        """Whether each modifier has a place and no required place is empty."""

    def replacing(self, member: int) -> list[int]:
        """Returns the places that another modifier can have instead of the one at an index."""
        return _bits(self._before[member] & (self._after[member + 1] >> 1))

    def inserting(self, member: int) -> list[int]:
        """Returns the places for one more modifier, before the one at an index."""
        return _bits(self._before[member] & (self._after[member] >> 1))

    def is_complete_without(self, member: int) -> bool:
        """Whether the other modifiers align without the one at index `member`."""
        return bool(self._before[member] & self._after[member + 1])

    def places(self, first: int, last: int, start: int, end: int) -> list[int] | None:
        """Returns where modifiers `first` to `last` go in the places `start` to `end`, if they fit.

        `last` and `end` are exclusive.
        """
        if first == last:
            return [] if self._may_be_empty(start, end) else None
        for place in range(start, end):
            if self._takes[first] >> place & 1:
                rest = self.places(first + 1, last, place + 1, end)
                if rest is not None:
                    return [place, *rest]
            if not self._optional >> place & 1:
                return None
        return None

    def _may_be_empty(self, start: int, end: int) -> bool:
        places = (1 << end) - (1 << start)
        return self._optional & places == places

    def _skip_on(self, positions: int) -> int:
        while (further := positions | (positions & self._optional) << 1) != positions:
            positions = further
        return positions

    def _skip_back(self, positions: int) -> int:
        while (further := positions | (positions >> 1) & self._optional) != positions:
            positions = further
        return positions


def _bits(positions: int) -> list[int]:
    return [place for place in range(positions.bit_length()) if positions >> place & 1]
