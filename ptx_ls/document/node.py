"""The nodes that facts are kept with."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final, Protocol, TypeVar

if TYPE_CHECKING:
    from typing import Self


Value = TypeVar("Value")
NodeType = TypeVar("NodeType", bound="Node")
_NO_FACTS: Final[dict[object, Any]] = {}
"""The facts of every node that has none, shared because a document has many such nodes."""


class Node:
    """An immutable part of a document, or a value derived from it, with facts.

    `facts`: the value of each fact, or `Kept` if it has inputs. `former`: the facts of the node
    that this one replaced, to compare with. `replaced`: that node itself, if it is a chunk.
    """

    __slots__ = ("facts", "former", "replaced")

    def __init__(self) -> None:
        self.facts = self.former = _NO_FACTS
        self.replaced: Any = None

    def keep(self, fact: object, kept: object) -> None:
        """Adds a fact, or replaces it. Only facts call this."""
        if self.facts is _NO_FACTS:
            self.facts = {}
        self.facts[fact] = kept

    def replacing(self, node: Node) -> Self:
        """Returns this node; records that it replaces another one after an edit."""
        self.former = node.former | node.facts
        for fact in FACTS_KEPT_APART:
            if (value := fact.kept_for(node)) is not None:
                self.former[fact] = value
        return self


class FactKeptApart(Protocol):
    """A fact whose values are not kept with their nodes."""

    def kept_for(self, node: Node) -> object:
        """Returns the value that is kept for a node; None if there is none."""


FACTS_KEPT_APART: Final[list[FactKeptApart]] = []
"""All such facts; an edit passes their values on to the new nodes, as it does with others."""
