"""The blocks of a function and their edges, with places that edits of other lines do not change."""

from __future__ import annotations

from functools import cached_property
from types import MappingProxyType
from typing import TYPE_CHECKING

from ptx_ls.flow.structure.dominators import (
    Dominators,
    control_dependence,
    dominators,
    post_dominators,
)
from ptx_ls.flow.structure.loop_forest import LoopForest
from ptx_ls.source.named_tuple import NamedTuple
from ptx_ls.source.reachability import predecessors_of, reached

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence
    from collections.abc import Set as AbstractSet

    from ptx_ls.document.coordinates import FunctionPosition


class Branch(NamedTuple):
    """A branch at the end of a block, and the scope in which its target is looked up.

    `is_indexed`: whether it is a `brx`, whose target is a list of labels.
    """

    block: int
    target: str
    scope: LabelScope
    is_indexed: bool


class LabelScope:
    """The labels and the lists of labels of a block in braces."""

    __slots__ = ("labels", "lists", "parent")

    def __init__(self, parent: LabelScope | None) -> None:
        self.parent = parent
        self.labels: dict[str, int] = {}
        self.lists: dict[str, tuple[str, ...]] = {}

    def find(self, name: str) -> int | None:
        """Returns the number of the block with a label of this scope or of one around it."""
        return next((it.labels[name] for it in self._around() if name in it.labels), None)

    def find_list(self, name: str) -> tuple[LabelScope, tuple[str, ...]] | None:
        """Returns the labels of a list, with the scope that declares the list."""
        return next(((it, it.lists[name]) for it in self._around() if name in it.lists), None)

    def _around(self) -> Iterator[LabelScope]:
        scope: LabelScope | None = self
        while scope is not None:
            yield scope
            scope = scope.parent


class _Blocks(NamedTuple):
    """The parts of a `FlowShape`.

    `starts`, `stops` and `successors` have an item for each block. `opened`: the numbers of the
    blocks that branch to an unknown label. `branches`: the branches in the order of their blocks.
    """

    starts: Sequence[FunctionPosition] = ()
    stops: Sequence[FunctionPosition] = ()
    successors: Sequence[Sequence[int]] = ()
    labels: Mapping[int, tuple[str, ...]] = MappingProxyType({})
    leaves: Mapping[int, str] = MappingProxyType({})
    opened: AbstractSet[int] = frozenset()
    branches: tuple[Branch, ...] = ()


class FlowShape(_Blocks):
    """The blocks of a function in the order of the text, with places that count only some rows.

    An edit that only moves statements leaves the shape as it is.
    """

    def __eq__(self, other: object) -> bool:
        """Compares everything except branches, which follow from the rest."""
        return isinstance(other, FlowShape) and self[:-1] == other[:-1]

    __hash__ = object.__hash__

    @cached_property
    def predecessors(self) -> list[list[int]]:
        """For each block, the numbers of its predecessors in order."""
        return predecessors_of(self.successors)

    @cached_property
    def reachable(self) -> frozenset[int]:
        """The numbers of the reachable blocks; all blocks if one branches to an unknown label.

        Otherwise, code would look unreachable while the user types a branch to it.
        """
        found = reached([0] if self.successors else [], self.successors.__getitem__)
        if not found.isdisjoint(self.opened):
            return frozenset(range(len(self.successors)))
        return frozenset(found)

    @cached_property
    def back_edges(self) -> tuple[tuple[int, int], ...]:
        """The back edges (from, to) of a depth-first search from the entry, in order."""
        found: list[tuple[int, int]] = []
        state: dict[int, int] = {}
        for root in range(len(self.successors)):
            if root not in state:
                self._walk(root, state, found)
        return tuple(sorted(found))

    def _walk(self, root: int, state: dict[int, int], found: list[tuple[int, int]]) -> None:
        on_path, done = 1, 2
        successors = self.successors
        path = [(root, iter(successors[root]))]
        state[root] = on_path
        while path:
            number, rest = path[-1]
            for following in rest:
                known = state.get(following)
                if known == on_path:
                    found.append((number, following))
                elif known is None:
                    state[following] = on_path
                    path.append((following, iter(successors[following])))
                    break
            else:
                state[number] = done
                path.pop()

    @cached_property
    def loop_forest(self) -> LoopForest:
        """The loops and how they nest."""
        return LoopForest(self.successors)

    @cached_property
    def dominators(self) -> Dominators:
        """The dominators of the blocks."""
        return dominators(self.successors)

    @cached_property
    def post_dominators(self) -> Dominators:
        """The post-dominators of the blocks; the root is the number of blocks."""
        return post_dominators(self.successors, {*self.leaves, *self.opened})

    @cached_property
    def control_dependence(self) -> tuple[tuple[int, ...], ...]:
        """For each block, those whose branches decide whether it runs, in order."""
        return control_dependence(self.successors, self.post_dominators)
