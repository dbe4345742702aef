"""Boxes and trunks by layers. A trunk is a line that links share between layers.

All links to a box from farther up share a trunk, and so do all that lead back up to it: the links
of a hundred branches to one box are one line, and the picture stays small.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from ptx_ls.source.named_tuple import NamedTuple

if TYPE_CHECKING:
    from collections.abc import Sequence


class BundleEdge(NamedTuple):
    """A link between two boxes. `is_back`: it closes a loop, so it may lead up.

    `label_width` is the width of the label at its beginning; 0 if it has none.
    """

    tail: int
    head: int
    is_back: bool = False
    label_width: float = 0


class Trunk(NamedTuple):
    """A line through layers from `first` on, with an item in each, numbered as boxes are."""

    head: int
    first: int
    items: range

    def at(self, rank: int) -> int:
        """Returns its item in a layer."""
        return self.items[rank - self.first]


class Step(NamedTuple):
    """A line from an item of one layer to one of the next."""

    upper: int
    lower: int
    is_trunk: bool
    """Whether both ends belong to one trunk."""


@dataclass(slots=True)
class Layering:
    """Items by layer: boxes by their numbers, then those of trunks.

    `down` and `up` are the trunks by the boxes that they lead to. `turns` are (item of a trunk,
    box of the same layer) where a link turns from a box into a trunk that leads up, or out of it.
    `loose` are pairs of boxes, the second of which has no links and should be near the first.
    """

    rank: list[int]
    layers: list[list[int]] = field(default_factory=list)
    down: dict[int, Trunk] = field(default_factory=dict)
    up: dict[int, Trunk] = field(default_factory=dict)
    steps: list[Step] = field(default_factory=list)
    turns: list[tuple[int, int]] = field(default_factory=list)
    loose: list[tuple[int, int]] = field(default_factory=list)


def n_items(rank: Sequence[int], links: Sequence[BundleEdge]) -> int:
    """Returns the number of boxes and items of trunks that a layering would have."""
    return len(rank) + sum(
        last - first + 1
        for is_back in (False, True)
        for first, last in _spans(rank, links, is_back=is_back).values()
    )


def layering(rank: Sequence[int], links: Sequence[BundleEdge]) -> Layering:
    """Returns the layers, with trunks for all links that do not lead to the next layer."""
    found = Layering(list(rank))
    for is_back, trunks in ((False, found.down), (True, found.up)):
        for head, (first, last) in _spans(rank, links, is_back=is_back).items():
            items = range(len(found.rank), len(found.rank) + last - first + 1)
            trunks[head] = Trunk(head, first, items)
            found.rank.extend(range(first, last + 1))
            found.steps += (Step(item, item + 1, True) for item in items[:-1])
    found.layers = [[] for _ in range(max(found.rank, default=-1) + 1)]
    for item, layer in enumerate(found.rank):
        found.layers[layer].append(item)
    found.steps += (Step(trunk.items[-1], head, False) for head, trunk in found.down.items())
    found.turns += ((trunk.items[0], head) for head, trunk in found.up.items())
    for link in dict.fromkeys(link[:3] for link in links):
        _join(found, *link)
    return found


def _spans(
    rank: Sequence[int], links: Sequence[BundleEdge], *, is_back: bool
) -> dict[int, tuple[int, int]]:
    """Returns the first and last layers of the trunks, by the boxes that they lead to."""
    found: dict[int, tuple[int, int]] = {}
    for link in links:
        start, end = rank[link.tail], rank[link.head]
        first, last = (end, start) if is_back else (start + 1, end - 1)
        if link.is_back == is_back and first <= last:
            known = found.get(link.head, (first, last))
            found[link.head] = min(known[0], first), max(known[1], last)
    return found


def _join(found: Layering, tail: int, head: int, is_back: bool) -> None:  # noqa: FBT001
    rank = found.rank[tail]
    if is_back:
        found.turns.append((found.up[head].at(rank), tail))
    elif rank + 1 == found.rank[head]:
        found.steps.append(Step(tail, head, False))
    else:
        found.steps.append(Step(tail, found.down[head].at(rank + 1), False))
