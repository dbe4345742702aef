"""The rule mixed-float-formats."""

from __future__ import annotations

from textwrap import dedent

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


RULES = ("mixed-float-formats",)


def check_format(statements: str) -> None:
    """Fails unless these rules report exactly the marked places in the body of a kernel."""
    fixture = parse_fixture(HEAD + dedent(statements.removeprefix("\n")) + END)
    found = lint(Document.read(fixture.text), DEFAULT_RULES)
    assert_diagnostics(fixture, [each for each in found if each.rule in RULES])


def test_a_half_that_is_read_as_another_format() -> None:
    check_format(
        """
        cvt.rn.f16.f32 %h1, %f1;
        add.rn.bf16 %h2, %h1, %h1;
        //               ^^^ mixed-float-formats: holds an `.f16`, but is used as an `.bf16`
        st.global.b16 [%rd3], %h2;
        """
    )


def test_a_conversion_in_between() -> None:
    check_format(
        """
        cvt.rn.f16.f32 %h1, %f1;
        cvt.f32.f16 %f2, %h1;
        cvt.rna.tf32.f32 %r2, %f2;
        add.f32 %f3, %r2, %f1;
        st.global.f32 [%rd3], %f3;
        """
    )


def test_halves_in_a_register_for_two() -> None:
    check_format(
        """
        cvt.rn.f16x2.f32 %r2, %f1, %f1;
        mul.f32 %f2, %r2, %f1;
        //           ^^^ mixed-float-formats: holds an `.f16x2`, but is used as an `.f32`
        st.global.f32 [%rd3], %f2;
        """
    )
