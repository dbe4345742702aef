"""The strongly connected components of a flow graph: blocks that can all reach each other."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence


def components(successors: Sequence[Sequence[int]]) -> list[list[int]]:
    """Returns the components, each after those that it leads to; their blocks are in order."""
    n_blocks = len(successors)
    number = [0] * n_blocks  # in the order of the search, from 1
    low = [0] * n_blocks  # the least number that a block reaches
    is_open = bytearray(n_blocks)  # whether its component is not complete
    opened: list[int] = []
    found: list[list[int]] = []
    n_seen = 0
    for root in range(n_blocks):
        path = [] if number[root] else [root]
        places = [0] * len(path)
        while path:
            block = path[-1]
            if not places[-1]:
                n_seen += 1
                number[block] = low[block] = n_seen
                is_open[block] = 1
                opened.append(block)
            following = successors[block]
            while places[-1] < len(following):
                after = following[places[-1]]
                places[-1] += 1
                if not number[after]:
                    path.append(after)
                    places.append(0)
                    break
                if is_open[after]:
                    low[block] = min(low[block], number[after])
            else:
                path.pop()
                places.pop()
                if path:
                    low[path[-1]] = min(low[path[-1]], low[block])
                if low[block] == number[block]:
                    found.append(_closed(opened, block, is_open))
    return found


def _closed(opened: list[int], block: int, is_open: bytearray) -> list[int]:
    """Takes the component whose first block is `block` from the end of `opened`."""
    own = []
    while True:
        last = opened.pop()
        is_open[last] = 0
        own.append(last)
        if last == block:
            return sorted(own)
