"""The rows of chunks, one after the other, are those of one list."""

from __future__ import annotations

from typing import TypeVar

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ptx_ls.document.chunk import Chunk
from ptx_ls.document.chunk_rows import ChunkRows, placed
from ptx_ls.document.cutting import chunks_of
from ptx_ls.syntax.reader import Reader
from ptx_ls.syntax.record import Record, Shape

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


@pytest.mark.parametrize("n_records", [3, 300])
def test_flags_of_a_chunk(n_records: int) -> None:
    lines = [f"add.u32 %r1, %r2, {'-' * number}3;\n" for number in range(n_records)]
    check_flags([*lines, *lines])


def check_flags(lines: list[str]) -> None:
    """The flags of the rows are those of their records, however many there are."""
    records = Reader().read_all(lines)
    flags: dict[Record, int] = {
        record: len(record.text) % 256 for record in records if isinstance(record, Shape)
    }
    found = Chunk("".join(lines), records).flags(lambda record: flags.get(record, 0))
    assert [*found] == [flags.get(record, 0) for record in records]
