"""The rows of a chunk that may declare something."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from ptx_ls.document.facts import fact
from ptx_ls.source.named_tuple import NamedTuple
from ptx_ls.syntax.record import DIRECTIVE, LABEL

if TYPE_CHECKING:
    from ptx_ls.document.chunk import Chunk

SIMPLE: Final = (LABEL, DIRECTIVE)
"""The records of lines that declare no more than a label or a directive."""


class DeclaringRows(NamedTuple):
    """The rows that may declare something; `others`: those with more than a label or a directive.

    A long function has many labels and directives, which most checks of declarations skip.
    """

    all: tuple[int, ...]
    others: tuple[int, ...]


@fact
def declaring_rows(chunk: Chunk) -> DeclaringRows:
    """Returns the rows of a chunk that may declare something."""
    found = {read for read in chunk.distinct if read.is_declaring}
    others = found.difference(SIMPLE)
    rows = tuple(chunk.rows_where(found.__contains__))
    if len(others) == len(found):
        return DeclaringRows(rows, rows)
    return DeclaringRows(rows, tuple(chunk.rows_where(others.__contains__)))
