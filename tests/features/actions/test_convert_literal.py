"""Numbers in other spellings, which ptxas takes for the same."""

from __future__ import annotations

import pytest

from tests.support.actions import check_action, check_not_offered
from tests.support.lint import module

_MINUS_ONE_AND_A_HALF = "mov.b64 %rd1, 0dBFF8000000000000;"


def check(statement: str, title: str, expected: str) -> None:
    """A conversion in a statement."""
    check_action(module(statement + "\n"), f"Convert {title}", module(expected + "\n"))


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("mov.f32 %f1, 0f3DCC<|>CCCD;", "mov.f32 %f1, 0.1;"),
        ("mov.f32 %f1, <|>0fBF800000;", "mov.f32 %f1, -1.0;"),
        (
            "fma.rn.f64 %fd1, %fd2, 0d3FF8000000000000<|>, %fd1;",
            "fma.rn.f64 %fd1, %fd2, 1.5, %fd1;",
        ),
        ("mov.u32 %r1, 0x<|>FF;", "mov.u32 %r1, 255;"),
        ("mov.u32 %r1, <|>077;", "mov.u32 %r1, 63;"),
        ("mov.u32 %r1, 0b1<|>01U;", "mov.u32 %r1, 5U;"),
        ("st.global.f32 [%rd1+0x1<|>0], %f1;", "st.global.f32 [%rd1+16], %f1;"),
    ],
)
def test_to_decimal(before: str, after: str) -> None:
    check(before, "to decimal", after)


@pytest.mark.parametrize(
    ("before", "title", "after"),
    [
        ("mov.u32 %r1, -25<|>5;", "to hexadecimal", "mov.u32 %r1, -0xFF;"),
        ("mov.u32 %r1, 0x1<|>0;", "to binary", "mov.u32 %r1, 0b10000;"),
        ("mov.b32 %r1, 0f3F80<|>0000;", "to hexadecimal", "mov.b32 %r1, 0x3F800000;"),
        (
            "mov.b32 %r1, 0x3F80<|>0000;",
            "to the float with these bits, 1.0",
            "mov.b32 %r1, 0f3F800000;",
        ),
        (
            "mov.b32 %r1, -10737<|>41824;",
            "to the float with these bits, -2.0",
            "mov.b32 %r1, 0fC0000000;",
        ),
        (
            "mov.b64 %rd1, -4<|>613937818241073152;",
            "to the float with these bits, -1.5",
            _MINUS_ONE_AND_A_HALF,
        ),
        ("mov.f32 %f1, 0.<|>1;", "`0.1` to hexadecimal", "mov.f32 %f1, 0f3DCCCCCD;"),
        ("mov.f32 %f1, -1.<|>5;", "`-1.5` to hexadecimal", "mov.f32 %f1, 0fBFC00000;"),
        ("mov.f64 %fd1, 1.<|>5;", "`1.5` to hexadecimal", "mov.f64 %fd1, 0d3FF8000000000000;"),
    ],
)
def test_to_bits(before: str, title: str, after: str) -> None:
    check(before, title, after)


def test_initial_values() -> None:
    head = ".version 8.0\n.target sm_90\n.address_size 64\n"
    before = ".global .f32 a[2] = {0f3F8<|>00000, 1.0};\n"
    after = ".global .f32 a[2] = {1.0, 1.0};\n"
    check_action(head + before, "Convert to decimal", head + after)


@pytest.mark.parametrize("number", ["25<|>5", "- 10737<|>41824", "-1<|>28", "0x7F8<|>00000"])
def test_integers_that_are_no_floats(number: str) -> None:
    check_not_offered(module(f"mov.b32 %r1, {number};\n"), "Convert to the bits")


@pytest.mark.parametrize(
    "statement",
    [
        "mov.f32 %f1, 0f7F8<|>00000;",
        "mov.f32 %f1, 0f7FC<|>00000;",
        "mov.u32 %r1, <|>7;",
        "mov.f64 %fd1, 0d0000000000000<|>001;",
        "mov.f64 %fd1, 1.0 + 2.<|>0;",
        ".reg .b32 %x<1<|>0>;",
    ],
)
def test_what_stays(statement: str) -> None:
    check_not_offered(module(statement + "\n"), "Convert")
