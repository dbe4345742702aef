"""The lines with numbers outside of their limits, found in C and in Python."""

from __future__ import annotations

from itertools import cycle, islice

from hypothesis import given
from hypothesis import strategies as st

from ptx_ls.source.lines import split_lines
from ptx_ls.syntax.searches.unusual_numbers import ANY, packed, plain_unusual_rows, unusual_rows

LIMITS = (packed([(1, 31)]), None, True, packed([(0, 0xFFFF), ANY]), b"", packed([(0, 1 << 128)]))
PIECES = (
    *("0", "31", "32", "0x1F", "0x20", "0b11", "017", "08", "1U", "0U", "1.5", ".5", "1e3", "0f"),
    *("0f3F800000", "18446744073709551615", "18446744073709551616", "0x10000000000000000", "0x"),
    *("%r1", "%tid.x", "add.s32", ".v4", "::128B", "x2", "-", " ", ",", ";", "[", "]", "+", "<"),
    *("/", '"', "\n", "\r", "\t", "é", "@", "_", "$", "U"),
)


def check_rows(text: str, *expected: int, record: int = 0) -> None:
    """Exactly these lines are found; all have the record with a number."""
    n_lines = text.count("\n") + 1
    for find in (unusual_rows, plain_unusual_rows):
        assert [*find(text, bytes([record] * n_lines), LIMITS)] == [*expected]


def test_values_within_the_limits() -> None:
    check_rows("shl.b32 %r1, %r2, 31;\nshl.b32 %r1, %r2, 0x1;\nshl.b32 %r1, %r2, 037;")


def test_values_outside_of_the_limits() -> None:
    check_rows("shl.b32 %r1, %r2, 32;\nshl.b32 %r1, %r2, 0;\nshl.b32 %r1, %r2, 0x20;", 0, 1, 2)


def test_other_numbers_than_expected() -> None:
    check_rows("shl.b32 %r1, %r2;\nshl.b32 %r1, 1, 2;\nshl.b32 %r1, %r2, 1; // 1", 0, 1, 2)


def test_digits_that_are_not_numbers() -> None:
    check_rows("ld.global.L2::128B.v4 %r1, x2, 5;\n@%p1 mma.m16n8k16 %r3, 5;")


def test_numbers_that_may_have_any_value() -> None:
    check_rows("add.f32 65535, 0f3F800000;\nadd.f32 65536, .5;", 1, record=3)


def test_limits_of_more_than_64_bits() -> None:
    check_rows("mov.b128 %q1, 18446744073709551616;\nmov.b128 %q1, 0;\nmov.b128 %q1;", 2, record=5)


def test_lines_of_other_records() -> None:
    check_rows("shl.b32 %r1, %r2, 77;", record=1)
    check_rows("ret;", 0, record=2)


@given(st.lists(st.sampled_from(PIECES)), st.lists(st.integers(0, len(LIMITS) - 1), min_size=1))
def test_both_find_the_same(pieces: list[str], records: list[int]) -> None:
    text = "".join(pieces)
    numbers = bytes(islice(cycle(records), len(split_lines(text))))
    assert [*unusual_rows(text, numbers, LIMITS)] == [*plain_unusual_rows(text, numbers, LIMITS)]
