"""Tests of the rule loop-direction."""

from __future__ import annotations

import pytest

from tests.support.computation import check_quiet, check_rule

RULE = "loop-direction"


@pytest.mark.parametrize(
    ("step", "comparison"),
    [
        ("add.s32 %r1, %r1, 1;", "gt.s32 %p1, %r1, %r2;"),
        ("add.s32 %r1, %r1, -1;", "le.s32 %p1, %r1, %r2;"),
        ("sub.s32 %r1, %r1, 4;", "lt.s32 %p1, %r1, %r2;"),
        ("add.s32 %r1, %r1, 1;", "lt.s32 %p1, %r2, %r1;"),
        ("add.s32 %r1, %r1, 1;", "eq.s32 %p1, %r1, %r2;"),
    ],
)
def test_a_counter_that_leaves_its_limit(step: str, comparison: str) -> None:
    check_rule(
        RULE,
        f"""
        ld.global.v2.b32 {{%r1, %r2}}, [%rd1];
    next:
        st.global.b32 [%rd1], %r1;
        {step}
        setp.{comparison}
        //               ^^^^^^^^ loop-direction
        @%p1 bra next;
        ret;
        """,
    )


def test_a_branch_on_the_negation() -> None:
    check_rule(
        RULE,
        """
        ld.global.v2.b32 {%r1, %r2}, [%rd1];
    next:
        st.global.b32 [%rd1], %r1;
        add.s32 %r1, %r1, 1;
        setp.lt.s32 %p1, %r1, %r2;
        //               ^^^^^^^^ loop-direction
        @!%p1 bra next;
        ret;
        """,
    )


def test_a_value_without_a_sign() -> None:
    check_rule(
        RULE,
        """
        mov.b32 %r1, 0;
    next:
        st.global.b32 [%rd1], %r1;
        add.s32 %r1, %r1, -1;
        setp.lt.u32 %p1, %r1, 64;
        //               ^^^^^^^ loop-direction: false at once, when `%r1` is 4294967295
        @%p1 bra next;
        ret;
        """,
    )


@pytest.mark.parametrize(
    ("step", "comparison"),
    [
        ("add.s32 %r1, %r1, 1;", "lt.s32 %p1, %r1, %r2;"),
        ("add.s32 %r1, %r1, -1;", "ge.s32 %p1, %r1, 0;"),
        ("add.s32 %r1, %r1, -1;", "lt.u32 %p1, %r1, %r2;"),
        ("add.s32 %r1, %r1, 1;", "ne.s32 %p1, %r1, %r2;"),
        ("shl.b32 %r1, %r1, 1;", "gt.s32 %p1, %r1, %r2;"),
        ("add.s32 %r1, %r1, %r3;", "gt.s32 %p1, %r1, %r2;"),
        ("add.s32 %r2, %r2, 2; add.s32 %r1, %r1, 1;", "gt.s32 %p1, %r1, %r2;"),
        ("ld.global.b32 %r2, [%rd2]; add.s32 %r1, %r1, 1;", "gt.s32 %p1, %r1, %r2;"),
    ],
)
def test_other_loops(step: str, comparison: str) -> None:
    check_quiet(
        RULE,
        f"""
        ld.global.v2.b32 {{%r1, %r2}}, [%rd1];
    next:
        st.global.b32 [%rd1], %r1;
        {step}
        setp.{comparison}
        @%p1 bra next;
        ret;
        """,
    )


def test_a_loop_with_another_exit() -> None:
    check_quiet(
        RULE,
        """
        ld.global.v2.b32 {%r1, %r2}, [%rd1];
    next:
        ld.global.b32 %r3, [%rd1];
        setp.eq.s32 %p2, %r3, 0;
        @%p2 bra done;
        add.s32 %r1, %r1, 1;
        setp.gt.s32 %p1, %r1, %r2;
        @%p1 bra next;
    done:
        ret;
        """,
    )


def test_a_loop_of_one_iteration() -> None:
    check_quiet(
        RULE,
        """
        mov.b32 %r1, 0;
    next:
        st.global.b32 [%rd1], %r1;
        add.s32 %r1, %r1, 32;
        setp.lt.s32 %p1, %r1, 32;
        @%p1 bra next;
        ret;
        """,
    )


def test_a_loop_that_never_runs() -> None:
    check_quiet(
        RULE,
        """
        and.b32 %r1, %r2, 3;
        shl.b32 %r1, %r1, 2;
        and.b32 %r1, %r1, 3;
        setp.eq.s32 %p1, %r1, 0;
        @%p1 bra done;
    next:
        st.global.b32 [%rd1], %r1;
        add.s32 %r1, %r1, -1;
        setp.ne.s32 %p1, %r1, 0;
        @%p1 bra next;
    done:
        ret;
        """,
    )
