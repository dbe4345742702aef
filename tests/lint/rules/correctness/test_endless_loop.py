"""Tests of the rule endless-loop."""

from __future__ import annotations

from tests.support.lint import check_rule

RULE = "endless-loop"


def test_a_branch_to_itself() -> None:
    check_rule(
        RULE,
        """
    next: bra next;
    //    ^^^^^^^^^ endless-loop: endless loop: no path from here leaves the function
    """,
    )


def test_a_loop_with_effects_and_without_exit() -> None:
    check_rule(
        RULE,
        """
    next:
        st.global.b32 [%rd1], %r1;
        add.s64 %rd1, %rd1, 4;
        setp.lt.s32 %p1, %r1, 5;
        @%p1 bra skip;
        bar.sync 0;
    skip:
        bra next;
    //  ^^^^^^^^^ endless-loop
        ret;
    """,
    )


def test_an_exit_from_the_inner_loop_alone() -> None:
    check_rule(
        RULE,
        """
    outer:
        mov.b32 %r1, 0;
    inner:
        add.s32 %r1, %r1, 1;
        setp.lt.s32 %p1, %r1, 8;
        @%p1 bra inner;
        bra.uni outer;
    //  ^^^^^^^^^^^^^^ endless-loop
        ret;
    """,
    )


def test_a_part_of_the_paths() -> None:
    check_rule(
        RULE,
        """
        @%p1 bra wait;
        ret;
    wait:
        ld.volatile.global.b32 %r1, [%rd1];
        bra wait;
    //  ^^^^^^^^^ endless-loop
    """,
    )


def test_a_table_of_branches() -> None:
    check_rule(
        RULE,
        """
    a:
    b:
        targets: .branchtargets a, b;
        brx.idx %r1, targets;
    //  ^^^^^^^^^^^^^^^^^^^^^ endless-loop
    """,
    )


def test_loops_with_exits() -> None:
    check_rule(
        RULE,
        """
    spin:
        ld.acquire.gpu.global.b32 %r1, [%rd1];
        setp.eq.b32 %p1, %r1, 0;
        @%p1 bra spin;
    first:
        @%p1 bra second;
        bra third;
    third:
        bra first;
    second:
        @%p2 exit;
        bra second;
    """,
    )
    check_rule(RULE, "next: @%p1 trap; bra next;")
    check_rule(RULE, "next: @%p1 ret; bra next;")


def test_a_call_may_end_the_thread() -> None:
    check_rule(
        RULE,
        """
    .func work();
    .visible .entry kernel()
    {
    next:
        call work;
        bra next;
    }
    """,
    )


def test_unreachable_and_unknown_code() -> None:
    check_rule(RULE, "ret; next: bra next;")
    check_rule(RULE, "next: @%p1 bra missing; bra next;")
    check_rule(RULE, "next: jump next; bra next;")
    check_rule(RULE, "next: bra next")
