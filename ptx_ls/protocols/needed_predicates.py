"""Finds the values of predicates that all paths to a block of a function need."""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from ptx_ls.values.function_values import FunctionValues

    PredicateValues = Mapping[object, bool]

_NOTHING: Final[PredicateValues] = {}
_MAX_BLOCKS: Final = 2_000
"""Number of blocks of a function up to which paths are followed."""


class NeededPredicates:
    """The predicates on which branches to the blocks of a function depend.

    A predicate is a register with the writes that its value may come from, as a branch reads it.
    """

    def __init__(self, values: FunctionValues) -> None:
        self._values, self._graph = values, values.graph

    def at(self, block: int) -> PredicateValues | None:
        """Returns the values that predicates have whenever a block runs; None if it never does."""
        return self._found.get(block, _NOTHING)

    @cached_property
    def _found(self) -> Mapping[int, PredicateValues | None]:
        graph = self._graph
        found: dict[int, PredicateValues | None] = {0: _NOTHING}
        if graph.n_blocks > _MAX_BLOCKS:
            return found
        heads = {head for _, head in graph.back_edges}
        for block in self._in_order()[1:]:
            if block in heads:
                found[block] = found.get(graph.dominators.parent[block], _NOTHING)
            else:
                found[block] = _common([*self._entering(block, found)])
        return found

    def _in_order(self) -> Sequence[int]:
        """Returns the blocks, each after those that lead to it within an iteration."""
        graph, back = self._graph, frozenset(self._graph.back_edges)
        order, seen = list[int](), {0}
        waiting = [(0, iter(graph.successors[0]))]
        while waiting:
            block, following = waiting[-1]
            for each in following:
                if each not in seen and (block, each) not in back:
                    seen.add(each)
                    waiting.append((each, iter(graph.successors[each])))
                    break
            else:
                order.append(block)
                waiting.pop()
        return order[::-1]

    def _entering(
        self, block: int, found: Mapping[int, PredicateValues | None]
    ) -> Iterator[PredicateValues]:
        """Yields the values that hold on each edge to a block that threads may take."""
        for each in self._graph.predecessors[block]:
            if each not in self._graph.reachable:
                continue
            before, decided = found.get(each, _NOTHING), self._decided(each, block)
            if before is None:
                continue
            if decided is None:
                yield before
            elif before.get(decided[0], decided[1]) == decided[1]:
                yield {**before, decided[0]: decided[1]}

    def _decided(self, block: int, following: int) -> tuple[object, bool] | None:
        """Returns the predicate that an edge needs, with its value."""
        flow = self._values.flow
        fact = flow.edge_fact(block, following)
        use = None if fact is None else self._values.given.guard_at_end(block, fact[0])
        return None if fact is None or use is None else ((fact[0], flow.definitions(use)), fact[1])


def _common(entering: Sequence[PredicateValues]) -> PredicateValues | None:
    """Returns what holds on each of some edges; None if there are none."""
    if not entering:
        return None
    first, *others = entering
    return {
        key: value
        for key, value in first.items()
        if all(other.get(key) == value for other in others)
    }
