"""Facts: values derived from an immutable node of a document, and kept with it.

Nothing is ever invalidated. An edit makes new nodes, which have no facts yet; what an old node
knows stays true. This is the only module that decides what is computed again.
"""

from __future__ import annotations

from operator import is_
from typing import TYPE_CHECKING, Any, Generic, NamedTuple, Self, TypeVar, TypeVarTuple

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

Value = TypeVar("Value")
Part = TypeVar("Part")
NodeType = TypeVar("NodeType", bound="Node")
Inputs = TypeVarTuple("Inputs")


class StaleFactError(AssertionError):
    """A kept fact differs from the same one made from scratch."""


class Kept(NamedTuple):
    """A value, and what it was made of beside the node."""

    inputs: tuple[Any, ...]
    value: Any


class Node:
    """An immutable part of a document, with room for its facts.

    `former`: facts of the node that this one replaced, to compare with.
    """

    __slots__ = ("facts", "former")

    def __init__(self) -> None:
        self.facts: dict[object, Kept] = {}
        self.former: dict[object, Kept] = {}

    def replacing(self, node: Node) -> Self:
        """Returns this node, which an edit just made in place of another one."""
        self.former = node.former | node.facts
        return self


class Checking:
    """Whether facts that nodes have are compared with ones made from scratch; see `CHECKING`."""

    def __init__(self) -> None:
        self.is_on = False


CHECKING = Checking()
"""Switched on by tests that look for stale facts."""


class Fact(Generic[NodeType, *Inputs, Value]):
    """A pure function of a node and of other values. Use `fact` to make one.

    The value for the last inputs is kept with the node. Inputs are compared by identity.
    Where a value equals that of the node before the edit, that object is returned, so whatever
    takes it as an input need not be computed again.
    """

    __slots__ = ("_compute", "name")

    def __init__(self, compute: Callable[[NodeType, *Inputs], Value]) -> None:
        self._compute = compute
        self.name = compute.__name__

    def __repr__(self) -> str:
        return f"Fact({self.name})"

    def __call__(self, node: NodeType, *inputs: *Inputs) -> Value:
        """Returns the fact of a node, computed unless the node has it for these inputs.

        Raises StaleFactError if facts are checked and this one is not what it should be.
        """
        kept = node.facts.get(self)
        if kept is None or not _are_same(kept.inputs, inputs):
            kept = node.facts[self] = self._made(node, *inputs)
        elif CHECKING.is_on and self._compute(node, *inputs) != kept.value:
            raise StaleFactError(self.name)
        value: Value = kept.value
        return value

    def known(self, node: NodeType) -> Value | None:
        """Returns the fact if the node has it for any inputs; computes nothing."""
        kept = node.facts.get(self)
        return kept.value if kept is not None else None

    def _made(self, node: NodeType, *inputs: *Inputs) -> Kept:
        value = self._compute(node, *inputs)
        former = node.former.pop(self, None)
        return Kept(inputs, former.value if former is not None and former.value == value else value)


def fact(compute: Callable[[NodeType, *Inputs], Value]) -> Fact[NodeType, *Inputs, Value]:
    """Makes a pure function of a node, and of other values, a fact of the node.

    The value must be immutable and have `==`.
    """
    return Fact(compute)


class CombinedFact(Generic[NodeType, Part, Value]):
    """A fact of a node that is made of one value for each of its parts. Use `combined`.

    Where these values are all those of before the edit, so is this, and nothing is computed.
    """

    __slots__ = ("_combine", "_parts", "name")

    def __init__(
        self,
        parts: Callable[[NodeType], Iterable[Part]],
        combine: Callable[[tuple[Part, ...]], Value],
    ) -> None:
        self._parts, self._combine = parts, combine
        self.name = combine.__name__

    def __repr__(self) -> str:
        return f"CombinedFact({self.name})"

    def __call__(self, node: NodeType) -> Value:
        """Returns the fact of a node, computed unless the node has it.

        Raises StaleFactError if facts are checked and this one is not what it should be.
        """
        kept = node.facts.get(self)
        if kept is None:
            kept = node.facts[self] = self._made(node)
        elif CHECKING.is_on and self._combine(tuple(self._parts(node))) != kept.value:
            raise StaleFactError(self.name)
        value: Value = kept.value
        return value

    def _made(self, node: NodeType) -> Kept:
        parts = tuple(self._parts(node))
        former = node.former.pop(self, None)
        if former is not None and _are_same(former.inputs, parts):
            return former
        value = self._combine(parts)
        return Kept(parts, former.value if former is not None and former.value == value else value)


def combined(
    parts: Callable[[NodeType], Iterable[Part]],
) -> Callable[[Callable[[tuple[Part, ...]], Value]], CombinedFact[NodeType, Part, Value]]:
    """Makes a function of one value for each part of a node a fact of the node.

    `parts`: these values in order, such as a fact of each child.
    """

    def make(combine: Callable[[tuple[Part, ...]], Value]) -> CombinedFact[NodeType, Part, Value]:
        return CombinedFact(parts, combine)

    return make


def _are_same(one: tuple[Any, ...], other: tuple[Any, ...]) -> bool:
    return len(one) == len(other) and all(map(is_, one, other))
