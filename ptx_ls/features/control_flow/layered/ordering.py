"""Orders items within layers so that few lines cross: by barycentres, in sweeps down and up."""

from __future__ import annotations

from bisect import bisect_right, insort
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from collections.abc import Callable

    from ptx_ls.features.control_flow.layered.bundles import Layering

_MAX_SWEEPS: Final = 12
_MAX_VAIN_SWEEPS: Final = 3
"""Maximum number of sweeps in a row without an improvement."""
_TRUNK_CROSSING_COST: Final = 3
"""The added cost of two trunks that cross, because one of them has to bend."""
_BESIDE: Final = 0.25
"""Distance of a trunk that leads up, to the right of the box where it begins or ends."""


def order(found: Layering, should_stop: Callable[[], bool]) -> None:
    """Sorts each layer in place."""
    sweeper = _Sweeper(found)
    best, fewest = [list(layer) for layer in found.layers], sweeper.crossings()
    n_vain = 0
    for number in range(_MAX_SWEEPS):
        if not fewest or n_vain == _MAX_VAIN_SWEEPS or should_stop():
            break
        sweeper.sweep(is_down=number % 2 == 0)
        crossings = sweeper.crossings()
        n_vain += 1
        if crossings < fewest:
            best, fewest, n_vain = [list(layer) for layer in found.layers], crossings, 0
    found.layers[:] = best


class _Sweeper:
    def __init__(self, found: Layering) -> None:
        self._layers = found.layers
        self._place = [0.0] * len(found.rank)
        self._above: list[list[int]] = [[] for _ in found.rank]
        self._below: list[list[int]] = [[] for _ in found.rank]
        self._beside: list[list[int]] = [[] for _ in found.rank]
        for step in found.steps:
            self._below[step.upper].append(step.lower)
            self._above[step.lower].append(step.upper)
        self._next = {step.upper: step.lower for step in found.steps if step.is_trunk}
        self._before = {lower: upper for upper, lower in self._next.items()}
        for item, box in found.turns:
            self._beside[item].append(box)
        # Initially, trunks are right of the boxes that they lead to.
        heads = {
            item: trunk.head
            for trunks in (found.down, found.up)
            for trunk in trunks.values()
            for item in trunk.items
        }
        for layer in self._layers:
            layer.sort(key=lambda item: heads.get(item, item))
            self._number(layer)
        self.sweep(is_down=True)

    def _number(self, layer: list[int]) -> None:
        for number, item in enumerate(layer):
            self._place[item] = number

    def sweep(self, *, is_down: bool) -> None:
        """Sorts each layer by the places of the linked items in the layer before."""
        place, beside = self._place, self._beside
        linked = self._above if is_down else self._below
        straight = self._before if is_down else self._next
        for layer in self._layers if is_down else reversed(self._layers):
            keys = {}
            for item in layer:
                trunk = straight.get(item)
                others = linked[item] if trunk is None else (trunk,)
                total = sum([place[it] for it in others])
                keys[item] = total / len(others) if others else place[item]
            for item in layer:
                if beside[item]:
                    wishes = [keys[box] + _BESIDE for box in beside[item]]
                    wishes += [place[it] for it in linked[item]]
                    keys[item] = sum(wishes) / len(wishes)
            layer.sort(key=keys.__getitem__)
            self._number(layer)

    def crossings(self) -> int:
        """Returns a cost: crossings, and items between boxes and the trunks that they turn into."""
        place = self._place
        found = 0
        for layer in self._layers:
            ends: list[float] = []
            trunks: list[float] = []
            for item in layer:
                new = [place[it] for it in self._below[item]]
                found += sum(len(ends) - bisect_right(ends, end) for end in new)
                for end in new:
                    insort(ends, end)
                lower = self._next.get(item)
                if lower is not None:
                    found += _TRUNK_CROSSING_COST * (
                        len(trunks) - bisect_right(trunks, place[lower])
                    )
                    insort(trunks, place[lower])
                for box in self._beside[item]:
                    found += int(abs(place[box] - place[item])) - 1
        return found
