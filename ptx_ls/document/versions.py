"""Versions: objects that stay the same until an edit changes a certain property of a node."""

from __future__ import annotations

from typing import TYPE_CHECKING, Generic, TypeVar

from ptx_ls.document.node import Node

if TYPE_CHECKING:
    from collections.abc import Callable

NodeType = TypeVar("NodeType", bound=Node)
Part = TypeVar("Part")


class Version(Generic[NodeType]):
    """An object for each node, which stays the same until an edit changes a certain property of it.

    A result that depends on this property of many nodes is still valid while their versions are the
    same objects. `is_same` compares a node with the one that it replaced.
    """

    __slots__ = ("_is_same", "name")

    def __init__(self, name: str, is_same: Callable[[NodeType, NodeType], bool]) -> None:
        self.name, self._is_same = name, is_same

    def __repr__(self) -> str:
        return f"Version({self.name})"

    def __call__(self, node: NodeType) -> object:
        """Returns the version of a node."""
        version: object = node.facts.get(self)
        if version is None:
            before = node.replaced
            version = None if before is None else before.facts.get(self)
            if version is None or not self._is_same(before, node):
                version = object()
            node.keep(self, version)
        return version


class Versions(Node, Generic[Part]):
    """The versions of the parts of a node, as a node for facts that depend only on these.

    A version is any object that stays the same, such as a fact of a part.
    """

    __slots__ = ("parts",)

    def __init__(self, parts: tuple[Part, ...]) -> None:
        super().__init__()
        self.parts = parts

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Versions) and self.parts == other.parts

    __hash__ = object.__hash__  # facts are kept with the object, not with equal ones
