"""The rule integer-as-float."""

from __future__ import annotations

from textwrap import dedent

import pytest

from ptx_ls.document.document import Document
from ptx_ls.lint import lint
from ptx_ls.lint.rule_settings import DEFAULT_RULES
from tests.support.fixture import assert_diagnostics, parse_fixture

HEAD = """\
.version 8.6
.target sm_100a
.address_size 64
.visible .entry kernel(.param .u64 .ptr .global .align 16 values, .param .f32 scale)
{
    .reg .pred %p<3>;
    .reg .b16 %h<3>;
    .reg .b32 %r<7>;
    .reg .f32 %f<4>;
    .reg .b64 %rd<4>;
    ld.param.u64 %rd1, [values];
    ld.param.f32 %f1, [scale];
    mov.u32 %r1, %tid.x;
    mul.wide.u32 %rd2, %r1, 4;
    add.u64 %rd3, %rd1, %rd2;
"""
END = """\
    ret;
}
"""


RULES = ("integer-as-float",)


def check_format(statements: str) -> None:
    """Fails unless these rules report exactly the marked places in the body of a kernel."""
    fixture = parse_fixture(HEAD + dedent(statements.removeprefix("\n")) + END)
    found = lint(Document.read(fixture.text), DEFAULT_RULES)
    assert_diagnostics(fixture, [each for each in found if each.rule in RULES])


@pytest.mark.parametrize(
    "made",
    [
        "mov.b32 %r2, 3;",
        "mov.b32 %r2, -7;",
        "cvt.rzi.s32.f32 %r2, %f1;",
        "popc.b32 %r2, %r1;",
        "mad.lo.s32 %r2, %r1, 5, 1;",
        "and.b32 %r2, %r1, 31;",
        "ld.global.u8 %r2, [%rd3];",
        "selp.b32 %r2, 1, 0, %p1;",
    ],
)
def test_integers_in_float_arithmetic(made: str) -> None:
    check_format(
        f"""
        setp.gt.f32 %p1, %f1, 0f3F800000;
        {made}
        mul.f32 %f2, %f1, %r2;
        //                ^^^ integer-as-float
        @%p1 st.global.f32 [%rd3], %f2;
        """
    )


@pytest.mark.parametrize(
    "made",
    [
        "mov.b32 %r2, 0;",
        "mov.b32 %r2, 0f3F800000;",
        "mov.b32 %r2, 1065353216;",
        "mov.b32 %r2, 0xFF800000;",
        "ld.global.b32 %r2, [%rd3];",
        "shl.b32 %r2, %r1, 23;",
        "or.b32 %r2, %r1, 0x3F800000;",
        "add.s32 %r2, %r1, 0x3F800000;",
        "selp.b32 %r2, 0x3F800000, 0, %p1;",
        "shfl.sync.idx.b32 %r2, %f1, 0, 31, -1;",
    ],
)
def test_bits_that_may_be_those_of_a_float(made: str) -> None:
    check_format(
        f"""
        setp.gt.f32 %p1, %f1, 0f3F800000;
        {made}
        mul.f32 %f2, %f1, %r2;
        @%p1 st.global.f32 [%rd3], %f2;
        """
    )


def test_only_the_definitions_that_reach_the_instruction_count() -> None:
    check_format(
        """
        mov.b32 %r2, 3;
        st.global.b32 [%rd3], %r2;
        mov.b32 %r2, %f1;
        mul.f32 %f2, %f1, %r2;
        st.global.f32 [%rd3], %f2;
        """
    )
