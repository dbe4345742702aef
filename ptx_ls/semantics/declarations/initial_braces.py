"""The braces of an initial value, which may be nested deeply; nothing here is recursive."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ptx_ls.syntax.parsing.nodes import is_inner, is_leaf

if TYPE_CHECKING:
    from collections.abc import Iterator

    from parso.tree import NodeOrLeaf


def is_braced(value: NodeOrLeaf) -> bool:
    """Whether a value is a list in braces."""
    return value.type == "vector" and is_inner(value)


def items_of(value: NodeOrLeaf) -> list[NodeOrLeaf]:
    """Returns the items of a list in braces; [] for another value."""
    if not is_inner(value):
        return []
    return [child for child in value.children if child.type != "operator"]


def braces_in(value: NodeOrLeaf) -> Iterator[tuple[NodeOrLeaf, list[NodeOrLeaf], int]]:
    """Yields each list in braces with its items and its depth; outer ones first."""
    pending = [(value, 0)]
    while pending:
        node, depth = pending.pop()
        if is_braced(node):
            items = items_of(node)
            yield node, items, depth
            pending += [(item, depth + 1) for item in reversed(items)]


def elements_of(value: NodeOrLeaf) -> Iterator[NodeOrLeaf]:
    """Yields all values in braces in the order of the text, or the single value without braces."""
    pending = [value]
    while pending:
        node = pending.pop()
        if is_braced(node):
            pending += reversed(items_of(node))
        else:
            yield node


def length_of(item: NodeOrLeaf) -> int:
    """Returns the number of values in an item, as a long run of numbers is one leaf."""
    return item.value.count(",") + 1 if is_leaf(item) and item.type == "numbers" else 1
