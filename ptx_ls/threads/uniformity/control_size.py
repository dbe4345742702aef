"""How much work it is to follow the branches that decide which blocks of a function run."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ptx_ls.flow.structure.dominators import NONE
from ptx_ls.source.reachability import components

if TYPE_CHECKING:
    from collections.abc import Sequence

    from ptx_ls.flow.structure.dominators import Dominators


def n_dependences(successors: Sequence[Sequence[int]], after: Dominators) -> int:
    """Returns how many branches directly decide whether each block runs, all together.

    A branch may be counted twice for a block. `after`: the post-dominators.
    """
    depths = _depths(after.parent)
    return sum(
        depths[each] - depths[block] + 1
        for block, following in enumerate(successors)
        if len(following) > 1
        for each in following
    )


def _depths(parents: Sequence[int]) -> list[int]:
    """Returns how many blocks are above each block in a tree."""
    found = [-1] * len(parents)
    for block in range(len(parents)):
        path = []
        each = block
        while found[each] < 0 and parents[each] != NONE:
            path.append(each)
            each = parents[each]
        depth = max(found[each], 0)
        found[each] = depth
        for below in reversed(path):
            depth += 1
            found[below] = depth
    return found


def n_decisions(parents: Sequence[Sequence[int]]) -> int:
    """Returns how many branches decide, directly or indirectly, whether each block runs, in all.

    `parents`: those that directly do so.
    """
    deciding = [0] * len(parents)
    for members in components(parents):
        found = 0
        for block in members:
            for parent in parents[block]:
                found |= 1 << parent | deciding[parent]
        for block in members:
            deciding[block] = found
    return sum(each.bit_count() for each in deciding)
