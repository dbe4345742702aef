"""Ports: the places where links leave the lower side of a box, and enter the upper side."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from ptx_ls.features.control_flow.layered.x_coordinates import spread
from ptx_ls.source.named_tuple import NamedTuple

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from ptx_ls.features.control_flow.layered.bundles import BundleEdge, Layering

_EDGE: Final = 14.0
"""Minimum distance from a corner of a box to a port."""
_APART: Final = 18.0
"""Minimum distance between ports."""
_SLIDE: Final = 40.0
"""Maximum distance of a port from the middle of a box if its link cannot be straight."""


class Ports(NamedTuple):
    """Places of ports by (box, item that the line leads to, or comes from)."""

    leaving: dict[tuple[int, int], float]
    coming: dict[tuple[int, int], float]


def least_width(links: Sequence[BundleEdge]) -> float:
    """Returns the minimum width of a box for the links that leave it, with their labels."""
    return 2 * _EDGE + max(0, sum(_APART + link.label_width for link in links) - _APART)


def next_item(found: Layering, link: BundleEdge) -> int:
    """Returns the first item that a link leads to."""
    rank = found.rank[link.tail]
    if link.is_back:
        return found.up[link.head].at(rank)
    if rank + 1 == found.rank[link.head]:
        return link.head
    return found.down[link.head].at(rank + 1)


def last_item(found: Layering, link: BundleEdge) -> int:
    """Returns the last item that a link comes from."""
    if link.is_back:
        return found.up[link.head].items[0]
    if found.rank[link.tail] + 1 == found.rank[link.head]:
        return link.tail
    return found.down[link.head].items[-1]


def ports(
    found: Layering, links: Sequence[BundleEdge], middles: Sequence[float], widths: Sequence[float]
) -> Ports:
    """Returns the ports of all boxes. Lines are straight where they can be."""
    made = Ports({}, {})
    coming: dict[int, dict[int, float]] = {}
    leaving: dict[int, dict[int, float]] = {}
    for link in links:
        coming.setdefault(link.head, {})[last_item(found, link)] = 0
    for head, others in coming.items():
        half = widths[head] / 2 - _EDGE
        wishes = {}
        for item in others:
            way = middles[item] - middles[head]
            is_near = abs(way) <= half
            wishes[item] = way if is_near else max(-_SLIDE, min(_SLIDE, way))
        for item, place in _placed(wishes, half, dict.fromkeys(wishes, 0.0)).items():
            made.coming[head, item] = middles[head] + place
    for link in links:
        others = leaving.setdefault(link.tail, {})
        item = next_item(found, link)
        others[item] = max(others.get(item, 0), link.label_width)
    for tail, labels in leaving.items():
        half = widths[tail] / 2 - _EDGE
        wishes = {
            item: made.coming.get((item, tail), middles[item]) - middles[tail] for item in labels
        }
        for item, place in _placed(wishes, half, labels).items():
            made.leaving[tail, item] = middles[tail] + place
    for head, others in coming.items():
        _meet(made, head, others, middles, widths[head] / 2 - _EDGE)
    return made


def _meet(
    made: Ports, head: int, others: Iterable[int], middles: Sequence[float], half: float
) -> None:
    """Moves ports on the upper side of a box below the starts of their links, if possible."""
    wishes = {}
    middle = middles[head]
    for item in others:
        place = made.leaving.get((item, head), middles[item]) - middle
        wishes[item] = place if abs(place) <= half else made.coming[head, item] - middle
    for item, place in _placed(wishes, half, dict.fromkeys(wishes, 0.0)).items():
        made.coming[head, item] = middle + place


def _placed(wishes: dict[int, float], half: float, labels: dict[int, float]) -> dict[int, float]:
    """Returns places near `wishes`, apart from one another, with room for labels to their right."""
    items = sorted(wishes, key=wishes.__getitem__)
    free = 2 * half - sum(labels.values())
    step = min(_APART, free / max(1, len(items) - 1))
    apart = [step + labels[item] for item in items[:-1]]
    # The last label may extend a little beyond the box, if its line can then be straight.
    low, high = -half, half - max(0.0, labels[items[-1]] - _EDGE)
    kept = [(max(low, min(high, wishes[item])), 1.0) for item in items]
    places = spread(kept, apart)
    # Moves places that are beyond the right corner, then those beyond the left one.
    for number in range(len(items) - 1, -1, -1):
        places[number] = min(places[number], high)
        if number:
            high = places[number] - apart[number - 1]
    for number in range(len(items)):
        places[number] = max(places[number], low)
        if number < len(apart):
            low = places[number] + apart[number]
    return dict(zip(items, places, strict=True))
