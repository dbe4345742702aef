"""The layer of each box: links lead down, except those that close a loop."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    Pair = tuple[int, int]


def ranks(n_boxes: int, links: Sequence[Pair], hints: Sequence[Pair]) -> list[int]:
    """Returns the number of each box's layer, from 0: the length of the longest path to it.

    `links` (from, to) have no cycle. `hints` (above, below) count as links, except those that may
    make a cycle.
    """
    found, stuck = _longest(n_boxes, (*links, *hints))
    if stuck:
        kept = (it for it in hints if it[0] not in stuck or it[1] not in stuck)
        found, stuck = _longest(n_boxes, (*links, *kept))
    return found


def _longest(n_boxes: int, pairs: Iterable[Pair]) -> tuple[list[int], set[int]]:
    """Returns the lengths of the longest paths, and the boxes on cycles or after them."""
    below: list[list[int]] = [[] for _ in range(n_boxes)]
    n_above = [0] * n_boxes
    for upper, lower in pairs:
        below[upper].append(lower)
        n_above[lower] += 1
    found = [0] * n_boxes
    ready = [number for number in range(n_boxes) if not n_above[number]]
    stuck = set(range(n_boxes))
    while ready:
        upper = ready.pop()
        stuck.discard(upper)
        for lower in below[upper]:
            found[lower] = max(found[lower], found[upper] + 1)
            n_above[lower] -= 1
            if not n_above[lower]:
                ready.append(lower)
    return found, stuck
