"""Tests of the rule overwritten-result."""

from __future__ import annotations

from tests.support.lint import check_rule, check_rule_fix

RULE = "overwritten-result"


def test_overwritten() -> None:
    check_rule(
        RULE,
        """
        mov.b32 %r1, 1;
    //  ^^^^^^^^^^^^^^^ overwritten-result: `%r1` is written again before anything reads it
        add.s32 %r2, %r2, 1;
        mov.b32 %r1, 2;
        st.global.v2.b32 [%rd1], {%r1, %r2};
        ret;
    """,
    )


def test_quiet() -> None:
    check_rule(
        RULE,
        """
        mov.b32 %r1, 1;
        @%p1 mov.b32 %r1, 2;
        mov.b32 %r2, 1;
        add.s32 %r2, %r2, 1;
        @%p1 bra next;
        mov.b32 %r1, 2;
    next:
        st.global.v2.b32 [%rd1], {%r1, %r2};
        atom.global.add.u32 %r3, [%rd1], 1;
        atom.global.add.u32 %r3, [%rd1], 1;
        st.global.b32 [%rd1], %r3;
        ret;
    """,
    )


def test_fix() -> None:
    check_rule_fix(
        RULE,
        "mov.b32 %r1, 1;\nmov.b32 %r1, 2;\nst.global.b32 [%rd1], %r1;\nret;\n",
        "mov.b32 %r1, 2;\nst.global.b32 [%rd1], %r1;\nret;\n",
    )
