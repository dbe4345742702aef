"""Items that move to other lines without being encoded again."""

from __future__ import annotations

import json
from typing import Any

from ptx_ls.document.document import Document
from ptx_ls.server.documents.line_rows import RowWriter, constant, items_of, joined
from ptx_ls.source import Position, Range
from ptx_ls.source.columns import ColumnUnit


def check_items(*parts: tuple[int, list[str]], expected: list[Any]) -> None:
    """Items of a name and its range in parts of a document, each with its first line."""
    found = []
    for first_line, names in parts:
        writer = RowWriter(Document.read("\n".join(names)), ColumnUnit.UTF_16)
        items = (
            f'{{"name": {constant(name)}, "range": {writer.range(whole(row, name))}}}'
            for row, name in enumerate(names)
        )
        found.append((first_line, writer.rows(items, names)))
    rows = joined(found)
    assert [json.loads(item) for item in items_of(rows)] == expected
    assert rows.marks == tuple(name for _, names in parts for name in names)


def whole(row: int, name: str) -> Range:
    return Range(Position(row, 0), Position(row, len(name)))


def item(name: str, line: int, length: int) -> Any:  # noqa: ANN401
    start, end = ({"line": line, "character": column} for column in (0, length))
    return {"name": name, "range": {"start": start, "end": end}}


def test_lines_count_from_the_start_of_the_document() -> None:
    check_items(
        (0, ["a", "bc"]),
        (2, []),
        (70_000, ["d"]),
        expected=[item("a", 0, 1), item("bc", 1, 2), item("d", 70_000, 1)],
    )


def test_names_with_percent_signs_and_quotes() -> None:
    names = ["%d", "%", "%%s", 'a"b', "\\n", "😀"]
    lengths = [2, 1, 3, 3, 2, 2]
    check_items((5, names), expected=list(map(item, names, range(5, 11), lengths)))


def test_nothing() -> None:
    check_items(expected=[])
    check_items((3, []), expected=[])
