"""The knowledge of each warp about the others while a kernel runs.

A clock has how many acts of each warp, and how many phases of each mbarrier object, have surely
come before. It grows when threads wait for others.
"""

from __future__ import annotations

from typing import Final

Clock = dict[tuple[str, int], int]
WARP: Final = "warp"
OBJECT: Final = "object"


def join(clock: Clock, other: Clock) -> None:
    """Adds what another clock knows."""
    for key, number in other.items():
        if number > clock.get(key, 0):
            clock[key] = number


class Clocks:
    """The clocks of the warps of a block."""

    def __init__(self) -> None:
        self._clocks: dict[int, Clock] = {}

    def of(self, warp: int) -> Clock:
        """Returns the clock of a warp."""
        if warp not in self._clocks:
            self._clocks[warp] = {(WARP, warp): 1}
        return self._clocks[warp]

    def now(self, warp: int) -> int:
        """Returns the number of the current act of a warp."""
        return self.of(warp)[WARP, warp]

    def release(self, warp: int, into: Clock) -> None:
        """Tells what a warp has done so far, and begins its next act."""
        own = self.of(warp)
        join(into, own)
        own[WARP, warp] += 1

    def acquire(self, warp: int, other: Clock) -> None:
        """Adds to the clock of a warp what it has waited for."""
        join(self.of(warp), other)

    def knows(self, warp: int, act: tuple[int, int]) -> bool:
        """Whether a warp knows that an act of a warp, given by the number of each, is over."""
        return act[0] == warp or self.of(warp).get((WARP, act[0]), 0) >= act[1]
