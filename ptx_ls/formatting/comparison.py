"""Compares rows with their original lines."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ptx_ls.formatting import items
from ptx_ls.syntax.record import Kind, MultiLine, Record
from ptx_ls.syntax.statements import Cutter

if TYPE_CHECKING:
    from collections.abc import Sequence

    from ptx_ls.formatting.row import LayoutRow


def is_same(lines: Sequence[str], statements: list[list[LayoutRow]], record: Record) -> bool:
    """Whether the rows have the same tokens in the same statements as the lines."""
    texts = [_plain(row) for rows in statements for row in rows]
    if items.words("".join(lines)) != items.words("".join(texts)):
        return False
    cutter = Cutter()
    while cutter.n_lines < len(texts):
        cutter.feed(texts[cutter.n_lines])
    cutter.close()
    return [cut.kind for cut in cutter.cuts] == [
        kind for kind in kinds(record) if kind is not Kind.COMMENT
    ]


def kinds(record: Record) -> list[Kind]:
    """Returns the kinds of the statements of a unit."""
    if isinstance(record, MultiLine):
        return [each.kind for each in record.records]
    return [record.kind]


def _plain(row: LayoutRow) -> str:
    return f"{row.guard} {row.head} {row.operands} {row.comment}\n"
