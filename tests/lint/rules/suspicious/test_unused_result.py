"""Tests of the rule unused-result."""

from __future__ import annotations

from tests.support.lint import check_rule, check_rule_fix

RULE = "unused-result"


def test_unused() -> None:
    check_rule(
        RULE,
        """
        ld.global.b32 %r1, [%rd1];
        add.s32 %r2, %r1, 1;
        setp.eq.b32 %p1|%p2, %r2, 0;
    //  ^^^^^^^^^^^^^^^^^^^^^^^^^^^^ unused-result: `setp.eq.b32` is never used: no later
        ld.shared.b32 %r3, [%r1];
    //  ^^^^^^^^^^^^^^^^^^^^^^^^^ unused-result
        shfl.sync.down.b32 %r4, %r1, 1, 31, -1;
    //  ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ unused-result
        @%p3 mov.b32 %r5, %r1;
    //  ^^^^^^^^^^^^^^^^^^^^^^ unused-result
        ret;
    """,
    )


def test_a_register_that_is_read_before() -> None:
    check_rule(
        RULE,
        """
        st.global.b32 [%rd1], %r1;
        add.s64 %rd1, %rd1, 4;
    //  ^^^^^^^^^^^^^^^^^^^^^^ unused-result
        ret;
    """,
    )


def test_quiet() -> None:
    check_rule(
        RULE,
        """
        atom.global.add.u32 %r1, [%rd1], 1;
        ld.volatile.global.b32 %r2, [%rd1];
        ld.acquire.gpu.global.b32 %r3, [%rd1];
        mbarrier.arrive.shared.b64 %rd2, [%r4];
        bar.red.popc.u32 %r5, 0, %p1;
        add.cc.u32 %r6, %r7, %r8;
        addc.u32 %r9, %r7, %r8;
        st.global.b32 [%rd1], %r9;
        mov.b32 %r1, %clock;
        mov.b64 {%r2, %r3}, %rd1;
        st.global.b32 [%rd1], %r3;
        ret;
    """,
    )


def test_values_of_a_loop_and_of_guards() -> None:
    check_rule(
        RULE,
        """
        mov.b32 %r1, 0;
        mov.b32 %r2, 5;
        @%p1 mov.b32 %r2, 6;
    next:
        add.s32 %r1, %r1, %r2;
        setp.lt.s32 %p1, %r1, 100;
        @%p1 bra next;
        @%p2 mov.b32 %r3, 1;
        @!%p2 mov.b32 %r3, 2;
        st.global.b32 [%rd1], %r3;
        ret;
    """,
    )


def test_results_of_a_function() -> None:
    check_rule(
        RULE,
        """
    .func (.reg .b32 sum) add(.reg .b32 first)
    {
        add.s32 sum, first, 1;
        ret;
    }
    """,
    )


def test_fix() -> None:
    check_rule_fix(RULE, "mov.b32 %r1, 1;\nret;\n", "ret;\n")
