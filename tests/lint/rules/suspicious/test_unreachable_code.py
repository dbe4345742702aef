"""Tests of the rule unreachable-code."""

from __future__ import annotations

from tests.support.lint import check_rule

RULE = "unreachable-code"


def test_code_after_a_branch() -> None:
    check_rule(
        RULE,
        """
        bra done;
        add.s32 %r1, %r1, 1;
    //  ^^^^^^^^^^^^^^^^^^^^... unreachable-code: unreachable: no path leads to this code
        st.global.b32 [%rd1], %r1;
    done:
        ret;
    """,
    )


def test_code_after_a_return() -> None:
    check_rule(
        RULE,
        """
        ret;
    unused:
        st.global.b32 [%rd1], %r1;
    //  ^^^^^^^^^^^^^^^^^^^^^^^^^^ unreachable-code
    """,
    )


def test_a_loop_that_nothing_enters() -> None:
    check_rule(
        RULE,
        """
        bra done;
    next:
        add.s32 %r1, %r1, 1;
    //  ^^^^^^^^^^^^^^^^^^^^... unreachable-code
        setp.lt.s32 %p1, %r1, 4;
        @%p1 bra next;
    done:
        ret;
    """,
    )


def test_quiet() -> None:
    check_rule(RULE, "@%p1 bra done; add.s32 %r1, %r1, 1; done: ret;")
    check_rule(RULE, "bra done; done: ret; ret;")
    check_rule(RULE, "exit; trap;")
    check_rule(RULE, "next: bra next; st.global.b32 [%rd1], %r1; ret;")
    check_rule(
        RULE, "targets: .branchtargets a, b; brx.idx %r1, targets; a: mov.b32 %r1, 0; b: ret;"
    )
    check_rule(RULE, "bra missing; mov.b32 %r1, 0;")
    check_rule(RULE, "jump done; ret; mov.b32 %r1, 0; done: ret;")


def test_a_call_that_never_returns() -> None:
    check_rule(
        RULE,
        """
    .func fails() .noreturn;
    .visible .entry kernel()
    {
        .reg .b32 %r<2>;
        call fails;
        mov.b32 %r1, 0;
    //  ^^^^^^^^^^^^^^^... unreachable-code
        ret;
    }
    """,
    )
