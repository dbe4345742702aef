"""Tests of the rule invalid-address; `pairs/invalid-address` has whole kernels."""

from __future__ import annotations

from tests.support.lint import check_rule

RULE = "invalid-address"


def test_no_pointer() -> None:
    check_rule(
        RULE,
        """
        mov.u32 %r1, %tid.x;
        mul.wide.u32 %rd2, %r1, 4;
        st.global.b32 [%rd2+8], %r1;
    //                 ^^^^^^ invalid-address: `%rd2+8` is not an address
        st.b32 [%rd2], %r1;
    //          ^^^^ invalid-address
        ret;
    """,
    )


def test_converted_pointer_and_loaded_pointer() -> None:
    check_rule(
        RULE,
        """
        ld.param.b64 %rd1, [parameter];
        cvta.to.global.u64 %rd1, %rd1;
        ld.global.b64 %rd2, [%rd1];
        cvta.to.global.u64 %rd3, %rd2;
        add.s64 %rd4, %rd1, %rd3;
        ld.global.b32 %r1, [%rd4];
    //                      ^^^^ invalid-address: adds the pointers
        add.s64 %rd5, %rd1, %rd2;
        ld.global.b32 %r1, [%rd5];
        ret;
    """,
    )


def test_other_state_spaces_and_constants() -> None:
    check_rule(
        RULE,
        """
        mov.u32 %r1, %tid.x;
        shl.b32 %r2, %r1, 2;
        st.shared.b32 [%r2], %r1;
        mov.b64 %rd1, 0;
        st.global.b32 [%rd1], %r1;
        mul.wide.u32 %rd2, %r1, 4;
        cvta.shared.u64 %rd2, %rd2;
        st.b32 [%rd2], %r1;
        ret;
    """,
    )
