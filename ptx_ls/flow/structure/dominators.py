"""Dominators and post-dominators of a flow graph, and which branches decide whether a block runs.

The tree of dominators is computed by semidominators and nearest common ancestors, which takes
nearly linear time on the graphs of programs.
"""

from __future__ import annotations

from array import array
from itertools import accumulate, chain, pairwise
from typing import TYPE_CHECKING, Final

from ptx_ls.source.reachability import components, predecessors_of, reached
from ptx_ls.syntax.scanner import compiled

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Iterator, Sequence

NONE: Final = -1
"""The parent of a block that has none."""


class Dominators:
    """The tree of the dominators of some blocks.

    Attributes:
        parent: for each block, its immediate dominator; `NONE` for the root, and for blocks that
            are not reachable from it.
    """

    __slots__ = ("_firsts", "_lasts", "parent")

    def __init__(self, parent: Sequence[int], firsts: Sequence[int], lasts: Sequence[int]) -> None:
        """Prepares a tree.

        `parent`: has an item for each block, perhaps also for the root. `firsts`, `lasts`: for each
        block, the first and the last number in its subtree when each block has a number in it.
        """
        self.parent, self._firsts, self._lasts = parent, firsts, lasts

    def is_reached(self, block: int) -> bool:
        """Whether the root reaches a block."""
        return self._firsts[block] != NONE

    def dominates(self, one: int, other: int) -> bool:
        """Whether each path from the root to a block passes another one; a block passes itself.

        False if the root reaches one of the two only.
        """
        first = self._firsts[one]
        return first != NONE and first <= self._firsts[other] <= self._lasts[one]


def dominators(successors: Sequence[Sequence[int]]) -> Dominators:
    """Returns the dominators of the blocks with these successors; the root is the first one."""
    found = _compiled_tree(successors, None)
    return plain_dominators(successors) if found is None else found


def post_dominators(successors: Sequence[Sequence[int]], exits: Collection[int]) -> Dominators:
    """Returns the post-dominators of the blocks with these successors.

    The root is the number of blocks: it follows all blocks in `exits`, those without successors,
    and one of each loop that never ends.
    """
    found = _compiled_tree(successors, exits)
    return plain_post_dominators(successors, exits) if found is None else found


def _compiled_tree(
    successors: Sequence[Sequence[int]], exits: Iterable[int] | None
) -> Dominators | None:
    """Returns what `_scanner` finds; None if it is not built.

    `exits`: as for `post_dominators`; None for dominators.
    """
    if compiled is None:
        return None
    is_exit = None
    if exits is not None:
        marks = bytearray(len(successors))
        for block in exits:
            marks[block] = 1
        is_exit = bytes(marks)
    after_at = array("i", accumulate(map(len, successors), initial=0))
    found = compiled.dominators(after_at, array("i", chain.from_iterable(successors)), is_exit)
    return Dominators(*[memoryview(each).cast("i") for each in found])


def _ends_of_endless_loops(
    successors: Sequence[Sequence[int]], exits: Collection[int]
) -> Iterator[int]:
    """Yields the last block of each loop that never ends."""
    ends = {*exits, *(block for block, following in enumerate(successors) if not following)}
    endless = _without_end(successors, ends)
    inside = {block: number for number, block in enumerate(endless)}
    within = [[inside[each] for each in successors[block]] for block in endless]
    for component in components(within):
        if {*component}.issuperset(chain.from_iterable(map(within.__getitem__, component))):
            yield endless[max(component)]


def _without_end(successors: Sequence[Sequence[int]], ends: Collection[int]) -> list[int]:
    """Returns the blocks from which no path leads to an end, in order."""
    found = reached(ends, predecessors_of(successors).__getitem__)
    return [block for block in range(len(successors)) if block not in found]


def plain_dominators(successors: Sequence[Sequence[int]]) -> Dominators:
    """Does what `dominators` does, in Python."""
    return _numbered(_parents(successors, 0), 0)


