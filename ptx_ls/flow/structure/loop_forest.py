"""The loops of a flow graph and how they nest, even if a loop can be entered in several places.

The blocks are visited backwards in depth-first order. Those that lead back to a block are in its
loop, and count as one block from then on, which takes nearly linear time.
"""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

NO_LOOP: Final = -1
_MAX_DEPTH: Final = 32
"""Maximum depth of the loops that are examined one by one, with all of their blocks."""


class LoopForest:
    """The loops of some blocks, by their heads: the first block of each in depth-first order.

    Attributes:
        around: for each block, the head of the innermost loop around it; for a head, of the loop
            around its own loop. `NO_LOOP` if there is none.
        heads: the heads in the order of the text.
        irreducible: the heads of the loops that can be entered elsewhere, too.
    """

    def __init__(self, successors: Sequence[Sequence[int]]) -> None:
        search = _LoopSearch(successors)
        self.around = search.around
        self.heads = tuple(sorted(search.heads))
        self.irreducible = frozenset(search.irreducible)
        self._is_head = frozenset(search.heads)

    def innermost(self, block: int) -> int:
        """Returns the head of the innermost loop that contains a block, or `NO_LOOP`."""
        return block if block in self._is_head else self.around[block]

    def heads_around(self, block: int) -> Iterator[int]:
        """Yields the heads of the loops that contain a block, the innermost first."""
        head = self.innermost(block)
        while head != NO_LOOP:
            yield head
            head = self.around[head]

    def depth(self, block: int) -> int:
        """Returns the number of loops that contain a block."""
        return self._depths[block]

    @cached_property
    def shallow_heads(self) -> tuple[int, ...]:
        """The heads in the order of the text, without those of loops within too many others.

        Together, these loops have at most a fixed multiple of the blocks of the function.
        """
        return tuple(head for head in self.heads if self._depths[head] <= _MAX_DEPTH)

    @cached_property
    def _depths(self) -> list[int]:
        depths = [-1] * len(self.around)
        for block in range(len(depths)):
            path, each = [], block
            while each != NO_LOOP and depths[each] < 0:
                path.append(each)
                each = self.around[each]
            depth = 0 if each == NO_LOOP else depths[each]
            for inner in reversed(path):
                depth += inner in self._is_head
                depths[inner] = depth
        return depths

    @cached_property
    def _members(self) -> dict[int, list[int]]:
        """The blocks of each loop that are not in an inner one, except for the heads of these."""
        found: dict[int, list[int]] = {head: [head] for head in self.heads}
        for block, head in enumerate(self.around):
            if head != NO_LOOP:
                found[head].append(block)
        return found

    def blocks(self, head: int) -> frozenset[int]:
        """Returns the blocks of a loop, including those of its inner loops."""
        found: set[int] = set()
        waiting = [head]
        while waiting:
            inner = waiting.pop()
            members = self._members[inner]
            found.update(members)
            waiting += [each for each in members if each in self._is_head and each != inner]
        return frozenset(found)


class _LoopSearch:
    """Finds the loops; see `LoopForest`."""

    def __init__(self, successors: Sequence[Sequence[int]]) -> None:
        n_blocks = len(successors)
        self._number, self._last = [0] * n_blocks, [0] * n_blocks
        self._root = [0] * n_blocks  # from which the search reached each block
        order = self._depth_first(successors)
        self._back: list[list[int]] = [[] for _ in successors]
        self._onward: list[list[int]] = [[] for _ in successors]
        for block, following in enumerate(successors):
            for after in following:
                if self._root[after] != self._root[block]:
                    continue  # an edge from code that is not reachable
                is_back = self._is_before(after, block)
                (self._back if is_back else self._onward)[after].append(block)
        self.around = [NO_LOOP] * n_blocks
        self.heads: set[int] = set()
        self.irreducible: set[int] = set()
        self._merged = [*range(n_blocks)]
        for block in reversed(order):
            if self._back[block]:
                self._close(block)

    def _depth_first(self, successors: Sequence[Sequence[int]]) -> list[int]:
        order: list[int] = []
        for root in range(len(successors)):
            waiting = [] if self._number[root] else [root]
            while waiting:
                block = waiting.pop()
                if block < 0:
                    self._last[~block] = len(order)
                elif not self._number[block]:
                    order.append(block)
                    self._root[block] = root
                    self._number[block] = len(order)
                    waiting.append(~block)
                    waiting += [it for it in reversed(successors[block]) if not self._number[it]]
        return order

    def _is_before(self, one: int, other: int) -> bool:
        """Whether the search found a block on a path from another one, or they are the same."""
        return self._number[one] <= self._number[other] <= self._last[one]

    def _found(self, block: int) -> int:
        """Returns the head of the outermost loop found so far that contains a block."""
        merged = self._merged
        while merged[block] != block:
            merged[block] = merged[merged[block]]
            block = merged[block]
        return block

    def _close(self, head: int) -> None:
        """Makes the loop of the blocks that lead back to a head."""
        self.heads.add(head)
        body = {self._found(each) for each in self._back[head]} - {head}
        waiting, entering = [*body], set[int]()
        while waiting:
            for each in self._onward[waiting.pop()]:
                before = self._found(each)
                if not self._is_before(head, before):
                    entering.add(before)
                elif before != head and before not in body:
                    body.add(before)
                    waiting.append(before)
        if entering:
            self.irreducible.add(head)
            self._onward[head] += entering
        for block in body:
            self.around[block] = self._merged[block] = head
