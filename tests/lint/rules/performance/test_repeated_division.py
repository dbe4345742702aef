"""Tests of the rule repeated-division."""

from __future__ import annotations

from tests.support.lint import check_no_fix, check_rule, check_rule_fix

RULE = "repeated-division"


def test_reported() -> None:
    check_rule(
        RULE,
        """
        div.u64 %rd1, %rd2, %rd3;
        rem.u64 %rd4, %rd2, %rd3;
    //  ^^^^^^^ repeated-division: `rem.u64` repeats an earlier division
        rem.s64 %rd5, %rd2, %rd3;
        add.s64 %rd6, %rd5, %rd4;
        div.s64 %rd7, %rd2, %rd3;
    //  ^^^^^^^ repeated-division: `mul.lo.s64`
    """,
    )


def test_quiet() -> None:
    check_rule(
        RULE,
        """
        div.u32 %r1, %r2, %r3;
        rem.u32 %r4, %r2, %r3;
        div.u64 %rd1, %rd2, %rd3;
        rem.u64 %rd4, %rd3, %rd2;
        div.s64 %rd1, %rd5, %rd6;
        rem.u64 %rd4, %rd5, %rd6;
        div.u64 %rd7, %rd7, %rd8;
        rem.u64 %rd4, %rd7, %rd8;
        div.u64 %rd1, %rd2, %rd9;
        @%p1 bra next;
    next:
        rem.u64 %rd4, %rd2, %rd9;
    """,
    )


def test_fix() -> None:
    check_rule_fix(
        RULE,
        "div.u64 %rd1, %rd2, %rd3;\nrem.u64 %rd2, %rd2, %rd3;",
        "div.u64 %rd1, %rd2, %rd3;\n{ .reg .b64 %product; mul.lo.u64 %product, %rd1, %rd3; "
        "sub.u64 %rd2, %rd2, %product; }",
    )


def test_no_fix_without_the_quotient() -> None:
    check_no_fix(RULE, "div.u64 %rd1, %rd2, %rd3;\nmov.b64 %rd1, 0;\nrem.u64 %rd4, %rd2, %rd3;")
    check_no_fix(RULE, "rem.u64 %rd1, %rd2, %rd3;\ndiv.u64 %rd4, %rd2, %rd3;")
