"""Functions whose text is known from an earlier run, and which are read only when that is needed.

A large file is nearly always the same as before except for some functions. The others have their
facts already, so nothing asks for their lines.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from ptx_ls.document.branch import of_one_root
from ptx_ls.document.chunk import lines_of
from ptx_ls.document.cutting import chunks_of
from ptx_ls.document.document import Document, chunks_from
from ptx_ls.document.function import Function, functions_of
from ptx_ls.document.node import Node

if TYPE_CHECKING:
    from collections.abc import Callable, Container

    from ptx_ls.document.chunk import Chunk
    from ptx_ls.document.coordinates import Extent
    from ptx_ls.syntax.reader import Reader
    from ptx_ls.syntax.record import Kind

_MADE_BY_READING: Final = frozenset({"_lines", "_starts", "children", "counts", "height"})
"""The attributes that a function gets when it is read."""


class UnreadFunction(Function):
    """A function that is read when its chunks are needed. Not thread-safe, as its reader is not.

    Attributes:
        text: its text, which ends with a line.
        extent: the extent of the text.
        head: the kind of its head; None for the lines before the first head.
    """

    __slots__ = ("_reader", "head", "text")
    head: Kind | None
    text: str

    def __init__(self, text: str, extent: Extent, head: Kind | None, reader: Reader) -> None:
        Node.__init__(self)
        self.text, self.extent, self.head = text, extent, head
        self._reader = reader

    def __getattr__(self, name: str) -> Any:  # noqa: ANN401  the attributes of a function
        if name not in _MADE_BY_READING:
            raise AttributeError(name)
        self._read()
        return getattr(self, name)

    def _read(self) -> None:
        lines = lines_of(self.text)
        chunks = chunks_of(lines, self._reader.read_all(lines))
        facts, former, replaced = self.facts, self.former, self.replaced
        Function.__init__(self, *of_one_root(chunks, 0))
        self.facts, self.former, self.replaced = facts, former, replaced


def read_around(
    text: str, reader: Reader, unread_at: Callable[[int], UnreadFunction | None]
) -> Document:
    """Returns the document of a text, of which only unknown functions are read.

    Args:
        text: the whole text.
        reader: the reader of the document.
        unread_at: returns the known function with which the text continues at an offset where a
            line begins; None if there is none. How the function is read must not depend on the text
            after it, if that begins with a head or is empty.
    """
    functions: list[Function] = []
    at = 0
    not_skipped: set[int] = set()
    while at < len(text):
        known = None if at in not_skipped else unread_at(at)
        if known is not None:
            functions.append(known)
            at += len(known.text)
            continue
        chunks = _chunks_until_known(text, at, reader, unread_at, not_skipped)
        if functions and chunks[0].head is None:
            # The text continues the function before it, which therefore is a new one.
            at -= len(functions.pop().text)
            not_skipped.add(at)
        else:
            functions += functions_of(chunks)
            at += sum(len(chunk.text) for chunk in chunks)
    return Document.of_functions(functions, reader)


def _chunks_until_known(
    text: str,
    start: int,
    reader: Reader,
    unread_at: Callable[[int], UnreadFunction | None],
    not_skipped: Container[int],
) -> list[Chunk]:
    """Reads chunks from an offset to the next known function, at least one chunk."""
    found: list[Chunk] = []
    at = start
    for chunk in chunks_from(text, start, reader):
        is_head = chunk.head is not None and text[at - 1] == "\n"
        if found and is_head and at not in not_skipped and unread_at(at) is not None:
            break
        found.append(chunk)
        at += len(chunk.text)
    return found
