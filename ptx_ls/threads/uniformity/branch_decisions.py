"""The branches that decide whether blocks run, unless they are too many to follow."""

from __future__ import annotations

from array import array
from collections.abc import Sequence
from itertools import accumulate, chain
from typing import TYPE_CHECKING, overload

from ptx_ls.flow.structure.dominators import NONE, control_dependence
from ptx_ls.source.reachability import reached
from ptx_ls.syntax.scanner import compiled

if TYPE_CHECKING:
    from ptx_ls.flow.structure.dominators import Dominators


class DecidingBranches(Sequence[Sequence[int]]):
    """For each block, the branches that directly decide whether it runs, in order.

    Attributes:
        at: for each block, where its branches begin; and their number.
        branches: those of all blocks.
    """

    __slots__ = ("at", "branches")

    def __init__(self, at: Sequence[int], branches: Sequence[int]) -> None:
        self.at, self.branches = at, branches

    def __len__(self) -> int:
        return len(self.at) - 1

    @overload
    def __getitem__(self, key: int) -> Sequence[int]: ...
    @overload
    def __getitem__(self, key: slice) -> Sequence[Sequence[int]]: ...
    def __getitem__(self, key: int | slice) -> Sequence[int] | Sequence[Sequence[int]]:
        if isinstance(key, slice):
            return [self[each] for each in range(*key.indices(len(self)))]
        return self.branches[self.at[key] : self.at[key + 1]]


def deciding_branches(
    successors: Sequence[Sequence[int]], after: Dominators, most: int
) -> DecidingBranches | None:
    """Returns the branches that directly decide whether blocks run; None if more than `most` do.

    `after`: the post-dominators.
    """
    if compiled is None:
        return plain_deciding_branches(successors, after, most)
    after_at = array("i", accumulate(map(len, successors), initial=0))
    following = array("i", chain.from_iterable(successors))
    found = compiled.dependence(after_at, following, array("i", after.parent), most)
    return found and DecidingBranches(*[array("i", each) for each in found])


def plain_deciding_branches(
    successors: Sequence[Sequence[int]], after: Dominators, most: int
) -> DecidingBranches | None:
    """Does what `deciding_branches` does, in Python."""
    if _exceeds(successors, after, most):
        return None
    found = control_dependence(successors, after)
    at = array("i", accumulate(map(len, found), initial=0))
    return DecidingBranches(at, array("i", chain.from_iterable(found)))


def _exceeds(successors: Sequence[Sequence[int]], after: Dominators, most: int) -> bool:
    """Whether more than `most` pairs of a branch and a block depend on each other directly."""
    last = [NONE] * len(successors)  # the last branch that was found for each block
    n_found = 0
    for block, following in enumerate(successors):
        for each in following if len(following) > 1 else ():
            runner = each
            while runner not in (after.parent[block], NONE) and runner < len(last):
                if last[runner] == block:
                    break
                last[runner] = block
                n_found += 1
                if n_found > most:
                    return True
                runner = after.parent[runner]
    return False


def has_few_decisions(parents: DecidingBranches, most: int) -> bool:
    """Whether at most that many branches decide, directly or not, whether blocks run, in all."""
    if compiled is None:
        return plain_has_few_decisions(parents, most)
    return compiled.decisions(array("i", parents.at), array("i", parents.branches), most) <= most


def plain_has_few_decisions(parents: DecidingBranches, most: int) -> bool:
    """Does what `has_few_decisions` does, in Python."""
    n_found = 0
    for direct in parents:
        n_found += len(reached(direct, parents.__getitem__))
        if n_found > most:
            return False
    return True
