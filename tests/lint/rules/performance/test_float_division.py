"""Tests of the rule float-division."""

from __future__ import annotations

from tests.support.lint import check_rule, check_rule_fix

RULE = "float-division"


def test_reported() -> None:
    check_rule(
        RULE,
        """
        div.rn.f32 %f1, %f2, 0fC1000000;
    //  ^^^^^^^^^^ float-division: `mul.rn.f32 %f1, %f2, 0fBE000000` computes the same result
        div.rn.ftz.f32 %f1, 0f3F800000, %f2;
    //  ^^^^^^^^^^^^^^ float-division: `rcp.rn.ftz.f32 %f1, %f2` computes the same result
        mov.f64 %fd1, 0d4000000000000000;
        div.rn.f64 %fd2, %fd3, %fd1;
    //  ^^^^^^^^^^ float-division: `mul.rn.f64 %fd2, %fd3, 0d3FE0000000000000`
    next:
        sqrt.rn.f32 %f1, %f1;
    //  ^^^^^^^^^^^ float-division: in a loop
        setp.gt.f32 %p1, %f1, 0f3F800000;
        @%p1 bra next;
    """,
    )


def test_quiet() -> None:
    check_rule(
        RULE,
        """
        div.rn.f32 %f1, %f2, 0f40400000;
        div.rn.f32 %f1, %f2, 0f7F000000;
        div.rn.f32 %f1, %f2, 0f7F800000;
        div.rn.f32 %f1, %f2, 0f00000000;
        div.rn.f32 %f1, %f2, 0f00000001;
        div.rn.f32 %f1, %f2, %f3;
        div.approx.f32 %f1, %f2, 0f40000000;
        div.full.f32 %f1, 0f3F800000, %f2;
        sqrt.rn.f32 %f1, %f2;
        div.rn.f32 %f1, 0f3F800000, 0f40400000;
    """,
    )


def test_fix() -> None:
    check_rule_fix(RULE, "@%p1 div.rn.f32 %f1, %f2, 2.0;", "@%p1 mul.rn.f32 %f1, %f2, 0f3F000000;")
