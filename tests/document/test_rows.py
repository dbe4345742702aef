"""A search in chunks finds each match once, on its line."""

from __future__ import annotations

import pytest

from ptx_ls.document.chunk import Chunk
from ptx_ls.document.document import Document
from ptx_ls.document.rows import rows_where

HEAD = ".version 8.5\n.target sm_90\n.visible .entry k()\n{\n"
LONG_LINE = "bar.sync 0; " * 3_000


def check_rows_where(body: str, expected: list[int]) -> None:
    """Compares the lines of a kernel that have a barrier with the expected ones."""
    chunks = [*Document.read(f"{HEAD}{body}\n    ret;\n}}\n").leaf(1).leaves()]

    def search(chunk: Chunk) -> list[int]:
        return [row for row, line in enumerate(chunk.lines) if "bar" in line]

    assert len(chunks) > 1
    assert rows_where(chunks, search) == expected


@pytest.mark.parametrize(
    ("body", "expected"),
    [
        (LONG_LINE, [2]),
        (f"{LONG_LINE}\n{LONG_LINE}", [2, 3]),
        ("bar.sync 0;\n\n" * 3_000, [*range(2, 6_002, 2)]),
    ],
    ids=["a line of many chunks", "two of them", "many lines"],
)
def test_rows_where(body: str, expected: list[int]) -> None:
    check_rows_where(body, expected)
