"""Tests of the rule reciprocal-root."""

from __future__ import annotations

from tests.support.lint import check_rule, check_rule_fix

RULE = "reciprocal-root"


def test_reported() -> None:
    check_rule(
        RULE,
        """
        sqrt.approx.f32 %f1, %f2;
        rcp.approx.f32 %f3, %f1;
    //  ^^^^^^^^^^^^^^ reciprocal-root: `rsqrt.approx.f32` computes both at once
        sqrt.approx.ftz.f32 %f4, %f5;
        div.full.ftz.f32 %f6, 1.0, %f4;
    //  ^^^^^^^^^^^^^^^^ reciprocal-root: `rsqrt.approx.ftz.f32` computes both at once
    """,
    )


def test_quiet() -> None:
    check_rule(
        RULE,
        """
        sqrt.rn.f32 %f1, %f2;
        rcp.approx.f32 %f3, %f1;
        sqrt.approx.f32 %f1, %f2;
        rcp.rn.f32 %f3, %f1;
        sqrt.approx.f32 %f1, %f2;
        rcp.approx.f32 %f3, %f1;
        st.global.f32 [%rd1], %f1;
        sqrt.approx.f32 %f4, %f5;
        div.approx.f32 %f6, %f4, %f5;
        sqrt.approx.f32 %f7, %f8;
        div.approx.f32 %f9, 2.0, %f7;
    """,
    )


def test_fix() -> None:
    check_rule_fix(
        RULE,
        "sqrt.approx.ftz.f32 %f1, %f2;\n@%p1 rcp.approx.ftz.f32 %f3, %f1;",
        "sqrt.approx.ftz.f32 %f1, %f2;\n@%p1 rsqrt.approx.ftz.f32 %f3, %f2;",
    )
