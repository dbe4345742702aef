"""Tests of the rule unread-memory."""

from __future__ import annotations

from tests.support.lint import check_rule

RULE = "unread-memory"


def test_stores_alone() -> None:
    check_rule(
        RULE,
        """
        .shared .b32 sums[32];
        .local .b64 frame[4];
        mov.b32 %r1, sums;
        add.s32 %r1, %r1, 4;
        st.shared.b32 [%r1], %r2;
    //  ^^^^^^^^^^^^^^^^^^^^^^^^^ unread-memory: store without effect: no instruction reads `sums`
        st.shared.b32 [sums], %r2;
        st.local.b64 [frame+8], %rd1;
    //  ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ unread-memory
        { .param .b32 argument; st.param.b32 [argument], %r2; }
    //                          ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ unread-memory
        ret;
    """,
    )


def test_quiet() -> None:
    check_rule(
        RULE,
        """
    .func (.param .b32 out) twice(.param .b32 in);
    .shared .b32 outside;
    .visible .entry kernel(.param .b64 result)
    {
        .reg .b32 %r<3>;
        .reg .b64 %rd<4>;
        .shared .b32 loaded, updated, escaping, strong;
        .local .b64 frame[4];
        st.shared.b32 [loaded], %r1;
        ld.shared.b32 %r1, [loaded];
        st.shared.b32 [updated], 0;
        atom.shared.add.u32 %r2, [updated], 1;
        st.volatile.shared.b32 [strong], 0;
        mov.b64 %rd1, escaping;
        st.shared.b32 [escaping], 0;
        st.global.b64 [%rd2], %rd1;
        mov.b64 %rd3, frame;
        st.local.b64 [%rd3], %rd2;
        ld.local.b64 %rd2, [%rd3+8];
        st.shared.b32 [outside], %r1;
        {
            .param .b32 a;
            .param .b32 b;
            st.param.b32 [a], %r1;
            call (b), twice, (a);
        }
        ret;
    }
    """,
    )
    check_rule(RULE, ".shared .b32 sum; st.shared.b32 [sum], 0; fetch %r1, [sum];")
