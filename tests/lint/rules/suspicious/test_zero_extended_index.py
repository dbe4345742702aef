"""Tests of the rule zero-extended-index; `pairs/zero-extended-index` has whole kernels."""

from __future__ import annotations

from tests.support.lint import check_rule

RULE = "zero-extended-index"


def test_always_negative() -> None:
    check_rule(
        RULE,
        """
        ld.param.b64 %rd1, [parameter];
        and.b32 %r1, %r2, 7;
        sub.s32 %r3, %r1, 8;
        mad.wide.u32 %rd2, %r3, 4, %rd1;
        st.global.b32 [%rd2], %r1;
    //                 ^^^^ zero-extended-index: `%r3` can be -1
        ret;
    """,
    )


def test_thread_that_does_not_get_there() -> None:
    check_rule(
        RULE,
        """
        ld.param.b64 %rd1, [parameter];
        mov.u32 %r1, %tid.x;
        sub.s32 %r3, %r1, 1;
        mad.wide.u32 %rd2, %r3, 4, %rd1;
        setp.eq.u32 %p1, %r1, 0;
        @%p1 bra done;
        st.global.b32 [%rd2], %r1;
    done:
        ret;
    """,
    )


def test_signed_and_narrow() -> None:
    check_rule(
        RULE,
        """
        .shared .b32 sums[32];
        ld.param.b64 %rd1, [parameter];
        mov.u32 %r1, %tid.x;
        sub.s32 %r3, %r1, 1;
        mad.wide.s32 %rd2, %r3, 4, %rd1;
        st.global.b32 [%rd2], %r1;
        mov.u32 %r4, sums;
        mad.lo.u32 %r4, %r3, 4, %r4;
        st.shared.b32 [%r4+4], %r1;
        ret;
    """,
    )
