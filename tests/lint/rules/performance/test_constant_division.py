"""Tests of the rule constant-division."""

from __future__ import annotations

from ptx_ls.document.document import Document
from ptx_ls.lint import lint
from ptx_ls.source import Severity
from tests.support.lint import check_rule, check_rule_fix, module

RULE = "constant-division"


def test_reported() -> None:
    check_rule(
        RULE,
        """
        div.u32 %r1, %r2, 0x20;
    //  ^^^^^^^ constant-division: `shr.u32 %r1, %r2, 5` gives the same result
        @!%p1 rem.u64 %rd1, %rd2, 8U;
    //        ^^^^^^^ constant-division: `and.b64 %rd1, %rd2, 7` gives the same result
        div.s32 %r3, %r4, 1;
    //  ^^^^^^^ constant-division: `mov.b32 %r3, %r4` gives the same result
        div.s32 %r3, %r4, -1;
    //  ^^^^^^^ constant-division: `neg.s32 %r3, %r4` gives the same result
        div.s16 %rs1, %rs2, 16;
    //  ^^^^^^^ constant-division: 4 instructions with shifts
        rem.s64 %rd3, %rd4, -10;
    //  ^^^^^^^ constant-division: ptxas compiles `rem.s64` by -10 to a full division, but a
    """,
    )


def test_constant_in_a_register() -> None:
    check_rule(
        RULE,
        """
        mov.b32 %r1, 16;
        mov.b32 %r2, %tid.x;
        div.s32 %r3, %r2, %r1;
    //  ^^^^^^^ constant-division: `shr.s32 %r3, %r2, 4` gives the same result
        and.b32 %r4, %r5, 12;
        rem.s32 %r6, %r4, %r1;
    //  ^^^^^^^ constant-division: `and.b32 %r6, %r4, 15` gives the same result
    """,
    )


def test_quiet() -> None:
    check_rule(
        RULE,
        """
        div.u32 %r1, %r2, %r3;
        div.u32 %r1, %r2, 0;
        div.rn.f32 %f1, %f2, 0f40000000;
        div.s16 %rs1, %rs2, 40000;
        shr.u32 %r1, %r2, 5;
        @%p1 mov.b32 %r4, 8;
        rem.u32 %r5, %r6, %r4;
    """,
    )


def test_fix() -> None:
    check_rule_fix(RULE, "@%p1 rem.u32 %r1, %r2, 64;", "@%p1 and.b32 %r1, %r2, 63;")
    check_rule_fix(RULE, "div.u16 %rs1, %rs2, 2;", "shr.u16 %rs1, %rs2, 1;")
    check_rule_fix(
        RULE,
        "@%p1 div.u32 %r1, %r2, 10;",
        "{ .reg .b32 %quotient, %term; mul.hi.u32 %quotient, %r2, 0xcccccccd; "
        "@%p1 shr.u32 %r1, %quotient, 3; }",
    )


def test_severities() -> None:
    for statement, expected in (
        ("div.u32 %r1, %r2, 8;", Severity.INFORMATION),
        ("div.u32 %r1, %r2, 10;", Severity.HINT),
        ("rem.s32 %r1, %r2, 8;", Severity.HINT),
    ):
        found = lint(Document.read(module(statement)))
        assert [one.severity for one in found if one.rule == RULE] == [expected]
