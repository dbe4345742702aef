"""Facts: values derived from an immutable node of a document, and kept with it.

Nothing is ever invalidated. An edit makes new nodes, which have no facts yet; what an old node
knows stays true. This is the only module that decides what is computed again.
"""

from __future__ import annotations

from operator import is_
from threading import local
from typing import (
    TYPE_CHECKING,
    Any,
    ClassVar,
    Final,
    Generic,
    NamedTuple,
    Self,
    TypeVar,
    TypeVarTuple,
)

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


class Checking(local):
    """Whether facts that nodes have are compared with ones made from scratch, on this thread.

    Use `check_facts` to switch it on for all threads.
    """

    def __init__(self) -> None:
        self.is_making = False

    is_on: ClassVar[bool] = False

    def compare(self, name: str, value: object, make: Callable[[], object]) -> None:
        """Raises StaleFactError unless a value equals the one that is made now.

        What that is made of is not compared in turn: it is when it is asked for itself.
        """
        if not self.is_on or self.is_making:
            return
        self.is_making = True
        try:
            if make() != value:
                raise StaleFactError(name)
        finally:
            self.is_making = False


_CHECKING: Final = Checking()


def check_facts(*, is_on: bool) -> None:
    """Lets each fact that a node has be compared with one made from scratch, as tests do."""
    Checking.is_on = is_on


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
        if kept is None or (inputs and not _are_same(kept.inputs, inputs)):
            kept = node.facts[self] = self._made(node, *inputs)
        elif Checking.is_on:
            _CHECKING.compare(self.name, kept.value, lambda: self._compute(node, *inputs))
        value: Value = kept.value
        return value

    def known(self, node: NodeType, *inputs: *Inputs) -> Value | None:
        """Returns the fact if the node has it for these inputs; computes nothing."""
        value: Value | None = _known(self, node, inputs)
        return value

    def store(self, node: NodeType, value: Value, *inputs: *Inputs) -> Value:
        """Gives a node a fact that was computed in steps; returns it, or the equal former one."""
        kept = node.facts[self] = _kept(self, node, value, inputs)
        stored: Value = kept.value
        return stored

    def _made(self, node: NodeType, *inputs: *Inputs) -> Kept:
        return _kept(self, node, self._compute(node, *inputs), inputs)


def _known(fact: object, node: Node, inputs: tuple[Any, ...]) -> Any:  # noqa: ANN401  a fact's value
    kept = node.facts.get(fact)
    return kept.value if kept is not None and _are_same(kept.inputs, inputs) else None


def _kept(fact: object, node: Node, value: Any, inputs: tuple[Any, ...]) -> Kept:  # noqa: ANN401
    """The value to keep: the one before the edit if that is equal."""
    former = node.former.pop(fact, None)
    return Kept(inputs, former.value if former is not None and former.value == value else value)


class StoredFact(Generic[NodeType, Value, *Inputs]):
    """A value that is computed for a node elsewhere, as a worker does for many nodes.

    The value for the last inputs is kept with the node; it must be immutable.
    """

    __slots__ = ("name",)

    def __init__(self, name: str) -> None:
        self.name = name

    def __repr__(self) -> str:
        return f"StoredFact({self.name})"

    def known(self, node: NodeType, *inputs: *Inputs) -> Value | None:
        """Returns the value if the node has it for these inputs."""
        value: Value | None = _known(self, node, inputs)
        return value

    def last(self, node: NodeType) -> Value | None:
        """Returns the value for the last inputs."""
        kept = node.facts.get(self)
        return None if kept is None else kept.value

    def former(self, node: NodeType) -> Value | None:
        """Returns the value for the last inputs of the node that this one replaced."""
        kept = node.former.get(self)
        return None if kept is None else kept.value

    def store(self, node: NodeType, value: Value, *inputs: *Inputs) -> None:
        """Keeps a value with a node."""
        node.facts[self] = Kept(inputs, value)


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
        elif Checking.is_on:
            _CHECKING.compare(
                self.name, kept.value, lambda: self._combine(tuple(self._parts(node)))
            )
        value: Value = kept.value
        return value

    def kept(self, node: NodeType) -> Value | None:
        """Returns the fact if the node has it, or if its parts are those before the edit."""
        kept, former = node.facts.get(self), node.former.get(self)
        if kept is None and former is not None:
            if not _are_same(former.inputs, tuple(self._parts(node))):
                return None
            kept = node.facts[self] = former
        return None if kept is None else kept.value

    def _made(self, node: NodeType) -> Kept:
        parts = tuple(self._parts(node))
        former = node.former.pop(self, None)
        if former is not None and _are_same(former.inputs, parts):
            return former
        value = self._combine(parts)
        return Kept(parts, former.value if former is not None and former.value == value else value)

    def known(self, node: NodeType) -> Value | None:
        """Returns the fact if the node has it; computes nothing."""
        kept = node.facts.get(self)
        return None if kept is None else kept.value


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
