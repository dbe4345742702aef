"""The lines with a name twice in one group, found in C and in Python."""

from __future__ import annotations

from itertools import cycle, islice

from hypothesis import given
from hypothesis import strategies as st

from ptx_ls.source.lines import split_lines
from ptx_ls.syntax.searches.repeated_names import plain_repeating_rows, repeating_rows

GROUPS = (bytes([0, 1, 1]), None, True, bytes([0, 1, 2, 2, 1]), b"")
PIECES = (
    *("%r1", "%r10", "%r1.x", "%r1.y", "%tid.x", "x", "x1", "_", "_a", "$b", "add", ".s32", "::"),
    *(" ", ",", ";", "@", "!", "[", "]", "{", "}", "+", "4", "/", '"', "\n", "\r", "\t", "é"),
)


def check_rows(text: str, *expected: int, record: int = 0) -> None:
    """Exactly these lines are found; all have the record with a number."""
    n_lines = text.count("\n") + 1
    for find in (repeating_rows, plain_repeating_rows):
        assert [*find(text, bytes([record] * n_lines), GROUPS)] == [*expected]


def test_a_name_twice() -> None:
    check_rows("mov.b64 {%r1, %r1};\nmov.b64 {%r1, %r2};\nmov.b64 {%r1, %r10};", 0)


def test_components_of_a_name() -> None:
    check_rows("mov.b64 {%r1.x, %r1.y};\nmov.b64 {%r1.x, %r1.x};", 1)


def test_groups() -> None:
    check_rows("add a, b, c, d;\nadd a, b, a, d;\nadd a, b, b, d;\nadd a, b, c, a;", 2, 3, record=3)


def test_other_names_than_expected() -> None:
    check_rows("mov.b64 {%r1, _};\nmov.b64 {%r1, %r2}, %r3;\nmov.b64 {%r1, %r2}; // x", 0, 1, 2)


def test_lines_of_other_records() -> None:
    check_rows("mov.b64 {%r1, %r1};", record=1)
    check_rows("ret;", 0, record=2)


@given(st.lists(st.sampled_from(PIECES)), st.lists(st.integers(0, len(GROUPS) - 1), min_size=1))
def test_both_find_the_same(pieces: list[str], records: list[int]) -> None:
    text = "".join(pieces)
    numbers = bytes(islice(cycle(records), len(split_lines(text))))
    found = [*repeating_rows(text, numbers, GROUPS)]
    assert found == [*plain_repeating_rows(text, numbers, GROUPS)]
