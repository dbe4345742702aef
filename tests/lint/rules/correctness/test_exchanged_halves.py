"""The rule exchanged-halves."""

from __future__ import annotations

import pytest

from ptx_ls.document.document import Document
from ptx_ls.lint import lint
from ptx_ls.lint.rule_settings import DEFAULT_RULES
from ptx_ls.source import Severity

HEAD = """\
.version 8.0
.target sm_80
.address_size 64
.visible .entry kernel(.param .u64 .ptr .global .align 8 values, .param .u32 n)
{
    .reg .pred %p<3>;
    .reg .b32 %r<9>;
    .reg .b64 %rd<9>;
    .reg .f64 %fd<5>;
    ld.param.u64 %rd1, [values];
    ld.param.u32 %r8, [n];
    setp.gt.s32 %p1, %r8, 7;
    ld.global.b64 %rd2, [%rd1];
    ld.global.f64 %fd1, [%rd1];
    mov.b64 {%r1, %r2}, %rd2;
    mov.b64 {%r3, %r4}, %fd1;
"""
FROM_ANOTHER_THREAD = """\
    shfl.sync.bfly.b32 %r5, %r1, 1, 31, -1;
    shfl.sync.bfly.b32 %r6, %r2, 1, 31, -1;
    mov.b64 %rd3, {%r6, %r5};
"""


def check_halves(statements: str, expected: str) -> None:
    """Fails unless the rule says this of some statements; "" for nothing."""
    found = lint(Document.read(f"{HEAD}{statements}\nret;\n}}\n"), DEFAULT_RULES)
    rule = "exchanged-halves"
    assert "; ".join(each.message for each in found if each.rule == rule) == expected


@pytest.mark.parametrize(
    "statements",
    [
        "mov.b64 %fd2, %rd3;\nadd.f64 %fd3, %fd2, %fd2;",
        "mul.f64 %rd4, %rd3, %rd3;",
        "cvta.to.global.u64 %rd4, %rd3;\nld.global.b32 %r5, [%rd4+8];",
        "add.s64 %rd4, %rd3, 16;\nst.global.b32 [%rd4], %r8;",
    ],
    ids=["copied", "untyped", "converted-address", "address"],
)
def test_both_halves(statements: str) -> None:
    check_halves(
        f"{FROM_ANOTHER_THREAD}{statements}",
        "`%r6` is the high half of `%rd2`, but becomes the low half here",
    )


def test_copy_of_a_half() -> None:
    check_halves(
        f"{FROM_ANOTHER_THREAD}mov.b32 %r7, %r6;\nmov.b64 %fd2, {{%r7, %r5}};",
        "`%r7` is the high half of `%rd2`, but becomes the low half here",
    )


@pytest.mark.parametrize(
    ("statements", "expected"),
    [
        (
            "and.b32 %r5, %r4, 2147483647;\nmov.b64 %fd2, {%r5, %r3};",
            "`%r3` is the low half of `%fd1`, but becomes the high half here",
        ),
        (
            "@%p1 mov.b32 %r4, %r3;\nmov.b64 %fd2, {%r1, %r3};",
            "`%r3` is the low half of `%fd1`, but becomes the high half here",
        ),
        (
            "mov.b64 %fd2, {1072693248, 0};\nadd.f64 %fd3, %fd1, %fd2;",
            (
                "the high half of this `.f64` value is `0`, a constant that makes the value almost "
                "0; "
                "the first element of the vector is the low half"
            ),
        ),
        (
            "and.b32 %r5, %r3, -2146435073;",
            (
                "`%r3` is the low half of `%fd1`, but this mask is for the exponent, which is in "
                "the high half"
            ),
        ),
    ],
    ids=["other-half-changed", "other-value", "constants", "mask"],
)
def test_one_half(statements: str, expected: str) -> None:
    check_halves(statements, expected)


@pytest.mark.parametrize(
    "statements",
    [
        "mov.b64 %fd2, {%r3, %r4};\nadd.f64 %fd3, %fd2, %fd2;",
        "mov.b64 %rd3, {%r2, %r1};\nxor.b64 %rd4, %rd3, %rd2;\nst.global.b64 [%rd1], %rd4;",
        "mov.b64 %rd3, {%r2, %r1};\nadd.f64 %rd4, %rd3, %rd3;\nst.global.b64 [%rd1], %rd4;",
        "mov.b64 %fd2, {%r4, %r3};\nst.global.f64 [%rd1], %fd2;",
        "mov.b64 %rd3, {%r2, %r2};\nst.global.b64 [%rd1], %rd3;",
        "mov.b32 %r5, 1127219200;\nmov.b64 %fd2, {%r4, %r5};\nadd.f64 %fd3, %fd2, %fd2;",
        "shl.b32 %r5, %r3, 20;\nmov.b64 %fd2, {%r4, %r5};",
        "@%p1 mov.b32 %r3, %r4;\nmov.b64 %fd2, {%r3, %r4};\nadd.f64 %fd3, %fd2, %fd2;",
        f"{FROM_ANOTHER_THREAD}mul.rn.f32x2 %rd4, %rd3, %rd2;\nst.global.b64 [%rd1], %rd4;",
        f"{FROM_ANOTHER_THREAD}xor.b64 %rd4, %rd3, %rd2;\nst.global.b64 [%rd1], %rd4;",
        "mov.b64 %fd2, {%r1, %r8};\nadd.f64 %fd3, %fd2, %fd2;",
        "mov.b64 %fd2, {%r8, 0};\nst.global.f64 [%rd1], %fd2;",
        "mov.b64 %fd2, {0, 0};\nadd.f64 %fd3, %fd1, %fd2;",
        "and.b32 %r5, %r4, 2146435072;\nand.b32 %r6, %r1, 2146435072;",
    ],
    ids=[
        "in-order",
        "rotated",
        "other-byte-order",
        "other-order-of-words",
        "one-half-twice",
        "converted-number",
        "integer",
        "transposed",
        "two-floats",
        "hash",
        "other-value",
        "only-stored",
        "zero",
        "masks",
    ],
)
def test_right_halves(statements: str) -> None:
    check_halves(statements, "")


def test_several_statements_on_a_line() -> None:
    check_halves(
        "ld.global.v2.b32 {%r5, %r6}, [%rd1]; mov.b64 %fd2, {%r6, %r5};",
        "`%r6` is the second of two loaded words, but becomes the low half here",
    )


def test_loaded_halves_of_an_integer_are_rotated() -> None:
    check_halves(
        """
        ld.global.v2.b32 {%r5, %r6}, [%rd1];
        mov.b64 %rd3, {%r6, %r5};
        st.global.b64 [%rd1], %rd3;
        """,
        "",
    )


def test_high_half_of_a_constant_is_stored_first() -> None:
    check_halves("st.global.v2.b32 [%rd1], {%r4, 0};", "")


def test_loaded_words_may_have_another_order() -> None:
    statements = """
    ld.global.v2.b32 {%r5, %r6}, [%rd2];
    mov.b64 %fd2, {%r6, %r5};
    add.f64 %fd3, %fd2, %fd2;
    """
    message = "`%r6` is the second of two loaded words, but becomes the low half here"
    check_halves(statements, message)
    found = lint(Document.read(f"{HEAD}{statements}\nret;\n}}\n"), DEFAULT_RULES)
    assert [each.severity for each in found if each.message == message] == [Severity.INFORMATION]


def test_stored_words_may_have_another_order() -> None:
    check_halves("st.global.v2.b32 [%rd2], {%r4, %r3};", "")
