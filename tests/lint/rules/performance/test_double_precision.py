"""Tests of the rule double-precision."""

from __future__ import annotations

from tests.support.lint import check_rule, check_rule_fix

RULE = "double-precision"


def test_reported() -> None:
    check_rule(
        RULE,
        """
        cvt.f64.f32 %fd1, %f1;
        cvt.f64.f32 %fd2, %f2;
        div.rn.f64 %fd3, %fd1, %fd2;
    //  ^^^^^^^^^^ double-precision: `div.rn.f32 %f3, %f1, %f2` computes the same result
        cvt.rn.f32.f64 %f3, %fd3;
        setp.ltu.f64 %p1, %fd1, 0d3FE0000000000000;
    //  ^^^^^^^^^^^^ double-precision: `setp.ltu.f32 %p1, %f1, 0f3F000000` computes the same result
        mul.f64 %fd4, %fd1, 0.1;
    //  ^^^^^^^ double-precision: `mul.f64` is needed only because of the constant `0.1`
        cvt.rn.f32.f64 %f4, %fd4;
        cvt.rn.f32.f64 %f5, %fd1;
    //  ^^^^^^^^^^^^^^ double-precision: `mov.f32 %f5, %f1` computes the same result
    """,
    )


def test_quiet() -> None:
    check_rule(
        RULE,
        """
        cvt.f64.f32 %fd1, %f1;
        cvt.f64.f32 %fd2, %f2;
        fma.rn.f64 %fd3, %fd1, %fd2, %fd1;
        cvt.rn.f32.f64 %f3, %fd3;
        mul.f64 %fd4, %fd1, %fd2;
        add.f64 %fd5, %fd4, %fd1;
        cvt.rn.f32.f64 %f4, %fd5;
        add.f64 %fd6, %fd1, %fd2;
        cvt.rn.f32.f64 %f5, %fd6;
        st.global.f64 [%rd1], %fd6;
        add.f64 %fd7, %fd1, %fd8;
        cvt.rn.f32.f64 %f6, %fd7;
        cvt.f64.f32 %fd9, %f7;
        mul.rz.f64 %fd0, %fd9, %fd9;
        cvt.rn.f32.f64 %f7, %fd0;
        setp.lt.f64 %p1, %fd1, 0d3FB999999999999A;
    """,
    )


def test_sum_of_a_loop() -> None:
    check_rule(
        RULE,
        """
        mov.f64 %fd1, 0d0000000000000000;
    next:
        ld.global.f32 %f1, [%rd1];
        cvt.f64.f32 %fd2, %f1;
        add.f64 %fd1, %fd1, %fd2;
        add.s64 %rd1, %rd1, 4;
        setp.ne.b64 %p1, %rd1, %rd2;
        @%p1 bra next;
        cvt.rn.f32.f64 %f2, %fd1;
        st.global.f32 [%rd2], %f2;
    """,
    )


def test_fix() -> None:
    code = "cvt.f64.f32 %fd1, %f1;\nsub.f64 %fd2, 0d3FF0000000000000, %fd1;\n"
    check_rule_fix(
        RULE, f"{code}cvt.rn.f32.f64 %f2, %fd2;", f"{code}sub.rn.f32 %f2, 0f3F800000, %f1;"
    )


def test_not_the_same_if_the_source_changes() -> None:
    check_rule(
        RULE,
        """
        cvt.f64.f32 %fd1, %f1;
        mov.f32 %f1, %f2;
        cvt.rn.f32.f64 %f3, %fd1;
    """,
    )
