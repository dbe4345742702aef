"""The tokens of a document as rows, which are kept with functions and with chunks of long ones.

A *row* is the tokens of one line as text, which begins with the number of lines since the last row.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Final

from ptx_ls.document.facts import StoredFact
from ptx_ls.source.named_tuple import NamedTuple

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from ptx_ls.document.branch import InnerNode
    from ptx_ls.document.chunk import Chunk
    from ptx_ls.document.function import Function
    from ptx_ls.document.node import Node
    from ptx_ls.features.tokens.token_forms import Forms
    from ptx_ls.source import Position

    Group = InnerNode[Function, Position]


@dataclass(frozen=True)
class TokenRows:
    """Rows of consecutive lines, from the first to the last with tokens.

    The first row lacks its number of lines.
    """

    rows: tuple[str, ...]

    @cached_property
    def n_numbers(self) -> int:
        """The number of numbers in the rows, with that of lines in the first one."""
        return ",".join(self.rows).count(",") + 2


class PlacedRows(NamedTuple):
    """Rows in a document or a function. `gap`: the number of lines since the last row before."""

    gap: int
    lines: TokenRows


class JoinedRows(NamedTuple):
    """The rows of a function, or of several, whose last one is on its line `last`.

    `outer`: the module's styles of the names looked up.
    """

    outer: Mapping[str, int]
    parts: tuple[PlacedRows, ...]
    last: int


class PaintedRows(NamedTuple):
    """The rows of a chunk, from its line `first` to its line `last`; `outer` as in its function."""

    outer: Mapping[str, int]
    lines: TokenRows
    first: int
    last: int


GROUP_ROWS: Final[StoredFact[Group, JoinedRows, tuple[Forms, frozenset[str]]]] = StoredFact(
    "token rows of a group"
)
"""The rows of a group of functions, without the lines that other functions share."""
FUNCTION_ROWS: Final[StoredFact[Function, JoinedRows, tuple[Forms, frozenset[str]]]] = StoredFact(
    "token rows"
)
"""The rows of functions that begin at the start of a line."""
CHUNK_ROWS: Final[StoredFact[Chunk, PaintedRows, tuple[Forms, Node]]] = StoredFact(
    "token rows of a chunk"
)
"""The rows of chunks of long functions without unreachable code. The node stands for the text that
declares something in the function."""


def joined(placed: Iterable[tuple[int, JoinedRows]]) -> JoinedRows:
    """Joins rows, each given with the number of lines before it."""
    outer: dict[str, int] = {}
    parts: list[PlacedRows] = []
    last = 0
    for line, rows in placed:
        outer.update(rows.outer)
        if rows.parts:
            gap, lines = rows.parts[0]
            parts.append(PlacedRows(line + gap - last, lines))
            parts += rows.parts[1:]
            last = line + rows.last
    return JoinedRows(outer, tuple(parts), last)


def rows_of(parts: Iterable[PlacedRows]) -> list[str]:
    """Returns the rows of parts in order."""
    rows: list[str] = []
    for gap, lines in parts:
        number = len(rows)
        rows += lines.rows
        rows[number] = f"{gap},{rows[number]}"
    return rows
