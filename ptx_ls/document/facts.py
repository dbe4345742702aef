"""Facts: values derived from an immutable node of a document, and kept with it.

Nothing is ever invalidated. An edit makes new nodes, which have no facts yet; the facts of old
nodes remain valid. Only this module and recent_facts.py decide which facts are computed again.
"""

from __future__ import annotations

from operator import is_
from typing import TYPE_CHECKING, Any, Final, Generic, TypeVar, TypeVarTuple

from ptx_ls.document.cancellation import check_cancelled
from ptx_ls.document.fact_checking import CHECKING, FactChecking
from ptx_ls.document.node import NodeType, Value
from ptx_ls.source.named_tuple import NamedTuple

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

Part = TypeVar("Part")
Inputs = TypeVarTuple("Inputs")
InputTuple = TypeVar("InputTuple", bound=tuple[Any, ...])


class Kept(NamedTuple):
    """A value, and the inputs that it was computed from."""

    inputs: tuple[Any, ...]
    value: Any


_UNKNOWN: Final[Any] = object()
"""Marks a value that a node does not have."""


class Fact(Generic[NodeType, *Inputs, Value]):
    """A pure function of a node and of other values, the inputs. Use `fact` to make one.

    The value for the last inputs is kept with the node. Inputs are compared by identity.
    If a new value equals that of the node before the edit, the old object is returned, so that
    facts with that as an input need not be computed again.
    """

    __slots__ = ("_compute", "name")

    def __init__(self, compute: Callable[[NodeType, *Inputs], Value]) -> None:
        self._compute = compute
        self.name = compute.__name__

    def __repr__(self) -> str:
        return f"Fact({self.name})"

    def __call__(self, node: NodeType, *inputs: *Inputs) -> Value:
        """Returns the fact of a node; computes it unless the node has it for these inputs.

        Raises StaleFactError if facts are checked and this one is wrong.
        """
        value: Value = self._find(node, inputs)
        if value is _UNKNOWN:
            check_cancelled()
            return self._store(node, self._compute(node, *inputs), *inputs)
        return value

    def known(self, node: NodeType, *inputs: *Inputs) -> Value | None:
        """Returns the fact, or None if the node does not have it for these inputs.

        Raises StaleFactError as a call does.
        """
        value: Value = self._find(node, inputs)
        return None if value is _UNKNOWN else value

    def restore(self, node: NodeType, value: Value, *inputs: *Inputs) -> None:
        """Keeps a value that an earlier process computed for an equal node."""
        node.keep(self, Kept(inputs, value) if inputs else value)

    def _store(self, node: NodeType, value: Value, *inputs: *Inputs) -> Value:
        """Keeps a computed fact with a node; returns it, or the equal former one."""
        former = node.former.pop(self, _UNKNOWN)
        if former is not _UNKNOWN:
            last = former.value if inputs else former
            value = last if last == value else value
        node.keep(self, Kept(inputs, value) if inputs else value)
        return value

    def _find(self, node: NodeType, inputs: tuple[Any, ...]) -> Any:  # noqa: ANN401  a fact's value
        """Returns the node's value for these inputs, if any; compares it if facts are checked."""
        value = _value_for(node.facts.get(self, _UNKNOWN), inputs)
        if FactChecking.is_on and value is not _UNKNOWN:
            CHECKING.compare(self.name, value, lambda: self._compute(node, *inputs))
        return value


def _value_for(kept: Any, inputs: tuple[Any, ...]) -> Any:  # noqa: ANN401  a fact's value
    """Returns the kept value of a node if it was computed from these inputs, else `_UNKNOWN`."""
    if not inputs or kept is _UNKNOWN:
        return kept
    return kept.value if _are_same(kept.inputs, inputs) else _UNKNOWN


