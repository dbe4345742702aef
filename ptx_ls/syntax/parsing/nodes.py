"""Functions on statement trees: the leaves, the place and the text of a node."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ptx_ls.syntax.offsets import StatementPosition

if TYPE_CHECKING:
    from collections.abc import Iterable
    from typing import TypeGuard

    from parso.tree import BaseNode, Leaf, NodeOrLeaf


def is_leaf(node: NodeOrLeaf) -> TypeGuard[Leaf]:
    """Whether a node is a leaf: a token."""
    return not hasattr(node, "children")


def is_inner(node: NodeOrLeaf) -> TypeGuard[BaseNode]:
    """Whether a node has children."""
    return hasattr(node, "children")


def leaves(node: NodeOrLeaf) -> Iterable[Leaf]:
    """Yields the leaves below `node` in the order of the text."""
    stack: list[NodeOrLeaf] = [node]
    while stack:
        current = stack.pop()
        if is_inner(current):
            stack.extend(reversed(current.children))
        elif is_leaf(current):
            yield current


def first_leaf(node: NodeOrLeaf) -> Leaf:
    """Returns the first leaf of a node."""
    while is_inner(node):  # parso's own function takes a stack frame for each level
        node = node.children[0]
    assert is_leaf(node)  # noqa: S101  parso has nodes and leaves
    return node


def last_leaf(node: NodeOrLeaf) -> Leaf:
    """Returns the last leaf of a node."""
    while is_inner(node):
        node = node.children[-1]
    assert is_leaf(node)  # noqa: S101  parso has nodes and leaves
    return node


def start_of(node: NodeOrLeaf) -> StatementPosition:
    """Returns the start of a node in the parsed text."""
    line, column = first_leaf(node).start_pos
    return StatementPosition((line - 1, column))


def end_of(node: NodeOrLeaf) -> StatementPosition:
    """Returns the end of a node in the parsed text."""
    leaf = last_leaf(node)
    text = leaf.value
    if "\n" in text or "\r" in text:
        line, column = leaf.end_pos
        return StatementPosition((line - 1, column))
    line, column = leaf.start_pos  # parso's `end_pos` splits every leaf into lines
    return StatementPosition((line - 1, column + len(text)))


def text_of(node: NodeOrLeaf) -> str:
    """Returns the text of a node, without the white space and comments before it."""
    parts = [part for leaf in leaves(node) for part in (leaf.prefix, leaf.value)]
    return "".join(parts[1:])
