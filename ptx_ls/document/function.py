"""Functions: the parts of a document from one head to the next."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ptx_ls.document.branch import InnerNode
from ptx_ls.document.chunk import Chunk
from ptx_ls.document.coordinates import FunctionPosition

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from ptx_ls.syntax.record import Kind


class Function(InnerNode[Chunk, FunctionPosition]):
    """A function or section, from its head to the next one; the first of a document has no head.

    Functions do not nest, so braces are matched within each.
    """

    __slots__ = ()

    @property
    def head(self) -> Kind | None:
        """The kind of its head; None for the lines before the first head."""
        return self.leaf(0).head if self.n_leaves else None

    @property
    def text(self) -> str:
        """Its text; takes time in proportion to its size."""
        return "".join([chunk.text for chunk in self.leaves()])


def functions_of(chunks: Iterable[Chunk]) -> Iterator[Function]:
    """Yields the functions that chunks form; each begins with a head, except perhaps the first."""
    own: list[Chunk] = []
    for chunk in chunks:
        if chunk.head is not None and own:
            yield Function.of(own)
            own = []
        own.append(chunk)
    if own:
        yield Function.of(own)