class StoredFact(Generic[NodeType, Value, InputTuple]):
    """A value that is computed elsewhere, such as by a worker, and stored with a node.

    The value for the last inputs is kept with the node; it must be immutable and have `==`. The
    inputs are a tuple, which nodes may share.
    """

    __slots__ = ("name",)

    def __init__(self, name: str) -> None:
        self.name = name

    def __repr__(self) -> str:
        return f"StoredFact({self.name})"

    def known(self, node: NodeType, inputs: InputTuple) -> Value | None:
        """Returns the value if the node has it for these inputs, else None."""
        value: Value = _value_for(node.facts.get(self, _UNKNOWN), inputs)
        return None if value is _UNKNOWN else value

    def last(self, node: NodeType) -> Value | None:
        """Returns the value for the last inputs, or None."""
        kept = node.facts.get(self)
        return None if kept is None else kept.value

    def latest(self, node: NodeType) -> Value | None:
        """Returns the last value of the node, or of the one that it replaced; None if unknown."""
        kept = node.facts.get(self) or node.former.get(self)
        return None if kept is None else kept.value

    def store(self, node: NodeType, value: Value, inputs: InputTuple) -> None:
        """Keeps a value with a node."""
        node.keep(self, Kept(inputs, value))

    def compare(self, node: NodeType, make: Callable[[], Value], inputs: InputTuple) -> None:
        """Compares the value, if the node has it for these inputs, with the result of `make`.

        Raises StaleFactError if they differ. Does nothing unless facts are checked.
        """
        if FactChecking.is_on and (value := self.known(node, inputs)) is not None:
            CHECKING.compare(self.name, value, make)


def fact(compute: Callable[[NodeType, *Inputs], Value]) -> Fact[NodeType, *Inputs, Value]:
    """Turns a pure function of a node, and of other values, into a fact of the node.

    The value must be immutable and have `==`.
    """
    return Fact(compute)


class CombinedFact(Generic[NodeType, Part, Value]):
    """A fact of a node that is computed from one value for each of its parts. Use `combined`.

    If each of these values is the same object as before an edit, so is the fact.
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
        """Returns the fact of a node; computes it unless the node has it.

        Raises StaleFactError if facts are checked and this one is wrong.
        """
        kept = self._find(node)
        if kept is None:
            check_cancelled()
            kept = self._made(node)
            node.keep(self, kept)
        value: Value = kept.value
        return value

    def _made(self, node: NodeType) -> Kept:
        parts = tuple(self._parts(node))
        former: Kept | None = node.former.pop(self, None)
        if former is not None and _are_same(former.inputs, parts):
            return former
        value = self._combine(parts)
        return Kept(parts, former.value if former is not None and former.value == value else value)

    def known(self, node: NodeType) -> Value | None:
        """Returns the fact, or None if the node does not have it."""
        kept = self._find(node)
        return None if kept is None else kept.value

    def is_near(self, node: NodeType) -> bool:
        """Whether the node, or the one that it replaced, has the fact, so that it is soon made."""
        return self in node.facts or self in node.former

    def _find(self, node: NodeType) -> Kept | None:
        """Returns the value kept for the node, or None; compares it if facts are checked."""
        kept: Kept | None = node.facts.get(self)
        if FactChecking.is_on and kept is not None:
            CHECKING.compare(self.name, kept.value, lambda: self._combine(tuple(self._parts(node))))
        return kept


def combined(
    parts: Callable[[NodeType], Iterable[Part]],
) -> Callable[[Callable[[tuple[Part, ...]], Value]], CombinedFact[NodeType, Part, Value]]:
    """Turns a function of one value for each part of a node into a fact of the node.

    `parts` returns these values in order, such as a fact of each child.
    """

    def make(combine: Callable[[tuple[Part, ...]], Value]) -> CombinedFact[NodeType, Part, Value]:
        return CombinedFact(parts, combine)

    return make


def _are_same(one: tuple[Any, ...], other: tuple[Any, ...]) -> bool:
    return len(one) == len(other) and all(map(is_, one, other))
