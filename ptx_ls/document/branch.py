"""A persistent sequence: a tree of nodes in order, whose branches are shared between versions.

Replacing some of a million nodes copies only the branches above them.
"""

from __future__ import annotations

from bisect import bisect_right
from itertools import accumulate
from operator import itemgetter
from typing import TYPE_CHECKING, Any, Final, Generic, Protocol, Self, TypeVar

from ptx_ls.document.coordinates import NOTHING, Extent, inwards
from ptx_ls.document.node import Node
from ptx_ls.syntax.offsets import At

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

MAX_CHILDREN: Final = 128
"""Maximum number of children; copying this many references takes about a microsecond."""
MIN_CHILDREN: Final = 32
"""Minimum number of children; a branch with fewer is joined with a neighbour."""


_lines_of = itemgetter(0)
_columns_of = itemgetter(1)


class HasExtent(Protocol):
    """A node of a sequence, which has the extent of its text."""

    @property
    def extent(self) -> Extent:
        """The extent of the node's text."""
        ...


Leaf = TypeVar("Leaf", bound=HasExtent)


class InnerNode(Node, Generic[Leaf, At]):
    """Leaves in order (`height` 0), or branches whose height is one less.

    `counts`: the numbers of leaves before each of the branches, and in all of them. `At`: the type
    of places relative to the start of the text.
    """

    extent: Extent
    __slots__ = ("_lines", "_starts", "children", "counts", "extent", "height")

    def __init__(
        self, children: tuple[Leaf, ...] | tuple[InnerNode[Leaf, At], ...], height: int = 0
    ) -> None:
        super().__init__()
        self.children, self.height = children, height
        extents = [child.extent for child in children]
        *lines, n_lines = accumulate(map(_lines_of, extents), initial=0)
        self._lines = tuple(lines)
        self._starts: tuple[Extent, ...] | None = None
        self.extent = extents[0] if len(extents) == 1 else Extent(n_lines, 0)
        if any(map(_columns_of, extents)):  # a child ends within a line
            *starts, self.extent = accumulate(extents, Extent.plus, initial=NOTHING)
            self._starts = tuple(starts)
        self.counts: tuple[int, ...] = ()
        if height:
            counts = [child.n_leaves for child in self._branches()]
            self.counts = tuple(accumulate(counts, initial=0))

    def _branches(self) -> tuple[InnerNode[Leaf, At], ...]:
        return self.children  # type: ignore[return-value]  # of a height above 0

    @property
    def n_leaves(self) -> int:
        """The number of leaves of the sequence."""
        return self.counts[-1] if self.height else len(self.children)

    @property
    def shares_lines(self) -> bool:
        """Whether two leaves are on the same line."""
        if self._starts is not None and any(child.extent.columns for child in self.children[:-1]):
            return True
        return bool(self.height) and any(branch.shares_lines for branch in self._branches())

    def leaves(self, first: int = 0, stop: int | None = None) -> Iterator[Leaf]:
        """Returns an iterator over the leaves [first, stop)."""
        if not self.height:
            return iter(self.children[first:stop])  # type: ignore[arg-type]
        return self._leaves_of_branches(first, self.n_leaves if stop is None else stop)

    def _leaves_of_branches(self, first: int, stop: int) -> Iterator[Leaf]:
        branches = self._branches()
        number = bisect_right(self.counts, first, 0, len(branches)) - 1
        while number < len(branches) and (low := self.counts[number]) < stop:
            yield from branches[number].leaves(max(0, first - low), stop - low)
            number += 1

    def leaf(self, number: int) -> Leaf:
        """Returns leaf `number`.

        Raises:
            IndexError: if there is none.
        """
        if not self.height:
            return self.children[number]  # type: ignore[return-value]
        index = bisect_right(self.counts, number, 0, len(self.children)) - 1
        return self._branches()[index].leaf(number - self.counts[index])

    def leaf_and_start(self, number: int) -> tuple[Leaf, Extent]:
        """Returns leaf `number`, and the extent of the text before it.

        Raises:
            IndexError: if there is none.
        """
        if not self.height:
            return self.children[number], self._start(number)  # type: ignore[return-value]
        index = bisect_right(self.counts, number, 0, len(self.children)) - 1
        leaf, start = self._branches()[index].leaf_and_start(number - self.counts[index])
        return leaf, self._start(index).plus(start)

    def start(self, number: int) -> Extent:
        """Returns the extent of the text before leaf `number`, or of the whole text without it."""
        if number >= self.n_leaves:
            return self.extent
        if not self.height:
            return self._start(number)
        index = bisect_right(self.counts, number, 0, len(self.children)) - 1
        within = self._branches()[index].start(number - self.counts[index])
        return self._start(index).plus(within)

    def _start(self, index: int) -> Extent:
        """Returns the extent of the text before a child."""
        return Extent(self._lines[index], 0) if self._starts is None else self._starts[index]

    def number_at(self, place: At) -> int:
        """Returns the number of the last leaf that starts at or before a place; -1 if none does."""
        return self._number_at(place)

    def _number_at(self, place: tuple[int, int]) -> int:
        if self._starts is None:
            index = bisect_right(self._lines, place[0]) - 1
        else:
            index = bisect_right(self._starts, place) - 1
        if not self.height:
            return index
        within, branch = inwards(place, self._start(index)), self._branches()[index]
        return self.counts[index] + branch._number_at(within)  # noqa: SLF001  one of its own

    def groups(self) -> Sequence[tuple[int, InnerNode[Leaf, At]]]:
        """Returns the lowest branches, each with the number of its first leaf."""
        if not self.height:
            return ((0, self),)
        branches = self._branches()
        if self.height == 1:
            return tuple(zip(self.counts, branches, strict=False))
        return [
            (first + number, group)
            for first, branch in zip(self.counts, branches, strict=False)
            for number, group in branch.groups()
        ]

    @classmethod
    def of(cls, leaves: Sequence[Leaf]) -> Self:
        """Returns the sequence of the given leaves."""
        return cls(*of_one_root(leaves, 0))

    def spliced(self, first: int, stop: int, leaves: Sequence[Leaf]) -> Self:
        """Returns the sequence with the leaves [first, stop) replaced."""
        return type(self)(*self.spliced_root(first, stop, leaves)).replacing(self)

    def spliced_root(
        self, first: int, stop: int, leaves: Sequence[Leaf]
    ) -> tuple[tuple[Any, ...], int]:
        """Returns the children and the height of the root that `spliced` makes."""
        return of_one_root(_with_leaves(self, first, stop, leaves), self.height)


