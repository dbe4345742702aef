"""Lines between two layers: down, across on a track, and down again.

Lines of one trunk share a track. Others have their own tracks where they would overlap, in an order
in which few of them cross.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from collections.abc import Sequence

_MAX_STRAIGHT_WIDTH: Final = 0.5
_MIN_DISTANCE: Final = 4.0
"""Vertical lines that are closer look like a single line."""
_OVERLAP_COST: Final = 3
"""The number of crossings that is as bad as an overlap."""
_MAX_COMPARED_BENDS: Final = 120
"""Maximum number of bends in a channel whose pairs are compared."""


@dataclass(slots=True, eq=False)
class Bend:
    """Lines that share a track: the places of their upper and lower ends."""

    tops: list[float] = field(default_factory=list)
    bottoms: list[float] = field(default_factory=list)
    track: int = 0

    @property
    def left(self) -> float:
        """The left end of the track."""
        return min((*self.tops, *self.bottoms))

    @property
    def right(self) -> float:
        """The right end of the track."""
        return max((*self.tops, *self.bottoms))

    @property
    def is_straight(self) -> bool:
        """Whether no line goes across."""
        return self.right - self.left < _MAX_STRAIGHT_WIDTH


def assign_tracks(bends: Sequence[Bend], margin: float) -> int:
    """Gives each bend its track, 0 the uppermost; returns the number of tracks.

    `margin`: the distance beyond its ends in which a track has to be free.
    """
    waiting = [bend for bend in bends if not bend.is_straight]
    waiting.sort(key=_slant)
    if len(waiting) <= _MAX_COMPARED_BENDS:
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
    """Sort key: lines that lead left, from the leftmost on, then others, from the rightmost on."""
    top = sum(bend.tops) / len(bend.tops) if bend.tops else bend.right
    bottom = sum(bend.bottoms) / len(bend.bottoms) if bend.bottoms else bend.right
    return (True, -bend.right) if bottom >= top else (False, bend.left)


def _untangled(bends: Sequence[Bend]) -> list[Bend]:
    """Returns the bends, each inserted among those before it where the fewest lines cross."""
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
    """Returns the cost of `upper` above `lower`: the lines that cross or overlap."""
    found = 0
    for ends, track, others in (
        (lower.tops, upper, upper.bottoms),
        (upper.bottoms, lower, lower.tops),
    ):
        for place in ends:
            found += track.left < place < track.right
            found += _OVERLAP_COST * any(abs(place - other) < _MIN_DISTANCE for other in others)
    return found
