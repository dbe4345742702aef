"""Detects whether an edit of a long function leaves its declarations unchanged."""

from __future__ import annotations

from operator import attrgetter
from typing import TYPE_CHECKING, Final

from ptx_ls.document.facts import combined
from ptx_ls.document.versions import Version, Versions
from ptx_ls.semantics.symbols.region_reader import has_instruction
from ptx_ls.syntax.labels import NAMED_DIRECTIVES
from ptx_ls.syntax.record import WITHOUT_STATEMENT, MultiLine

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from ptx_ls.document.chunk import Chunk
    from ptx_ls.document.function import Function
    from ptx_ls.document.node import Node

_MIN_CHUNKS: Final = 2
"""Minimum number of chunks for which comparing versions is faster than reading everything."""
_is_declaring: Final = attrgetter("is_declaring")


def declaring_node(function: Function) -> Node:
    """Returns a node that is the same object until an edit changes a function's declarations.

    For a short function, this is the function itself, which each edit replaces.
    """
    is_long = function.n_leaves >= _MIN_CHUNKS and not function.shares_lines
    return _declaring_versions(function) if is_long else function


def _declare_the_same(before: Chunk, after: Chunk) -> bool:
    """Whether two chunks have equally many lines and the same declarations in the same places."""
    if before.n_lines != after.n_lines:
        return False
    rows = [*before.rows_where(_is_declaring)]
    if rows != [*after.rows_where(_is_declaring)]:
        return False
    if _first_instruction(before) != _first_instruction(after):
        return False
    if any(name in chunk.text for chunk in (before, after) for name in NAMED_DIRECTIVES):
        return False  # the lines before such a directive decide whether a label belongs to it
    last = rows[-1] if rows else -1
    if not (_has_more(before, last + 1) and _has_more(after, last + 1)):
        rows.extend(range(last + 1, after.n_lines))  # a directive for a label may follow
    return _rows_of(before, rows) == _rows_of(after, rows)


def _first_instruction(chunk: Chunk) -> int | None:
    return next(iter(chunk.rows_where(has_instruction)), None)


def _has_more(chunk: Chunk, row: int) -> bool:
    """Whether a chunk has a statement on a row or below it."""
    return any(
        bool(read.pieces) if isinstance(read, MultiLine) else read.kind not in WITHOUT_STATEMENT
        for read in chunk.records[row:]
    )


def _rows_of(chunk: Chunk, rows: Iterable[int]) -> list[object]:
    lines, records = chunk.lines, chunk.records
    return [(lines[row], records[row]) for row in rows]


_VERSION: Final = Version("declaring lines", _declare_the_same)


def _versions_of(function: Function) -> Iterator[object]:
    return map(_VERSION, function.leaves())


@combined(_versions_of)
def _declaring_versions(versions: tuple[object, ...]) -> Versions[object]:
    """Returns a version for each chunk, which changes only if the chunk's declarations do."""
    return Versions(versions)