def _with_leaves(
    node: InnerNode[Any, Any], first: int, stop: int, leaves: Sequence[Any]
) -> list[Any]:
    """Returns the children of a branch with the leaves [first, stop) replaced."""
    children: list[Any] = list(node.children)
    if not node.height:
        children[first:stop] = leaves
        return children
    counts, n_children = node.counts, len(children)
    low = bisect_right(counts, first, 0, n_children) - 1
    high = max(low, bisect_right(counts, stop - 1, 0, n_children) - 1)
    inner = _with_leaves(children[low], first - counts[low], stop - counts[low], leaves)
    if high > low:
        inner += _with_leaves(children[high], 0, stop - counts[high], ())
    if len(inner) < MIN_CHILDREN and high + 1 < n_children:
        high += 1
        inner += children[high].children
    elif len(inner) < MIN_CHILDREN and low:
        low -= 1
        inner = [*children[low].children, *inner]
    children[low : high + 1] = _grouped(inner, node.height - 1, children[low : high + 1])
    return children


def of_one_root(children: Sequence[Any], height: int) -> tuple[tuple[Any, ...], int]:
    """Returns the children and the height of a single root above branches or leaves."""
    while len(children) > MAX_CHILDREN:
        children, height = _grouped(children, height, ()), height + 1
    while height and len(children) == 1:
        children, height = children[0].children, height - 1
    return tuple(children), height if children else 0


def _grouped(
    children: Sequence[Any], height: int, replaced: Sequence[InnerNode[Any, Any]]
) -> list[InnerNode[Any, Any]]:
    """Groups nodes into branches of a height; the n-th one replaces the n-th of `replaced`."""
    n_groups = -(-len(children) // MAX_CHILDREN)
    size = -(-len(children) // n_groups) if n_groups else 1
    groups = [
        InnerNode[Any, Any](tuple(children[number * size : (number + 1) * size]), height)
        for number in range(n_groups)
    ]
    for group, former in zip(groups, replaced, strict=False):
        group.replacing(former)
    return groups
