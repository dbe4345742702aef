"""Lays out a directed graph: boxes in layers, links as lines of right angles around them."""

from __future__ import annotations

from itertools import pairwise
from typing import TYPE_CHECKING, Final

from ptx_ls.features.control_flow.layered.bundles import layering, n_items
from ptx_ls.features.control_flow.layered.channels import Bend, assign_tracks
from ptx_ls.features.control_flow.layered.ordering import order
from ptx_ls.features.control_flow.layered.ports import least_width, next_item, ports
from ptx_ls.features.control_flow.layered.ranks import ranks
from ptx_ls.features.control_flow.layered.x_coordinates import columns
from ptx_ls.source.named_tuple import NamedTuple

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from ptx_ls.features.control_flow.layered.bundles import BundleEdge, Layering, Trunk
    from ptx_ls.features.control_flow.layered.ports import Ports

__all__ = ["Drawing", "Point", "Size", "TooTangledError", "lay_out"]

_MAX_ITEMS: Final = 30_000
"""Maximum number of boxes and items of trunks that are laid out."""
_TRACK: Final = 8.0
_ABOVE: Final = 13.0
"""Height from the last track to the boxes below, for the heads of arrows."""
_BELOW: Final = 7.0
_LABEL: Final = 18.0
"""Height below boxes whose links have labels."""
_MARGIN: Final = 16.0


class TooTangledError(Exception):
    """The graph has more, or longer, links than a picture can show."""


class Size(NamedTuple):
    """The size of a box, or of the whole picture."""

    width: float
    height: float


class Point(NamedTuple):
    """A place, to the right and down from the upper left corner of the picture."""

    x: float
    y: float


class Drawing(NamedTuple):
    """The picture: upper left corners and sizes of boxes, and the corners of each link."""

    size: Size
    corners: list[Point]
    boxes: list[Size]
    routes: list[list[Point]]


def lay_out(
    sizes: Sequence[Size],
    links: Sequence[BundleEdge],
    hints: Sequence[tuple[int, int]] = (),
    should_stop: Callable[[], bool] = lambda: False,
) -> Drawing:
    """Returns places for boxes and links.

    Args:
        sizes: of the boxes; they become wider if labels of links need it.
        links: each pair of boxes once. They have no cycle without those that are `is_back`, which
            lead from a box back to one on a path to it.
        hints: pairs of boxes, the first of which should be above the second.
        should_stop: once it returns true, the picture becomes less tidy, but complete.

    Raises:
        TooTangledError: if it would take very long.
    """
    if not sizes:
        return Drawing(Size(2 * _MARGIN, 2 * _MARGIN), [], [], [])
    rank = ranks(len(sizes), [it[:2] for it in links if not it.is_back], hints)
    if n_items(rank, links) > _MAX_ITEMS:
        raise TooTangledError
    found = layering(rank, links)
    linked = {end for link in links for end in link[:2]}
    found.loose += (hint for hint in hints if hint[1] not in linked)
    leaving: dict[int, list[BundleEdge]] = {}
    for link in links:
        leaving.setdefault(link.tail, []).append(link)
    boxes = [
        Size(max(size.width, least_width(leaving.get(number, ()))), size.height)
        for number, size in enumerate(sizes)
    ]
    widths = [box.width for box in boxes]
    order(found, should_stop)
    middles = columns(found, widths, should_stop)
    shift = _MARGIN - _leftmost(middles, widths)
    middles = [middle + shift for middle in middles]
    router = _Router(found, links, ports(found, links, middles, widths), middles)
    tops = router.stack(boxes, {link.tail for link in links if link.label_width})
    corners = [
        Point(middles[number] - box.width / 2, tops[rank[number]])
        for number, box in enumerate(boxes)
    ]
    ends = [point.y + box.height for point, box in zip(corners, boxes, strict=True)]
    routes = [router.route(link, ends[link.tail], corners[link.head].y) for link in links]
    right = max(
        *(point.x + box.width for point, box in zip(corners, boxes, strict=True)),
        *middles,
    )
    return Drawing(Size(right + _MARGIN, router.height + _MARGIN), corners, boxes, routes)


def _leftmost(middles: Sequence[float], widths: Sequence[float]) -> float:
    n_boxes = len(widths)
    return min(
        middle - (widths[item] / 2 if item < n_boxes else 0) for item, middle in enumerate(middles)
    )


class _Hop(NamedTuple):
    """The path of a line through one channel."""

    channel: int
    bend: Bend
    start: float
    end: float


