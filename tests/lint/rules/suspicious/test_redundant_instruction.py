"""Tests of the rule redundant-instruction."""

from __future__ import annotations

import pytest

from tests.support.lint import check_rule, check_rule_fix

RULE = "redundant-instruction"


@pytest.mark.parametrize(
    "statement",
    [
        "mov.b32 %r1, %r1;",
        "add.s32 %r1, %r1, 0;",
        "add.s32 %r1, 0, %r1;",
        "sub.s32 %r1, %r1, 0x0;",
        "or.b32 %r1, %r1, %r1;",
        "and.b32 %r1, %r1, 0xffffffff;",
        "and.b32 %r1, %r1, -1;",
        "xor.b32 %r1, %r1, 0;",
        "shl.b32 %r1, %r1, 0;",
        "mul.lo.s32 %r1, %r1, 1;",
        "div.u32 %r1, %r1, 1;",
        "min.s32 %r1, %r1, %r1;",
        "selp.b32 %r1, %r1, %r1, %p1;",
        "cvt.u32.u32 %r1, %r1;",
        "prmt.b32 %r1, %r1, %r2, 0x3210;",
        "lop3.b32 %r1, %r2, %r1, %r3, 0xcc;",
        "@%p1 mov.b32 %r1, %r1;",
    ],
)
def test_no_effect(statement: str) -> None:
    carets = "^" * len(statement)
    check_rule(RULE, f"{statement}\n{carets} redundant-instruction: does not change `%r1`")


@pytest.mark.parametrize(
    ("statement", "copy"),
    [
        ("add.s32 %r1, %r2, 0;", "mov.b32 %r1, %r2;"),
        ("selp.f32 %f1, %f2, %f2, %p1;", "mov.b32 %f1, %f2;"),
        ("or.pred %p1, %p2, %p2;", "mov.pred %p1, %p2;"),
        ("add.s64 %rd1, %rd2, 0;", "mov.b64 %rd1, %rd2;"),
        ("cvt.f32.f32 %f1, %f2;", "mov.b32 %f1, %f2;"),
    ],
)
def test_a_copy(statement: str, copy: str) -> None:
    carets = "^" * len(statement)
    check_rule(RULE, f"{statement}\n{carets} redundant-instruction: only copies ")
    check_rule_fix(RULE, f"{statement}\nret;\n", f"{copy}\nret;\n")


@pytest.mark.parametrize(
    "statement",
    [
        "mov.b32 %r1, %r2;",
        "add.s32 %r1, %r1, 1;",
        "sub.s32 %r1, 0, %r1;",
        "sub.s32 %r1, %r1, %r1;",
        "xor.b32 %r1, %r1, %r1;",
        "add.sat.s32 %r1, %r1, 0;",
        "add.cc.u32 %r1, %r1, 0;",
        "add.f32 %f1, %f1, 0f00000000;",
        "mul.f32 %f1, %f1, 0f3F800000;",
        "min.f32 %f1, %f1, %f1;",
        "mul.hi.s32 %r1, %r1, 1;",
        "mul.wide.u32 %rd1, %r1, 1;",
        "and.b32 %r1, %r1, 0xffff;",
        "shl.b32 %r1, 0, %r1;",
        "selp.b32 %r1, %r1, %r2, %p1;",
        "cvt.u32.s32 %r1, %r1;",
        "cvt.u16.u16 %r1, %r1;",
        "cvt.u32.u32 %rd1, %r1;",
        "cvt.rni.f32.f32 %f1, %f1;",
        "cvt.sat.f32.f32 %f1, %f1;",
        "prmt.b32 %r1, %r1, %r2, 0x3211;",
        "mov.b32 %r1, %tid.x;",
        "add.u32 %r1, %tid.x, 0;",
        "div.s32 %r1, 1, %r1;",
    ],
)
def test_quiet(statement: str) -> None:
    check_rule(RULE, statement)


def test_a_fix_that_removes_the_instruction() -> None:
    check_rule_fix(RULE, "add.s32 %r1, %r1, 0; // 0\nret;\n", "// 0\nret;\n")


def test_addresses_in_global_that_are_converted_twice() -> None:
    check_rule(
        RULE,
        """
        cvta.to.global.u64 %rd2, %rd1;
        add.s64 %rd3, %rd2, 16;
        cvta.to.global.u64 %rd4, %rd3; mov.b64 %rd5, %rd4;
    //  ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ redundant-instruction: the address is already in `.global`
        cvta.global.u64 %rd6, %rd5;
        cvta.global.u64 %rd6, %rd6;
    //  ^^^^^^^^^^^^^^^^^^^^^^^^^^^ redundant-instruction: the address is already generic
        """,
    )


def test_addresses_that_are_converted_once() -> None:
    for each in (
        "cvta.to.global.u64 %rd1, %rd1;",
        "cvta.to.global.u64 %rd2, %rd1; cvta.global.u64 %rd3, %rd2;",
        "cvta.to.global.u64 %rd2, %rd1; ld.b64 %rd2, [%rd2]; cvta.to.global.u64 %rd3, %rd2;",
        "@%p1 cvta.to.global.u64 %rd1, %rd1; @!%p1 cvta.to.global.u64 %rd1, %rd1;",
    ):
        check_rule(RULE, each)
