"""Tests of the rule local-index."""

from __future__ import annotations

from textwrap import dedent

from tests.support.lint import check_rule

RULE = "local-index"

ARRAYS = ".local .align 8 .b8 large[64];\n.local .align 8 .b8 small[32];\n"


def check(marked: str) -> None:
    """Fails unless the rule reports exactly what is marked, among accesses to two arrays."""
    check_rule(RULE, ARRAYS + dedent(marked))


def test_reported_once() -> None:
    check(
        """
        and.b32 %r1, %r2, 12;
        mov.b32 %r3, large;
        add.s32 %r4, %r3, %r1;
        st.local.b32 [%r4+8], %r2;
    //  ^^^^^^^^^^^^ local-index: the index `
        ld.local.b32 %r5, [%r4];
        """
    )


def test_quiet() -> None:
    check(
        """
        and.b32 %r1, %r2, 12;
        mov.b32 %r3, small;
        add.s32 %r4, %r3, %r1;
        st.local.b32 [%r4+8], %r2;
        ld.local.b32 %r5, [large+8];
        ld.local.b32 %r5, [%r6];
        """
    )


def test_counter_of_a_loop() -> None:
    check(
        """
        mov.b32 %r1, large;
        mov.b32 %r2, 0;
    next:
        shl.b32 %r3, %r2, 2;
        add.s32 %r4, %r1, %r3;
        st.local.b32 [%r4], %r2;
        add.s32 %r2, %r2, 1;
        setp.lt.s32 %p1, %r2, 16;
        @%p1 bra next;
        """
    )


def test_table_of_constants() -> None:
    check(
        """
        st.local.b32 [large], 5;
        st.local.b32 [large+4], 7;
        st.local.f32 [large+8], 1.5;
        and.b32 %r1, %r2, 12;
        mov.b32 %r3, large;
        add.s32 %r4, %r3, %r1;
        ld.local.b32 %r5, [%r4];
        """
    )
