"""The rule truncated-value."""

from __future__ import annotations

import pytest

from ptx_ls.document.document import Document
from ptx_ls.lint import lint
from ptx_ls.lint.rule_settings import DEFAULT_RULES

HEAD = """\
.version 8.0
.target sm_80
.address_size 64
.visible .entry kernel(.param .u64 .ptr .global .align 8 out)
{
    .reg .b16 %h<3>;
    .reg .b32 %r<4>;
    .reg .b64 %rd<4>;
    ld.param.u64 %rd1, [out];
"""


def check_truncation(statements: str, expected: str) -> None:
    """Fails unless the rule says this of some statements; "" for nothing."""
    found = lint(Document.read(f"{HEAD}{statements}\nret;\n}}\n"), DEFAULT_RULES)
    assert "; ".join(each.message for each in found if each.rule == "truncated-value") == expected


@pytest.mark.parametrize(
    ("statements", "expected"),
    [
        (
            "mov.u32 %r1, 256;\nst.global.u8 [%rd1], %r1;",
            "`%r1` is 256, but this instruction keeps only its low 8 bits, which are 0",
        ),
        (
            "mov.u32 %r1, 70000;\ncvt.u16.u32 %h1, %r1;\nst.global.u16 [%rd1], %h1;",
            "`%r1` is 70,000, but this instruction keeps only its low 16 bits, which are 4,464",
        ),
        (
            "mov.u64 %rd2, 0x100000001;\nst.global.u32 [%rd1], %rd2;",
            "`%rd2` is 4,294,967,297, but this instruction keeps only its low 32 bits, which are 1",
        ),
    ],
)
def test_constants_that_do_not_fit(statements: str, expected: str) -> None:
    check_truncation(statements, expected)


@pytest.mark.parametrize(
    "statements",
    [
        "mov.u32 %r1, 255;\nst.global.u8 [%rd1], %r1;",
        "mov.s32 %r1, -1;\nst.global.u8 [%rd1], %r1;",
        "mov.s32 %r1, -32768;\nst.global.s16 [%rd1], %r1;",
        "ld.global.u32 %r1, [%rd1];\nst.global.u8 [%rd1+4], %r1;",
        "mov.u32 %r1, 300;\ncvt.sat.u8.u32 %h1, %r1;\nst.global.u8 [%rd1], %h1;",
        "mov.u64 %rd2, 0x100000001;\ncvt.u32.u64 %r1, %rd2;\nst.global.u32 [%rd1], %r1;",
        "mov.u32 %r1, 256;\nst.global.u8;",
        "mov.u32 %r1, 256;\nst.global.u8 %r1;",
    ],
)
def test_constants_that_fit_or_are_taken_apart(statements: str) -> None:
    check_truncation(statements, "")


@pytest.mark.parametrize(
    ("constant", "stored", "is_reported"),
    [
        ("0f4B400000", "u8", False),  # 1.5 * 2**23: the nearest integer
        ("12582912.0", "u16", False),
        ("0f47C00000", "u8", False),  # 1.5 * 2**16: the fraction, too
        ("%f9", "u8", False),
        ("0f3F800000", "u8", True),
        ("%f8", "u8", True),
    ],
)
def test_sums_that_round(constant: str, stored: str, *, is_reported: bool) -> None:
    statements = f"""
    .reg .f32 %f<10>;
    mov.f32 %f9, 0f4B400000;
    mov.f32 %f8, 0f40000000;
    ld.global.f32 %f1, [%rd1];
    add.f32 %f2, %f1, {constant};
    mov.b32 %r1, %f2;
    st.global.{stored} [%rd1], %r1;"""
    bits = stored.removeprefix("u")
    expected = (
        f"`%r1` contains an `.f32` value, but this instruction keeps only its low {bits} bits"
    )
    check_truncation(statements, expected * is_reported)


def test_sums_of_doubles_that_round() -> None:
    statements = """
    .reg .f64 %d<4>;
    ld.global.f64 %d1, [%rd1];
    fma.rn.f64 %d2, %d1, 0d4059000000000000, 0d4338000000000000;
    max.f64 %d3, %d2, %d2;
    st.global.b32 [%rd1], %d3;"""
    check_truncation(statements, "")
