"""Lines through the room between two layers: down, across on a track, and down again.

Lines that belong together (all to one trunk) share a track. Others have their own where they would
lie upon each other, in an order by which few of them cross.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from collections.abc import Sequence

_STRAIGHT: Final = 0.5
_NEAR: Final = 4.0
_UPON: Final = 3
"""How many crossings are as bad as two lines upon each other."""
_MANY: Final = 120
"""Bends in one channel for which the pairs are not compared: there would be too many."""


@dataclass(slots=True, eq=False)
class Bend:
    """Lines that share a track: where they come from above, and where they go below."""

    tops: list[float] = field(default_factory=list)
    bottoms: list[float] = field(default_factory=list)
    track: int = 0

    @property
    def left(self) -> float:
        """Where the track begins."""
        return min((*self.tops, *self.bottoms))

    @property
    def right(self) -> float:
        """Where the track ends."""
        return max((*self.tops, *self.bottoms))

    @property
    def is_straight(self) -> bool:
        """Whether nothing goes across."""
        return self.right - self.left < _STRAIGHT


def assign_tracks(bends: Sequence[Bend], margin: float) -> int:
    """Gives each bend its track, 0 the uppermost; returns how many there are.

    `margin`: how far beyond its ends a track has to be free.
    """
    waiting = [bend for bend in bends if not bend.is_straight]
    waiting.sort(key=_slant)
    if len(waiting) <= _MANY:
        waiting = _untangled(waiting)
    n_tracks = 0
    placed: list[tuple[float, float, int]] = []
    for bend in waiting:
        left, right = bend.left - margin, bend.right + margin
        bend.track = 1 + max(
            (track for start, end, track in placed if start < right and left < end), default=-1
        )
        placed.append((bend.left, bend.right, bend.track))
        n_tracks = max(n_tracks, bend.track + 1)
    return n_tracks


def _slant(bend: Bend) -> tuple[bool, float]:
    """Of lines that go to the right the rightmost comes first, of the others the leftmost."""
    top = sum(bend.tops) / len(bend.tops) if bend.tops else bend.right
    bottom = sum(bend.bottoms) / len(bend.bottoms) if bend.bottoms else bend.right
    return (True, -bend.right) if bottom >= top else (False, bend.left)


def _untangled(bends: Sequence[Bend]) -> list[Bend]:
    """Puts each bend among those before it where the fewest lines cross."""
    found: list[Bend] = []
    for bend in bends:
        cost, least, best = 0, 0, len(found)
        for number in range(len(found) - 1, -1, -1):
            other = found[number]
            cost += _crossings(bend, other) - _crossings(other, bend)
            if cost < least:
                least, best = cost, number
        found.insert(best, bend)
    return found


def _crossings(upper: Bend, lower: Bend) -> int:
    """How bad it is if one bend is above another: how many lines cross, or lie upon each other."""
    found = 0
    for ends, track, others in (
        (lower.tops, upper, upper.bottoms),
        (upper.bottoms, lower, lower.tops),
    ):
        for place in ends:
            found += track.left < place < track.right
            found += _UPON * any(abs(place - other) < _NEAR for other in others)
    return found
