"""The rule float-as-integer."""

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


RULES = ("float-as-integer",)


def check_format(statements: str) -> None:
    """Fails unless these rules report exactly the marked places in the body of a kernel."""
    fixture = parse_fixture(HEAD + dedent(statements.removeprefix("\n")) + END)
    found = lint(Document.read(fixture.text), DEFAULT_RULES)
    assert_diagnostics(fixture, [each for each in found if each.rule in RULES])


def test_a_sum_of_the_bits_of_floats() -> None:
    check_format(
        """
        mul.f32 %r2, %f1, %f1;
        add.f32 %r3, %f1, %f1;
        add.s32 %r4, %r2, %r3;
        //           ^^^ float-as-integer
        //                ^^^ float-as-integer
        sqrt.rn.f32 %f2, %r4;
        st.global.f32 [%rd3], %f2;
        """
    )


def test_the_distance_of_two_floats_in_units_of_the_last_place() -> None:
    check_format(
        """
        mul.f32 %r2, %f1, %f1;
        add.f32 %r3, %f1, %f1;
        sub.s32 %r4, %r2, %r3;
        st.global.b32 [%rd3], %r4;
        """
    )


def test_uses_that_only_suit_integers() -> None:
    check_format(
        """
        mul.f32 %r2, %f1, %f1;
        mul.wide.s32 %rd2, %r2, 4;
        //                 ^^^ float-as-integer: as an index
        shl.b32 %r3, %r1, %r2;
        //                ^^^ float-as-integer: as a number of bits
        div.s32 %r4, %r1, %r2;
        //                ^^^ float-as-integer: as an integer divisor
        setp.lt.u32 %p1, %r1, %r2;
        //                    ^^^ float-as-integer: together with an integer
        """
    )


def test_uses_of_the_bits() -> None:
    check_format(
        """
        mul.f32 %r2, %f1, %f1;
        mul.lo.u32 %r3, %r2, 0x9E3779B1;
        setp.gt.s32 %p1, %r2, 0;
        shr.u32 %r4, %r2, 23;
        mul.wide.u32 %rd2, %r2, 0xD2511F53;
        atom.global.max.s32 %r5, [%rd3], %r2;
        """
    )
