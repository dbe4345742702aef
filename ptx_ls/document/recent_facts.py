"""Facts that are kept for the most recently used nodes."""

from __future__ import annotations

from typing import TYPE_CHECKING, Generic
from weakref import WeakValueDictionary

from ptx_ls.document.cancellation import check_cancelled
from ptx_ls.document.fact_checking import CHECKING, FactChecking
from ptx_ls.document.node import FACTS_KEPT_APART, Node, NodeType, Value

if TYPE_CHECKING:
    from collections.abc import Callable


class RecentFact(Generic[NodeType, Value]):
    """A pure function of a node whose values are kept for the most recently used nodes.

    This is for values that are large, but fast to compute again. A value that is still in use
    elsewhere is never computed again, so its parts may be compared by identity. `owner` returns the
    node with which a value is kept; nodes with the same owner have the same value. Use
    `recent_fact` to make one.
    """

    __slots__ = ("_compute", "_held", "_n_kept", "_owner", "_recent", "name")

    def __init__(
        self, compute: Callable[[NodeType], Value], n_kept: int, owner: Callable[[NodeType], Node]
    ) -> None:
        self._compute, self._n_kept, self._owner = compute, n_kept, owner
        self._recent: dict[Node, Value] = {}  # in the order of use
        self._held = WeakValueDictionary[Node, Value]()
        self.name = compute.__name__
        FACTS_KEPT_APART.append(self)

    def __repr__(self) -> str:
        return f"RecentFact({self.name})"

    def __call__(self, node: NodeType) -> Value:
        """Returns the fact of a node; computes it unless it is kept.

        Raises StaleFactError if facts are checked and this one is wrong.
        """
        value = self.known(node)
        if value is not None:
            return value
        check_cancelled()
        self._make_room(self._n_kept - 1)  # first, so that fewer values are in memory together
        return self._store(node, self._compute(node))

    def known(self, node: NodeType) -> Value | None:
        """Returns the fact, or None if it is not kept."""
        owner = self._owner(node)
        value = self._held.get(owner)
        if value is not None:
            self._recent.pop(owner, None)
            self._recent[owner] = value
            if FactChecking.is_on:
                CHECKING.compare(self.name, value, lambda: self._compute(node))
        return value

    def kept_for(self, node: Node) -> Value | None:
        """Returns the value that is kept for a node, without a record of its use; None if none."""
        return self._held.get(node)

    def _store(self, node: NodeType, value: Value) -> Value:
        """Keeps a computed fact; returns it, or the former one if that is equal."""
        former = node.former.pop(self, None)
        value = former if former == value else value
        owner = self._owner(node)
        self._recent[owner] = self._held[owner] = value
        self._make_room(self._n_kept)
        return value

    def _make_room(self, n_kept: int) -> None:
        """Drops all values but those of the most recently used nodes."""
        recent = self._recent
        while len(recent) > n_kept:
            try:
                del recent[next(iter(recent))]
            except (KeyError, RuntimeError, StopIteration):  # another thread deleted it
                break


def recent_fact(
    n_kept: int,
) -> Callable[[Callable[[NodeType], Value]], RecentFact[NodeType, Value]]:
    """Turns a pure function of a node into a fact that is kept for the last `n_kept` nodes."""

    def make(compute: Callable[[NodeType], Value]) -> RecentFact[NodeType, Value]:
        return RecentFact(compute, n_kept, _itself)

    return make


def shared_recent_fact(
    n_kept: int, owner: Callable[[NodeType], Node]
) -> Callable[[Callable[[NodeType], Value]], RecentFact[NodeType, Value]]:
    """Turns a function into a recent fact, with one value for all nodes of the same `owner`."""

    def make(compute: Callable[[NodeType], Value]) -> RecentFact[NodeType, Value]:
        return RecentFact(compute, n_kept, owner)

    return make


def _itself(node: Node) -> Node:
    return node
