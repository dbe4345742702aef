"""Finds the functions that may have suppression comments; few files have any."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from ptx_ls.document.facts import fact
from ptx_ls.document.unread import UnreadFunction

if TYPE_CHECKING:
    from ptx_ls.document.branch import InnerNode
    from ptx_ls.document.chunk import Chunk
    from ptx_ls.document.document import Document
    from ptx_ls.document.function import Function
    from ptx_ls.source import Position

MARK: Final = "ptx-ls:"
"""The text that every such comment contains."""


@fact
def marked_functions(group: InnerNode[Function, Position]) -> tuple[int, ...]:
    """Returns the numbers of the functions in a group that contain a comment for ptx-ls."""
    return tuple([number for number, each in enumerate(group.leaves()) if function_is_marked(each)])


@fact
def function_is_marked(function: Function) -> bool:
    """Whether a function contains a comment for ptx-ls."""
    if isinstance(function, UnreadFunction):
        return MARK in function.text
    if function.n_leaves == 1:
        return MARK in function.leaf(0).text
    return any(map(chunk_is_marked, function.leaves()))


@fact
def chunk_is_marked(chunk: Chunk) -> bool:
    """Whether a chunk of a long function contains a comment for ptx-ls."""
    return MARK in chunk.text


def is_marked(document: Document) -> bool:
    """Whether a document contains `MARK`."""
    return any(marked_functions(group) for _, group in document.groups())
