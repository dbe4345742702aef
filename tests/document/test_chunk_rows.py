"""The rows of chunks, one after the other, are those of one list."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from ptx_ls.document.chunk_rows import ChunkRows, placed
from ptx_ls.document.cutting import chunks_of
from ptx_ls.syntax.reader import Reader

LINES = ("add.u32 %r1, %r2, 3;\n", "$L1:\n", "\n", "// nothing\n", ".reg .b32 %r1,\n", "%r2;\n")
BOUNDS = st.integers(-12, 12)


@given(st.lists(st.sampled_from(LINES), min_size=1, max_size=12), BOUNDS, BOUNDS)
def test_rows_of_chunks(lines: list[str], start: int, stop: int) -> None:
    records = Reader().read_all(lines)
    parts = placed(chunks_of(lines, records, 2))
    seen = ChunkRows(parts, lambda chunk: chunk.lines)
    read = ChunkRows(parts, lambda chunk: chunk.records)
    assert len(seen) == len(lines)
    assert [*seen] == [seen[row] for row in range(len(lines))] == lines
    assert [*read] == [read[row - len(lines)] for row in range(len(lines))] == records
    assert seen[start:stop] == lines[start:stop]
    assert read[start:stop:2] == records[start:stop:2]
    rows = range(*slice(start, stop).indices(len(lines)))
    assert [*seen.at(rows)] == [lines[row] for row in rows]
