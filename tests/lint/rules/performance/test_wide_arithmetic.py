"""Tests of the rule wide-arithmetic."""

from __future__ import annotations

from tests.support.lint import check_no_fix, check_rule, check_rule_fix

RULE = "wide-arithmetic"


def test_reported() -> None:
    check_rule(
        RULE,
        """
        cvt.u64.u32 %rd1, %r1;
        cvt.s64.s32 %rd2, %r2;
        mul.lo.s64 %rd3, %rd2, -12;
    //  ^^^^^^^^^^ wide-arithmetic: `mul.wide.s32` computes the same
        mad.lo.u64 %rd4, %rd1, %rd1, %rd3;
    //  ^^^^^^^^^^ wide-arithmetic: `mad.wide.u32`
        and.b64 %rd5, %rd4, 0xFFFF;
        rem.s64 %rd6, %rd5, %rd1;
    //  ^^^^^^^ wide-arithmetic: `rem.u32`
        setp.lt.s64 %p1, %rd2, 100;
    //  ^^^^^^^^^^^ wide-arithmetic: `setp.lt.s32`
        shl.b64 %rd7, %rd2, 3;
    //  ^^^^^^^ wide-arithmetic: `mul.wide.s32`
    """,
    )


def test_quiet() -> None:
    check_rule(
        RULE,
        """
        cvt.u64.u32 %rd1, %r1;
        cvt.s64.s32 %rd2, %r2;
        mul.lo.s64 %rd3, %rd1, %rd2;
        mul.lo.u64 %rd3, %rd1, 0x100000000;
        mul.hi.u64 %rd3, %rd1, %rd1;
        mul.lo.s64 %rd3, %rd4, 8;
        div.s64 %rd3, %rd2, %rd4;
        div.u64 %rd3, %rd2, %rd1;
        div.s64 %rd3, %rd2, %rd2;
        setp.lt.u64 %p1, %rd1, %rd2;
        setp.lt.s64 %p1, %rd2, %rd4;
        shl.b64 %rd3, %rd1, 32;
        mul.lo.s32 %r3, %r1, %r2;
        mul.wide.s32 %rd3, %r1, %r2;
    """,
    )


def test_addresses_with_32_bits_in_hardware() -> None:
    check_rule(
        RULE,
        """
        .shared .align 4 .b8 tile[64];
        .local .align 4 .b8 stack[64];
        mov.u64 %rd1, tile;
        mov.u64 %rd2, stack;
        cvt.s64.s32 %rd3, %r1;
        mul.lo.s64 %rd4, %rd3, 12;
        add.s64 %rd5, %rd1, %rd4;
        ld.shared.u32 %r2, [%rd5+4];
        shl.b64 %rd6, %rd3, 2;
        add.s64 %rd7, %rd2, %rd6;
        st.local.u32 [%rd7], %r2;
        shl.b64 %rd8, %rd3, 3;
    //  ^^^^^^^ wide-arithmetic: `mul.wide.s32`
        st.shared.u64 [%rd8], %rd8;
        mul.lo.s64 %rd9, %rd3, 20;
    //  ^^^^^^^^^^ wide-arithmetic: `mul.wide.s32`
        add.s64 %rd5, %rd1, %rd9;
        ld.shared.u32 %r3, [%rd5];
        st.global.u32 [%rd5], %r3;
    """,
    )


def test_the_smallest_number_divided_by_minus_one() -> None:
    check_rule(
        RULE,
        """
        cvt.s64.s32 %rd1, %r1;
        cvt.s64.s32 %rd2, %r2;
        or.b32 %r3, %r4, 1;
        and.b32 %r3, %r3, 255;
        cvt.s64.s32 %rd3, %r3;
        div.s64 %rd4, %rd1, %rd2;
        div.s64 %rd5, %rd1, %rd3;
    //  ^^^^^^^ wide-arithmetic: `div.s32`
    """,
    )


def test_fix() -> None:
    check_rule_fix(
        RULE,
        "cvt.s64.s32 %rd1, %r1;\n@%p1 mul.lo.s64 %rd2, %rd1, 24;",
        "cvt.s64.s32 %rd1, %r1;\n@%p1 mul.wide.s32 %rd2, %r1, 24;",
    )
    check_rule_fix(
        RULE,
        "cvt.u64.u32 %rd1, %r1;\nand.b64 %rd2, %rd3, 63;\ndiv.u64 %rd4, %rd2, %rd1;",
        "cvt.u64.u32 %rd1, %r1;\nand.b64 %rd2, %rd3, 63;\n"
        "{ .reg .b32 %quotient, %divisor; cvt.u32.u64 %quotient, %rd2; "
        "div.u32 %quotient, %quotient, %r1; cvt.u64.u32 %rd4, %quotient; }",
    )


def test_no_fix_if_the_narrow_register_changes() -> None:
    check_no_fix(
        RULE,
        "cvt.u64.u32 %rd1, %r1;\nadd.u32 %r1, %r1, 1;\nmul.lo.u64 %rd2, %rd1, %rd1;",
    )
