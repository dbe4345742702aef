"""The horizontal place of each item: apart from its neighbours, trunks straight.

An item should be at the mean of the items that it is linked to. Of all places that keep the order
and the distances in a layer, those with the least sum of squares are computed (pool adjacent
violators), in sweeps over the layers. Finally, lines that can be straight are made straight.
"""

from __future__ import annotations

from bisect import bisect_left
from graphlib import TopologicalSorter
from itertools import pairwise
from math import inf
from typing import TYPE_CHECKING, Final

from ptx_ls.source.named_tuple import NamedTuple

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from ptx_ls.features.control_flow.layered.bundles import Layering, Step

_GAP: Final = 36.0
"""Distance between boxes."""
_BESIDE: Final = 22.0
"""Distance between a box and a trunk."""
_BETWEEN: Final = 14.0
"""Distance between trunks."""
_N_SWEEPS: Final = 10
_N_SWEEPS_OF_LARGE: Final = 4
"""The number of sweeps for a large picture."""
_JOIN_WEIGHT: Final = 0.2
"""The weight with which a box is pulled to a trunk that its link joins on the way."""
_N_SETTLING_ROUNDS: Final = 4
_MAX_SMALL_ITEMS: Final = 6000
"""Maximum number of items of a small picture."""
_INERTIA: Final = 0.01
"""The weight of an item's current place, so that items without links move first."""


class _Pull(NamedTuple):
    """Draws an item to a place `offset` to the right of another one."""

    other: int
    weight: float
    offset: float = 0


def columns(
    found: Layering, widths: Sequence[float], should_stop: Callable[[], bool]
) -> list[float]:
    """Returns the middle of each item; `widths`: the widths of the boxes."""
    width = [*widths, *([0.0] * (len(found.rank) - len(widths)))]
    apart = [_apart(layer, width, len(widths)) for layer in found.layers]
    above, below, beside = _pulls(found, width, len(widths))
    middles = [0.0] * len(found.rank)
    for layer, gaps in zip(found.layers, apart, strict=True):
        right = 0.0
        for item, gap in zip(layer, [0.0, *gaps], strict=True):
            right += gap
            middles[item] = right
    n_sweeps = _N_SWEEPS_OF_LARGE if len(middles) > _MAX_SMALL_ITEMS else _N_SWEEPS
    for number in range(n_sweeps):
        if should_stop():
            break
        is_late = number >= n_sweeps // 2
        numbers = range(len(apart)) if number % 2 == 0 else reversed(range(len(apart)))
        for layer_number in numbers:
            layer = found.layers[layer_number]
            sides = (above, below) if is_late else (above if number % 2 == 0 else below,)
            wishes = [_wish(item, middles, (*sides, beside)) for item in layer]
            places = spread(wishes, apart[layer_number])
            for item, place in zip(layer, places, strict=True):
                middles[item] = place
    _straighten(found, apart, middles, (above, below, beside))
    return middles


def spread(wishes: Sequence[tuple[float, float]], apart: Sequence[float]) -> list[float]:
    """Returns the places nearest to `wishes` (place, weight) that keep order and distances."""
    pools: list[tuple[float, float, int]] = []  # mean, weight, number of items
    shift = 0.0
    for (place, weight), distance in zip(wishes, [0.0, *apart], strict=True):
        shift += distance
        mean, total, n_pooled = place - shift, weight, 1
        while pools and pools[-1][0] > mean:
            other, other_weight, n_others = pools.pop()
            mean = (mean * total + other * other_weight) / (total + other_weight)
            total += other_weight
            n_pooled += n_others
        pools.append((mean, total, n_pooled))
    found = [mean for mean, _, n_pooled in pools for _ in range(n_pooled)]
    shift = 0.0
    for number, distance in enumerate(apart, 1):
        shift += distance
        found[number] += shift
    return found


def _apart(layer: Sequence[int], width: Sequence[float], n_boxes: int) -> list[float]:
    """Returns the minimum distances between the middles of neighbours."""
    found = []
    for left, right in pairwise(layer):
        n_trunks = (left >= n_boxes) + (right >= n_boxes)
        gap = (_GAP, _BESIDE, _BETWEEN)[n_trunks]
        found.append((width[left] + width[right]) / 2 + gap)
    return found


def _pulls(
    found: Layering, width: Sequence[float], n_boxes: int
) -> tuple[list[list[_Pull]], list[list[_Pull]], list[list[_Pull]]]:
    """Returns the pulls on each item from above, from below, and in its own layer."""
    above: list[list[_Pull]] = [[] for _ in found.rank]
    below: list[list[_Pull]] = [[] for _ in found.rank]
    beside: list[list[_Pull]] = [[] for _ in found.rank]
    only = _only_steps(found)
    starts = {trunk.items[0] for trunk in found.down.values()}
    for step in found.steps:
        weight = 40.0 if step.is_trunk else 4.0 if step in only else 1.0
        is_join = step.lower >= n_boxes and not step.is_trunk and step.lower not in starts
        below[step.upper].append(_Pull(step.lower, _JOIN_WEIGHT if is_join else weight))
        if not is_join:  # otherwise each would move the whole trunk a little
            above[step.lower].append(_Pull(step.upper, weight))
    for item, box in found.turns:
        beside[item].append(_Pull(box, 1.0, width[box] / 2 + _BESIDE))
    for upper, lower in found.loose:
        beside[lower].append(_Pull(upper, 1.0))
    return above, below, beside


