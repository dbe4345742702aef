"""The rule overflow-before-widening."""

from __future__ import annotations

import pytest

from ptx_ls.document.document import Document
from ptx_ls.lint import lint
from ptx_ls.lint.rule_settings import DEFAULT_RULES

HEAD = """\
.version 8.0
.target sm_80
.address_size 64
.visible .entry kernel(.param .u64 .ptr .global .align 4 out)
.maxntid 1024
{
    .reg .b32 %r<7>;
    .reg .b64 %rd<4>;
    ld.param.u64 %rd1, [out];
    mov.u32 %r1, %ctaid.x;
    mov.u32 %r2, %ntid.x;
    mov.u32 %r3, %tid.x;
    mad.lo.s32 %r4, %r1, %r2, %r3;
"""
END = """\
    add.s64 %rd3, %rd1, %rd2;
    st.global.u32 [%rd3], %r4;
    ret;
}
"""


def check_widening(statements: str, expected: str) -> None:
    """Fails unless the rule says this of some statements; "" for nothing."""
    found = lint(Document.read(f"{HEAD}{statements}\n{END}"), DEFAULT_RULES)
    said = [each.message for each in found if each.rule == "overflow-before-widening"]
    assert "; ".join(said) == expected


@pytest.mark.parametrize(
    ("statements", "factor"),
    [
        (
            "shl.b32 %r5, %r4, 2;\ncvt.u64.u32 %rd2, %r5;",
            "4 overflows 32 bits if `%r4` is 1,073,741,824",
        ),
        (
            "mul.lo.s32 %r5, %r4, 8;\ncvt.s64.s32 %rd2, %r5;",
            "8 overflows 32 bits if `%r4` is 268,435,456",
        ),
    ],
)
def test_an_offset_of_32_bits(statements: str, factor: str) -> None:
    message = f"`%r4` times {factor} or more: the product is extended to 64 bits only afterwards"
    check_widening(statements, message)


@pytest.mark.parametrize(
    "statements",
    [
        "mul.wide.s32 %rd2, %r4, 4;",
        "shl.b32 %r5, %r3, 2;\ncvt.u64.u32 %rd2, %r5;",
        "and.b32 %r5, %r4, 1023;\nshl.b32 %r6, %r5, 2;\ncvt.u64.u32 %rd2, %r6;",
        "mul.lo.s32 %r5, %r4, 2048;\ncvt.s64.s32 %rd2, %r5;",
        "shl.b32 %r5, %r4, 6;\ncvt.s64.s32 %rd2, %r5;\nshl.b64 %rd2, %rd2, 1;",
        "mul.lo.s32 %r5, %r4, 64;\ncvt.s64.s32 %rd2, %r5;\nmad.lo.s64 %rd2, %rd2, 2, 8;",
        "shl.b32 %r5, %r4, 6;\ncvt.s64.s32 %rd3, %r5;\nshl.b64 %rd2, %rd3, 1;",
        "shl.b32 %r5, %r4,6;\ncvt.s64.s32 %rd3, %r5;\nor.b64 %rd3,%rd3,8;\nshl.b64 %rd2, %rd3, 1;",
    ],
)
def test_offsets_that_fit_or_count_elements(statements: str) -> None:
    check_widening(statements, "")
