"""Tests of the rule overwritten-store; `tests/lint/pairs/overwritten-store` has whole kernels."""

from __future__ import annotations

from tests.support.lint import check_rule

RULE = "overwritten-store"


def test_same_bytes() -> None:
    check_rule(
        RULE,
        """
        .shared .b32 sums[32];
        ld.param.b64 %rd1, [parameter];
        add.s64 %rd2, %rd1, 8;
        st.global.b32 [%rd2], %r1;
    //  ^^^^^^^^^^^^^^^^^^^^^^^^^^ overwritten-store: `%rd2` is written again
        st.global.b64 [%rd1+8], %rd3;
        mov.b32 %r2, sums;
        st.shared.b32 [sums+4], %r1;
    //  ^^^^^^^^^^^^^^^^^^^^^^^^^^^^ overwritten-store
        add.s32 %r3, %r2, 4;
        st.shared.b32 [%r3], %r1;
        ret;
    """,
    )


def test_read_or_visible_in_between() -> None:
    check_rule(
        RULE,
        """
        ld.param.b64 %rd1, [parameter];
        st.global.b32 [%rd1], %r1;
        ld.global.b32 %r2, [%rd1];
        st.global.b32 [%rd1], %r2;
        bar.sync 0;
        st.global.b32 [%rd1], %r1;
        membar.gl;
        st.global.b32 [%rd1], %r1;
        @%p1 st.global.b32 [%rd1], %r2;
        ret;
    """,
    )


def test_other_bytes() -> None:
    check_rule(
        RULE,
        """
        ld.param.b64 %rd1, [parameter];
        st.global.b64 [%rd1], %rd2;
        st.global.b32 [%rd1], %r1;
        st.global.b32 [%rd1+8], %r1;
        st.volatile.global.b32 [%rd1+16], %r1;
        st.volatile.global.b32 [%rd1+16], %r1;
        add.s64 %rd1, %rd1, 8;
        st.global.b32 [%rd1+8], %r1;
        ret;
    """,
    )