def _only_steps(found: Layering) -> set[Step]:
    """Returns the steps that share neither end with another step."""
    n_from, n_to = [0] * len(found.rank), [0] * len(found.rank)
    for step in found.steps:
        n_from[step.upper] += 1
        n_to[step.lower] += 1
    return {it for it in found.steps if n_from[it.upper] == n_to[it.lower] == 1}


def _wish(
    item: int, middles: Sequence[float], sides: Sequence[list[list[_Pull]]]
) -> tuple[float, float]:
    total, weight = middles[item] * _INERTIA, _INERTIA
    for side in sides:
        for other, strength, offset in side[item]:
            total += (middles[other] + offset) * strength
            weight += strength
    return total / weight, weight


def _straighten(
    found: Layering,
    apart: Sequence[Sequence[float]],
    middles: list[float],
    pulls: Sequence[list[list[_Pull]]],
) -> None:
    """Aligns the items of each straight line vertically, and moves others aside."""
    line_of = _lines(found)
    n_lines = max(line_of, default=-1) + 1
    sums, counts = [0.0] * n_lines, [0] * n_lines
    for item, line in enumerate(line_of):
        sums[line] += middles[item]
        counts[line] += 1
    wanted = [total / count for total, count in zip(sums, counts, strict=True)]
    right_of = _neighbours(found, apart, line_of)
    # Lines that are pushed only right keep apart, as do those pushed only left, and their means.
    pushed, pulled = list(wanted), list(wanted)
    ordered = _from_left(right_of)
    for line in ordered:
        for other, gap in right_of[line]:
            pushed[other] = max(pushed[other], pushed[line] + gap)
    for line in reversed(ordered):
        for other, gap in right_of[line]:
            pulled[line] = min(pulled[line], pulled[other] - gap)
    places = [(one + other) / 2 for one, other in zip(pushed, pulled, strict=True)]
    _settle(places, ordered, right_of, _pulls_of_lines(line_of, pulls))
    for item, line in enumerate(line_of):
        middles[item] = places[line]


def _pulls_of_lines(
    line_of: Sequence[int], sides: Sequence[list[list[_Pull]]]
) -> list[list[_Pull]]:
    """Returns the pulls on lines: the pulls on their items."""
    found: list[list[_Pull]] = [[] for _ in range(max(line_of, default=-1) + 1)]
    for side in sides:
        for item, pulls in enumerate(side):
            line = line_of[item]
            found[line] += [
                _Pull(line_of[it.other], it.weight, it.offset)
                for it in pulls
                if line_of[it.other] != line
            ]
    return found


def _settle(
    places: list[float],
    ordered: Sequence[int],
    right_of: Sequence[Sequence[tuple[int, float]]],
    pulls: Sequence[Sequence[_Pull]],
) -> None:
    """Moves each line to where it is pulled, as far as its neighbours allow."""
    left_of: list[list[tuple[int, float]]] = [[] for _ in places]
    for line, others in enumerate(right_of):
        for other, gap in others:
            left_of[other].append((line, gap))
    for number in range(_N_SETTLING_ROUNDS):
        for line in ordered if number % 2 else reversed(ordered):
            weight = sum([it.weight for it in pulls[line]])
            if not weight:
                continue
            wish = sum([(places[it.other] + it.offset) * it.weight for it in pulls[line]]) / weight
            low = max([places[other] + gap for other, gap in left_of[line]], default=-inf)
            high = min([places[other] - gap for other, gap in right_of[line]], default=inf)
            places[line] = max(low, min(high, wish))


def _neighbours(
    found: Layering, apart: Sequence[Sequence[float]], line_of: Sequence[int]
) -> list[list[tuple[int, float]]]:
    """Returns the lines to the right of each line, and the minimum distances to them."""
    right_of: list[list[tuple[int, float]]] = [[] for _ in range(max(line_of, default=-1) + 1)]
    for layer, gaps in zip(found.layers, apart, strict=True):
        for (left, right), gap in zip(pairwise(layer), gaps, strict=True):
            right_of[line_of[left]].append((line_of[right], gap))
    return right_of


def _from_left(right_of: Sequence[Sequence[tuple[int, float]]]) -> list[int]:
    """Returns the lines in an order in which each is after those to its left."""
    sorter: TopologicalSorter[int] = TopologicalSorter()
    for line, others in enumerate(right_of):
        sorter.add(line)
        for other, _ in others:
            sorter.add(other, line)
    return list(sorter.static_order())


def _lines(found: Layering) -> list[int]:
    """Returns the number of each item's line. No two lines cross, so all can be straight."""
    place = {item: number for layer in found.layers for number, item in enumerate(layer)}
    only = _only_steps(found)
    by_layer: list[list[Step]] = [[] for _ in found.layers]
    for step in found.steps:
        if step.is_trunk or step in only:
            by_layer[found.rank[step.upper]].append(step)
    above: dict[int, int] = {}
    for steps in by_layer:
        # Steps of trunks first: a bend in a long line is more visible than one between two boxes.
        uppers, lowers = [-1, len(place)], [-1, len(place)]
        for step in sorted(steps, key=lambda it: (not it.is_trunk, place[it.upper])):
            upper, lower = place[step.upper], place[step.lower]
            index = bisect_left(uppers, upper)
            if uppers[index] != upper and lowers[index - 1] < lower < lowers[index]:
                uppers.insert(index, upper)
                lowers.insert(index, lower)
                above[step.lower] = step.upper
    line_of = [-1] * len(found.rank)
    n_lines = 0
    for layer in found.layers:
        for item in layer:
            if item in above:
                line_of[item] = line_of[above[item]]
            else:
                line_of[item] = n_lines
                n_lines += 1
    return line_of
