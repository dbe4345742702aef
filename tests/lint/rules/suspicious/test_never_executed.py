"""Tests of the rule never-executed."""

from __future__ import annotations

from tests.support.lint import check_rule

RULE = "never-executed"


def test_both_ways() -> None:
    check_rule(
        RULE,
        """
        setp.lt.u32 %p1, %r1, 32;
        @%p1 bra small;
        @!%p1 bra large;
        st.global.b32 [%rd1], %r1;
    //  ^^^^^^^^^^^^^^^^^^^^^^^^^^ never-executed: the branch before this code is always
    small:
        ret;
    large:
        ret;
    """,
    )


def test_a_guard_that_never_holds() -> None:
    check_rule(
        RULE,
        """
        @%p1 bra done;
        add.s32 %r1, %r1, 1;
        @%p1 st.global.b32 [%rd1], %r1;
    //  ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ never-executed: never executed: the guard `@%p1` is always
        @%p2 bra next;
        st.global.b32 [%rd1], %r1;
    next:
        @%p1 bra done;
    //  ^^^^^^^^^^^^^^ never-executed
        ret;
    done:
        ret;
    """,
    )


def test_opposite_comparisons() -> None:
    check_rule(
        RULE,
        """
        setp.lt.s32 %p1, %r1, %r2;
        setp.ge.s32 %p2, %r1, %r2;
        @%p1 bra small;
        @%p2 bra large;
        st.global.b32 [%rd1], %r1;
    //  ^^^^^^^^^^^^^^^^^^^^^^^^^^ never-executed
    small:
        ret;
    large:
        ret;
    """,
    )


def test_a_pair_of_predicates() -> None:
    check_rule(
        RULE,
        """
        setp.eq.b32 %p1|%p2, %r1, 0;
        @%p1 bra zero;
        @!%p2 bra zero;
    //  ^^^^^^^^^^^^^^^ never-executed
        st.global.b32 [%rd1], %r1;
    zero:
        ret;
    """,
    )


def test_quiet() -> None:
    check_rule(
        RULE,
        """
        @%p1 bra then;
        @!%p1 bra else;
    then:
        mov.b32 %r1, 1;
        bra done;
    else:
        mov.b32 %r1, 2;
    done:
        @%p1 st.global.b32 [%rd1], %r1;
        @!%p1 st.global.b32 [%rd1+4], %r1;
        ret;
    """,
    )
    check_rule(
        RULE,
        """
    next:
        @%p1 bra done;
        setp.gt.s32 %p1, %r1, 5;
        @%p1 add.s32 %r1, %r1, 1;
        @!%p1 bra next;
    done:
        ret;
    """,
    )
    check_rule(
        RULE,
        """
        setp.lt.f32 %p1, %f1, %f2;
        setp.ge.f32 %p2, %f1, %f2;
        @%p1 bra small;
        @%p2 bra small;
        st.global.b32 [%rd1], %r1;
    small:
        ret;
    """,
    )
    check_rule(RULE, "@%p1 bra done; @%p1 jump done; mov.b32 %r1, 0; done: ret;")
