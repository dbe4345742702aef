"""Finds which write of a predicate reaches a use in each thread, where branches join.

Compilers set a predicate to a constant on some paths, and to a comparison on the others.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from ptx_ls.source.named_tuple import NamedTuple

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from ptx_ls.values.function_input import FunctionInput

    Outcome = Callable[[int, bool], int]
    """Returns the threads in which the predicate that a use reads may have a value, as bits."""

_MAX_WRITES: Final = 4
_MAX_BLOCKS: Final = 12
"""Number of blocks between the branch and the place where its paths join."""


class JoinedWrites(NamedTuple):
    """The writes of a predicate that reach a use on different paths.

    Attributes:
        blocks: the blocks from the branch to where the paths join, each after those before it.
        end: the block where the paths join.
        writes: the last write in each block that has one.
        branches: for each block, what follows with the guard that decides it, if it is known.
    """

    blocks: tuple[int, ...]
    end: int
    writes: dict[int, int]
    branches: dict[int, tuple[tuple[int, int | None, bool], ...]]

    def reaching(self, everyone: int, outcome: Outcome) -> dict[int, int] | None:
        """Returns the threads in which each write may reach the use; None if another one may."""
        none = -1
        states: dict[int, dict[int, int]] = {each: {} for each in self.blocks}
        states[self.blocks[0]] = {none: everyone}
        for block in self.blocks:
            state = states[block]
            own = self.writes.get(block)
            if own is not None:
                threads = 0
                for each in state.values():
                    threads |= each
                state = {own: threads}
            if block == self.end:
                state.pop(none, 0)
                return state if set(state) == {*self.writes.values()} else None
            for following, use, value in self.branches[block]:
                passing = everyone if use is None else outcome(use, value)
                into = states[following]
                for write, threads in state.items():
                    into[write] = into.get(write, 0) | (threads & passing)
        return None


def joined_writes(given: FunctionInput, use: int) -> JoinedWrites | None:
    """Returns the writes that reach the use of a predicate if branches decide which; or None."""
    flow = given.flow
    found = flow.definitions(use)
    if found.from_entry or not found.is_exact or not 1 < len(found.writes) <= _MAX_WRITES:
        return None
    index, graph = flow.index, flow.graph
    if any(index.guard(each) is not None for each in found.writes):
        return None
    writes = {index.block_of(each): each for each in found.writes}
    start = end = index.block_of(use)
    if min((end, *writes)) < 0 or len(writes) < len(found.writes):
        return None
    dominates = graph.dominators.dominates
    while not all(dominates(start, each) for each in writes):
        start, end = graph.dominators.parent[start], start
        if start < 0:
            return None
    blocks = _between(graph.predecessors, start, end)
    if blocks is None or start in writes or any(dominates(end, each) for each in writes):
        return None
    loops = {frozenset(graph.loop_forest.heads_around(each)) for each in blocks}
    if len(loops) > 1:
        return None
    order = _in_order(graph.successors, blocks, start)
    if order is None or order[-1] != end:
        return None
    branches = {each: tuple(_branches(given, each, blocks)) for each in blocks if each != end}
    return JoinedWrites(tuple(order), end, writes, branches)


def _between(predecessors: Sequence[Sequence[int]], start: int, end: int) -> set[int] | None:
    """Returns the blocks on paths from one block to another; None if they are too many."""
    found, waiting = {end}, [end]
    while waiting:
        block = waiting.pop()
        for each in predecessors[block] if block != start else ():
            if each not in found:
                found.add(each)
                waiting.append(each)
        if len(found) > _MAX_BLOCKS:
            return None
    return found if start in found else None


def _in_order(
    successors: Sequence[Sequence[int]], blocks: set[int], start: int
) -> list[int] | None:
    """Returns blocks so that each comes after those that lead to it; None if they form a loop."""
    left = dict.fromkeys(blocks, 0)
    for block in blocks:
        for each in {*successors[block]} & blocks - {start}:
            left[each] += 1
    order, waiting = list[int](), [start]
    while waiting:
        block = waiting.pop()
        order.append(block)
        for each in sorted({*successors[block]} & blocks - {start}):
            left[each] -= 1
            if not left[each]:
                waiting.append(each)
    return order if len(order) == len(blocks) else None


def _branches(
    given: FunctionInput, block: int, blocks: set[int]
) -> Iterator[tuple[int, int | None, bool]]:
    for following in {*given.flow.graph.successors[block]} & blocks:
        fact = given.flow.edge_fact(block, following)
        use = None if fact is None else given.guard_at_end(block, fact[0])
        yield following, use, fact is not None and fact[1]
