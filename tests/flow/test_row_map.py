"""Rows that are not kept are left out of places, and places are converted in their order."""

from __future__ import annotations

from itertools import accumulate

from hypothesis import given
from hypothesis import strategies as st

from ptx_ls.document.coordinates import FunctionPosition
from ptx_ls.flow.row_map import KeptRows, MappedPlaces, RowMap

flags = st.lists(st.lists(st.booleans(), min_size=1, max_size=5), min_size=1, max_size=5)


def check_map(parts: list[list[bool]]) -> None:
    """Converts every place, given for each row of each part whether it is kept."""
    rows = RowMap(
        KeptRows([row for row, is_kept in enumerate(part) if is_kept], len(part)) for part in parts
    )
    all_rows = [is_kept for part in parts for is_kept in part]
    kept = [row for row, is_kept in enumerate(all_rows) if is_kept]
    n_kept = [*accumulate(all_rows, initial=0)]
    for row, is_kept in enumerate(all_rows):
        place = FunctionPosition((row, 3))
        inner = rows.inwards(place)
        if is_kept:
            assert inner == (n_kept[row], 3)
            assert rows.outwards(inner) == place
        else:
            before = [FunctionPosition((number, 99)) for number in range(n_kept[row])]
            after = [FunctionPosition((number, 0)) for number in range(n_kept[row], len(kept))]
            assert all(each < inner for each in before)
            assert all(inner < each for each in after)
    places = [FunctionPosition((number, 1)) for number in range(len(kept))]
    mapped = MappedPlaces(places, rows)
    assert mapped == [(row, 1) for row in kept]
    assert mapped[1:] == [(row, 1) for row in kept[1:]]
    assert len(mapped) == len(kept)


@given(flags)
def test_any_rows(parts: list[list[bool]]) -> None:
    check_map(parts)


def test_parts_without_kept_rows() -> None:
    check_map([[False], [True, False], [False], [False], [True]])
