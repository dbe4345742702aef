"""Tests of the rule unfused-multiplication."""

from __future__ import annotations

from tests.support.lint import check_no_fix, check_rule, check_rule_fix

RULE = "unfused-multiplication"


def test_reported() -> None:
    check_rule(
        RULE,
        """
        mul.rn.f32 %f1, %f2, %f3;
        add.rn.f32 %f4, %f1, %f5;
    //  ^^^^^^^^^^ unfused-multiplication: ptxas cannot fuse `mul.rn.f32` and `add.rn.f32`
        mul.f64 %fd1, %fd2, %fd3;
        sub.rn.f64 %fd4, %fd5, %fd1;
    //  ^^^^^^^^^^ unfused-multiplication: `fma.rn.f64` computes both
        mul.ftz.f32 %f6, %f2, %f3;
        add.f32 %f7, %f6, %f5;
    //  ^^^^^^^ unfused-multiplication: because only one of them has `.ftz`
    """,
    )


def test_quiet() -> None:
    check_rule(
        RULE,
        """
        mul.f32 %f1, %f2, %f3;
        add.f32 %f4, %f1, %f5;
        mul.rn.f32 %f1, %f2, %f3;
        add.rn.f32 %f4, %f1, %f1;
        mul.rn.f32 %f1, %f2, %f3;
        add.rn.f32 %f4, %f1, %f5;
        sub.rn.f32 %f6, %f1, %f5;
        mul.rz.f32 %f1, %f2, %f3;
        add.rn.f32 %f4, %f1, %f5;
        mul.rn.sat.f32 %f1, %f2, %f3;
        add.rn.f32 %f4, %f1, %f5;
        @%p1 mul.rn.f32 %f1, %f2, %f3;
        add.rn.f32 %f4, %f1, %f5;
        mul.rn.f64 %fd1, %fd2, %fd3;
        cvt.rn.f32.f64 %f1, %fd1;
        add.rn.f32 %f4, %f1, %f5;
    """,
    )


def test_product_of_another_block() -> None:
    check_rule(
        RULE,
        """
        mul.rn.f32 %f1, %f2, %f3;
        @%p1 bra done;
        add.rn.f32 %f4, %f1, %f5;
    done:
    """,
    )


def test_fix() -> None:
    check_rule_fix(
        RULE,
        "mul.rn.f32 %f1, %f2, %f3;\nadd.rn.f32 %f4, %f5, %f1;",
        "mul.rn.f32 %f1, %f2, %f3;\nfma.rn.f32 %f4, %f2, %f3, %f5;",
    )


def test_no_fix_if_a_factor_changes() -> None:
    check_no_fix(
        RULE,
        "mul.rn.f32 %f1, %f2, %f3;\nmov.f32 %f2, %f6;\nadd.rn.f32 %f4, %f5, %f1;",
    )
