"""The uses of registers in lines, found in C and in Python."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ptx_ls.syntax.register_events import (
    BEGINS,
    KILLS,
    READS,
    WRITES,
    code_of,
    find_events,
    plain_events,
)

RANGES = (("%r", 10, 0), ("%rd", 5, 10), ("%", 3, 15))
OTHERS = {"x": 18, "%r07": 19, "%r12": 20, "_a": 21, "$b": 22}
WAYS = (bytes([BEGINS, WRITES | KILLS, READS]), None, True, bytes([READS | BEGINS, 0, READS]), b"")
PIECES = (
    *("%r1", "%r9", "%r10", "%r07", "%rd4", "%2", "x", "_a", "$b", "_", "%r1.x", "%tid.x", "add"),
    *(".s32", " ", ",", ";", "@", "!", "[", "]", "+", "4", "/", '"', "\n", "\r", "\t", "é", "::"),
)


def check_events(line: str, way: int, *expected: tuple[int, int]) -> None:
    """The line has these uses: a code and the bits of its way."""
    for find in (find_events, plain_events):
        rows, codes, ways, others = find(line, bytes([way]), WAYS, RANGES, OTHERS)
        assert [*zip(codes, ways, strict=True)] == [*expected]
        assert ([*rows], [*others]) == ([0] * len(expected), [])


def check_examined(line: str, way: int = 0) -> None:
    """The line is left to examine."""
    for find in (find_events, plain_events):
        found = find(line, bytes([way]), WAYS, RANGES, OTHERS)
        assert ([*found.rows], [*found.others]) == ([], [0])


def test_an_instruction() -> None:
    check_events("    add.s32 %r1, %rd2;\n", 0, (1, WRITES | KILLS | BEGINS), (12, READS))


def test_a_guard() -> None:
    check_events("@!%r3 add.s32 x;", 3, (3, READS | BEGINS), (18, READS))


def test_components_and_sinks() -> None:
    check_events("add.s32 %r1.x, _, $b;", 0, (1, WRITES | KILLS | BEGINS), (22, READS))


def test_the_first_use_begins_the_instruction_if_others_are_no_registers() -> None:
    check_events("add.s32 y, %r4;", 0, (4, READS | BEGINS))


def test_lines_without_uses() -> None:
    check_events("L: // %r1\n", 1)


@pytest.mark.parametrize(
    "line", ["add.s32 %r1;", "add.s32 %r1, %r2, %r3;", "add.s32 %r1, %r2; // x", "add %r1, a[1].x;"]
)
def test_lines_with_other_names_than_expected_are_left(line: str) -> None:
    check_examined(line)


def test_lines_of_runs_are_left() -> None:
    check_examined("add.s32 %r1, %r2; ret;", 2)


@pytest.mark.parametrize(
    ("name", "code"),
    [("%r9", 9), ("%r10", -1), ("%r12", 20), ("%r07", 19), ("%rd0", 10), ("%0", 15), ("%r", -1)],
)
def test_codes(name: str, code: int) -> None:
    assert code_of(name, RANGES, OTHERS) == code


@given(st.lists(st.sampled_from(PIECES)).map("".join), st.data())
def test_c_finds_what_python_finds(text: str, data: st.DataObject) -> None:
    numbers = data.draw(st.binary(min_size=text.count("\n") + 1, max_size=text.count("\n") + 1))
    packed = bytes(number % len(WAYS) for number in numbers)
    one, other = (find(text, packed, WAYS, RANGES, OTHERS) for find in (find_events, plain_events))
    assert one == other