class _Router:
    """Routes links through the channels. Channel n is above layer n; the last is below them all."""

    def __init__(
        self,
        found: Layering,
        links: Sequence[BundleEdge],
        used: Ports,
        middles: Sequence[float],
    ) -> None:
        self._found, self._ports, self._middles = found, used, middles
        self._bends: list[dict[tuple[int, int], Bend]] = [{} for _ in range(len(found.layers) + 1)]
        self._tracks: list[float] = []
        self.height = 0.0
        self._ways = {(trunk.head, False): self._down(trunk) for trunk in found.down.values()}
        self._ways |= {(trunk.head, True): self._up(trunk) for trunk in found.up.values()}
        self._joins = {link[:3]: self._join(link) for link in links}

    def _bend(self, channel: int, upper: int, lower: int) -> Bend:
        """Returns the bend between two items; `-1 - item` is the lower end of an item."""
        return self._bends[channel].setdefault((upper, lower), Bend())

    def _down(self, trunk: Trunk) -> list[_Hop]:
        """Returns the path of a trunk to its head, without straight parts."""
        hops = []
        ends = [*((item, self._middles[item]) for item in trunk.items), (trunk.head, 0.0)]
        ends[-1] = trunk.head, self._ports.coming[trunk.head, trunk.items[-1]]
        for channel, ((_, start), (lower, end)) in enumerate(pairwise(ends), trunk.first + 1):
            bend = self._bend(channel, lower, lower)
            bend.tops.append(start)
            bend.bottoms.append(end)
            hops.append(_Hop(channel, bend, start, end))
        return [hop for hop in hops if hop.start != hop.end]

    def _up(self, trunk: Trunk) -> list[_Hop]:
        """Returns the path of a trunk that leads up, and then to the upper side of its head."""
        hops = []
        for layer, item in enumerate(trunk.items, trunk.first):
            start, place = self._middles[min(item + 1, trunk.items[-1])], self._middles[item]
            bend = self._bend(layer + 1, -1 - item, item)
            bend.tops.append(place)
            if item < trunk.items[-1]:
                bend.bottoms.append(start)
            hops.append(_Hop(layer + 1, bend, start, place))
        hops.reverse()
        top = self._middles[trunk.items[0]]
        end = self._ports.coming[trunk.head, trunk.items[0]]
        bend = self._bend(trunk.first, -1 - trunk.items[0], trunk.head)
        bend.bottoms += (top, end)
        hops.append(_Hop(trunk.first, bend, top, end))
        return [hop for hop in hops if hop.start != hop.end]

    def _join(self, link: BundleEdge) -> _Hop:
        """Returns the path of a link to the next layer, or into its trunk."""
        rank = self._found.rank[link.tail]
        item = next_item(self._found, link)
        start = self._ports.leaving[link.tail, item]
        if item == link.head:
            end = self._ports.coming[link.head, link.tail]
            bend = self._bend(rank + 1, link.tail, item)
        else:
            end = self._middles[item]
            bend = self._bend(rank + 1, -1 - item if link.is_back else item, item)
        bend.tops.append(start)
        if not link.is_back:
            bend.bottoms.append(end)
        return _Hop(rank + 1, bend, start, end)

    def stack(self, boxes: Sequence[Size], labelled: set[int]) -> list[float]:
        """Stacks layers and channels; returns the upper end of each layer."""
        tops: list[float] = []
        y = _MARGIN
        for channel, bends in enumerate(self._bends):
            above = self._found.layers[channel - 1] if channel else ()
            y += _LABEL if any(item in labelled for item in above) else _BELOW if channel else 0
            n_tracks = assign_tracks(list(bends.values()), _TRACK / 2)
            self._tracks.append(y)
            y += n_tracks * _TRACK
            if channel < len(self._found.layers):
                y += _ABOVE if channel or n_tracks else 0
                tops.append(y)
                layer = self._found.layers[channel]
                y += max((boxes[item].height for item in layer if item < len(boxes)), default=0.0)
        self.height = y
        return tops

    def route(self, link: BundleEdge, start: float, end: float) -> list[Point]:
        """Returns the corners of a link from the height `start` to `end`."""
        join = self._joins[link[:3]]
        way = self._ways.get((link.head, link.is_back), ())
        if link.is_back:
            rest = [hop for hop in way if hop.channel < join.channel]
        elif next_item(self._found, link) == link.head:
            rest = []
        else:
            rest = [hop for hop in way if hop.channel > join.channel]
        points = [Point(join.start, start)]
        for hop in (join, *rest):
            y = self._tracks[hop.channel] + hop.bend.track * _TRACK
            points += (Point(hop.start, y), Point(hop.end, y))
        points.append(Point(points[-1].x, end))
        return _simplified(points)


def _simplified(points: list[Point]) -> list[Point]:
    """Returns the points without those on a straight line."""
    found = points[:1]
    for point in points[1:]:
        if point == found[-1]:
            continue
        if len(found) > 1 and found[-2].x == found[-1].x == point.x:
            found.pop()
        found.append(point)
    return found