def plain_post_dominators(
    successors: Sequence[Sequence[int]], exits: Collection[int]
) -> Dominators:
    """Does what `post_dominators` does, in Python."""
    end = len(successors)
    after = [[*following] for following in successors]
    ends = {*exits, *_ends_of_endless_loops(successors, exits)}
    for block, following in enumerate(after):
        if block in ends or not following:
            following.append(end)
    before: list[list[int]] = [[] for _ in range(end + 1)]
    for block, following in enumerate(after):
        for each in following:
            before[each].append(block)
    return _numbered(_parents(before, end), end)


def _numbered(parent: Sequence[int], root: int) -> Dominators:
    """Returns the tree in which each block has a parent."""
    children: list[list[int]] = [[] for _ in parent]
    for block, before in enumerate(parent):
        if before != NONE:
            children[before].append(block)
    firsts, lasts = [NONE] * len(parent), [NONE] * len(parent)
    waiting, number = [root] if parent else [], 0
    while waiting:
        block = waiting.pop()
        if block < 0:
            lasts[~block] = number
            continue
        number += 1
        firsts[block] = number
        waiting.append(~block)
        waiting += children[block]
    return Dominators(parent, firsts, lasts)


def control_dependence(
    successors: Sequence[Sequence[int]], after: Dominators
) -> tuple[tuple[int, ...], ...]:
    """Returns for each block those whose branches decide whether it runs, in order.

    `after`: the post-dominators.
    """
    found: list[set[int]] = [set() for _ in successors]
    for block, following in enumerate(successors):
        if len(following) < 2:  # noqa: PLR2004  it decides nothing
            continue
        stop = after.parent[block]
        for each in following:
            runner = each
            while runner not in (stop, NONE) and runner < len(found):
                if block in found[runner]:
                    break
                found[runner].add(block)
                runner = after.parent[runner]
    return tuple(tuple(sorted(each)) for each in found)


def _parents(successors: Sequence[Sequence[int]], root: int) -> list[int]:
    """Returns the immediate dominator of each block."""
    order, tree = _depth_first(successors, root)
    number_of = {block: number for number, block in enumerate(order)}
    before: list[list[int]] = [[] for _ in order]
    for number, block in enumerate(order):
        for following in successors[block]:
            before[number_of[following]].append(number)
    semi = _semidominators(tree, before)
    dominator = [*tree]
    for number in range(1, len(order)):
        candidate = dominator[number]
        while candidate > semi[number]:
            candidate = dominator[candidate]
        dominator[number] = candidate
    parent = [NONE] * len(successors)
    for number, block in enumerate(order[1:], 1):
        parent[block] = order[dominator[number]]
    return parent


def _depth_first(successors: Sequence[Sequence[int]], root: int) -> tuple[list[int], list[int]]:
    """Returns the blocks that the root reaches, depth first, and the number before each."""
    order: list[int] = []
    tree: list[int] = []
    seen: set[int] = set()
    waiting = [(root, 0)] if successors else []
    while waiting:
        block, before = waiting.pop()
        if block in seen:
            continue
        seen.add(block)
        number = len(order)
        order.append(block)
        tree.append(before)
        waiting += [(each, number) for each in reversed(successors[block]) if each not in seen]
    return order, tree


def _semidominators(tree: Sequence[int], before: Sequence[Sequence[int]]) -> list[int]:
    """Returns the semidominator of each block; all are numbers in depth-first order."""
    semi: list[int] = [*range(len(tree))]
    label: list[int] = [*range(len(tree))]
    ancestor = [*tree]

    def best(block: int, last: int) -> int:
        """Returns the block with the least semidominator on the path from the linked root."""
        path = []
        while ancestor[block] >= last:
            path.append(block)
            block = ancestor[block]
        path.append(block)
        for upper, lower in pairwise(reversed(path)):
            ancestor[lower] = ancestor[upper]
            if semi[label[upper]] < semi[label[lower]]:
                label[lower] = label[upper]
        return label[path[0]]

    for number in range(len(tree) - 1, 0, -1):
        for each in before[number]:
            semi[number] = min(semi[number], semi[best(each, number + 1)])
    return semi
