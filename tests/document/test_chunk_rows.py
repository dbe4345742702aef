"""The rows of chunks, one after the other, are those of one list."""

from __future__ import annotations

from typing import TypeVar

from hypothesis import given
from hypothesis import strategies as st

from ptx_ls.document.chunk_rows import ChunkRows, placed
from ptx_ls.document.cutting import chunks_of
from ptx_ls.syntax.reader import Reader

Item = TypeVar("Item")
LINES = ("add.u32 %r1, %r2, 3;\n", "$L1:\n", "\n", "// nothing\n", ".reg .b32 %r1,\n", "%r2;\n")
BOUNDS = st.integers(-12, 12)


@given(st.lists(st.sampled_from(LINES), min_size=1, max_size=12), BOUNDS, BOUNDS)
def test_rows_of_chunks(lines: list[str], start: int, stop: int) -> None:
    records = Reader().read_all(lines)
    parts = placed(chunks_of(lines, records, 2))
    for cut in (lambda chunk: chunk.lines, lambda chunk: chunk.lines_on_demand):
        check_rows(ChunkRows(parts, cut), lines, start, stop)
    check_rows(ChunkRows(parts, lambda chunk: chunk.records), records, start, stop)


def check_rows(seen: ChunkRows[Item], expected: list[Item], start: int, stop: int) -> None:
    """Compares all ways to ask for rows with a list."""
    assert len(seen) == len(expected)
    assert [*seen] == [seen[row] for row in range(len(expected))] == expected
    assert [seen[row - len(expected)] for row in range(len(expected))] == expected
    assert seen[start:stop] == expected[start:stop]
    assert seen[start:stop:2] == expected[start:stop:2]
    rows = range(*slice(start, stop).indices(len(expected)))
    assert [*seen.at(rows)] == [expected[row] for row in rows]
