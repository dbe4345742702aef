"""Tests of the rule parameter-format; `tests/lint/pairs/parameter-format` has whole kernels."""

from __future__ import annotations

from tests.support.lint import check_rule

RULE = "parameter-format"


def test_other_kind() -> None:
    check_rule(
        RULE,
        """
    .visible .entry kernel(.param .u32 n, .param .f32 x, .param .f64 y)
    {
        .reg .pred %p<2>;
        .reg .b32 %r<3>;
        .reg .f32 %f<3>;
        .reg .b64 %rd<3>;
        ld.param.f32 %f1, [n];
    //  ^^^^^^^^^^^^ parameter-format: `n` is declared as `.u32`, but is loaded as a floating-point
        ld.param.u32 %r1, [x];
    //  ^^^^^^^^^^^^ parameter-format: `x` is declared as `.f32`, but is loaded as an integer
        @%p1 ld.param.s64 %rd1, [y];
    //       ^^^^^^^^^^^^ parameter-format
        ret;
    }
    """,
    )


def test_bits_and_parts() -> None:
    check_rule(
        RULE,
        """
    .visible .entry kernel(.param .u32 n, .param .f64 x, .param .b32 y, .param .f32 z[2])
    {
        .reg .b32 %r<6>;
        .reg .f32 %f<3>;
        ld.param.b32 %r1, [n];
        ld.param.s32 %r2, [n];
        ld.param.u32 %r3, [x];
        ld.param.f32 %f1, [y];
        ld.param.u32 %r4, [z];
        ld.param.u32 %r5, [n+4];
        ret;
    }
    """,
    )


def test_broken() -> None:
    check_rule(RULE, "ld.param.f32 %f1, [parameter;\nld.param.f32;\nst.param.u32 [], %r1;\n")
