"""Aligns two sequences of numbers; the time is bounded, however different they are."""

from __future__ import annotations

from bisect import bisect_left
from typing import TYPE_CHECKING, Final

from ptx_ls.source.named_tuple import NamedTuple

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

_GRAM_SIZES: Final = (1, 3, 9)
"""Numbers of neighbouring items that are looked for together, to find unique places."""
_MAX_EDITS: Final = 128
"""Maximum number of edits to search for in a part without unique items; the search is quadratic."""


class ItemPair(NamedTuple):
    """The positions of two items that belong together."""

    old: int
    new: int


class SequencePart(NamedTuple):
    """The items [old_first, old_stop) of one sequence and [new_first, new_stop) of another one."""

    old_first: int
    old_stop: int
    new_first: int
    new_stop: int

    @property
    def is_one_sided(self) -> bool:
        """Whether it has no items of one of the sequences."""
        return self.old_first == self.old_stop or self.new_first == self.new_stop


def equal_pairs(old: Sequence[int], new: Sequence[int], part: SequencePart) -> list[ItemPair]:
    """Returns pairs of equal items of a part, in increasing order of both positions.

    They form a longest common subsequence if the sequences are similar, and else a good one:
    unique items are paired first, as they are the most certain.
    """
    found: list[ItemPair] = []
    waiting = [part]
    while waiting:
        middle = _trimmed(old, new, waiting.pop(), found)
        if middle.is_one_sided:
            continue
        anchors = _anchors(old, new, middle)
        if anchors:
            found += anchors
            waiting += gaps(anchors, middle)
        else:
            found += _shortest_edit(old, new, middle)
    return sorted(found)


def gaps(pairs: Sequence[ItemPair], part: SequencePart) -> Iterator[SequencePart]:
    """Yields the parts between increasing pairs, and before and after all of them."""
    old, new = part.old_first, part.new_first
    for pair in pairs:
        if pair.old > old or pair.new > new:
            yield SequencePart(old, pair.old, new, pair.new)
        old, new = pair.old + 1, pair.new + 1
    if part.old_stop > old or part.new_stop > new:
        yield SequencePart(old, part.old_stop, new, part.new_stop)


def increasing(pairs: Sequence[ItemPair]) -> list[ItemPair]:
    """Returns a longest selection of pairs, sorted by `old`, with increasing `new`."""
    last: list[int] = []  # for each length, the smallest `new` that ends a selection of it
    at_end: list[int] = []
    previous: list[int] = []
    for index, pair in enumerate(pairs):
        length = bisect_left(last, pair.new)
        previous.append(at_end[length - 1] if length else -1)
        if length == len(last):
            last.append(pair.new)
            at_end.append(index)
        else:
            last[length], at_end[length] = pair.new, index
    chosen: list[ItemPair] = []
    index = at_end[-1] if at_end else -1
    while index >= 0:
        chosen.append(pairs[index])
        index = previous[index]
    return chosen[::-1]


def _trimmed(
    old: Sequence[int], new: Sequence[int], part: SequencePart, found: list[ItemPair]
) -> SequencePart:
    """Returns a part without equal items at its start and end, which are added to `found`."""
    first, stop, new_first, new_stop = part
    while first < stop and new_first < new_stop and old[first] == new[new_first]:
        found.append(ItemPair(first, new_first))
        first, new_first = first + 1, new_first + 1
    while first < stop and new_first < new_stop and old[stop - 1] == new[new_stop - 1]:
        stop, new_stop = stop - 1, new_stop - 1
        found.append(ItemPair(stop, new_stop))
    return SequencePart(first, stop, new_first, new_stop)


def _anchors(old: Sequence[int], new: Sequence[int], part: SequencePart) -> list[ItemPair]:
    """Returns pairs of items, or of groups of neighbours, that occur once in each sequence."""
    for size in _GRAM_SIZES:
        in_old = _unique(old, part.old_first, part.old_stop, size)
        in_new = _unique(new, part.new_first, part.new_stop, size)
        common = in_old.keys() & in_new.keys()
        if common:
            starts = increasing(sorted(ItemPair(in_old[gram], in_new[gram]) for gram in common))
            return starts if size == 1 else _widened(starts, size)
    return []


def _widened(starts: Sequence[ItemPair], size: int) -> list[ItemPair]:
    """Returns the pairs of the items of groups; where groups overlap, the first one wins."""
    found: list[ItemPair] = []
    for start in starts:
        for offset in range(size):
            pair = ItemPair(start.old + offset, start.new + offset)
            if not found or (pair.old > found[-1].old and pair.new > found[-1].new):
                found.append(pair)
    return found


def _unique(
    items: Sequence[int], first: int, stop: int, size: int
) -> dict[int | tuple[int, ...], int]:
    """Returns the starts of the groups of `size` neighbours that occur once."""
    places: dict[int | tuple[int, ...], int] = {}
    repeated = set()
    for start in range(first, stop - size + 1):
        gram = items[start] if size == 1 else tuple(items[start : start + size])
        if gram in places:
            repeated.add(gram)
        else:
            places[gram] = start
    for gram in repeated:
        del places[gram]
    return places


def _shortest_edit(old: Sequence[int], new: Sequence[int], part: SequencePart) -> list[ItemPair]:
    """Returns a longest common subsequence; [] if it takes more than `_MAX_EDITS` edits.

    Source: E. Myers, "An O(ND) Difference Algorithm and Its Variations", 1986.
    """
    first, stop, new_first, new_stop = part
    n_old, n_new = stop - first, new_stop - new_first
    if abs(n_old - n_new) > _MAX_EDITS:
        return []
    furthest = {1: 0}
    trace: list[dict[int, int]] = []
    for n_edits in range(min(n_old + n_new, _MAX_EDITS) + 1):
        trace.append(dict(furthest))
        for diagonal in range(-n_edits, n_edits + 1, 2):
            before, after = furthest.get(diagonal - 1, -1), furthest.get(diagonal + 1, -1)
            goes_down = diagonal == -n_edits or (diagonal != n_edits and before < after)
            x = after if goes_down else before + 1
            y = x - diagonal
            while x < n_old and y < n_new and old[first + x] == new[new_first + y]:
                x, y = x + 1, y + 1
            furthest[diagonal] = x
            if x >= n_old and y >= n_new:
                return _traced_back(trace, part)
    return []


def _traced_back(trace: Sequence[dict[int, int]], part: SequencePart) -> list[ItemPair]:
    """Returns the pairs on the path that a search found, from its end to its start."""
    x, y = part.old_stop - part.old_first, part.new_stop - part.new_first
    found: list[ItemPair] = []
    for n_edits in range(len(trace) - 1, -1, -1):
        furthest, diagonal = trace[n_edits], x - y
        before, after = furthest.get(diagonal - 1, -1), furthest.get(diagonal + 1, -1)
        goes_down = diagonal == -n_edits or (diagonal != n_edits and before < after)
        previous = diagonal + 1 if goes_down else diagonal - 1
        x_before = furthest.get(previous, 0) if n_edits else 0
        y_before = x_before - previous if n_edits else 0
        while x > x_before and y > y_before:
            x, y = x - 1, y - 1
            found.append(ItemPair(part.old_first + x, part.new_first + y))
        x, y = x_before, y_before
    return found
