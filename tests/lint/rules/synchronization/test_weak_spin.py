"""Tests of the rule weak-spin. The cases are those in which ptxas keeps no loop."""

from __future__ import annotations

import pytest

from tests.support.lint import check_rule, check_rule_fix

RULE = "weak-spin"


@pytest.mark.parametrize(
    "body",
    [
        "ld.volatile.global.u32 %r1, [%rd1];",
        "ld.global.u32 %r1, [%rd1];\nnanosleep.u32 20;",
        "ld.global.u32 %r1, [%rd1];\nst.shared.u32 [4], %r1;",
        "ld.global.u32 %r1, [%rd1];\nred.global.add.u32 [%rd2], 1;",
        "ld.global.u32 %r1, [%rd1];\nmembar.cta;",
        "ld.global.u32 %r1, [%rd1];\nbar.warp.sync -1;",
        "ld.global.u32 %r1, [%rd1];\nadd.s64 %rd1, %rd1, 4;",
        "ld.global.u32 %r1, [%rd1];\ncall f;",
        "ld.param.u32 %r1, [p];",
    ],
)
def test_loops_that_read_memory_anew(body: str) -> None:
    check_rule(
        RULE, f"L:\n{body}\nsetp.eq.u32 %p1, %r1, 0;\n@%p1 bra L;\nst.global.u32 [%rd1], %r1;"
    )


@pytest.mark.parametrize("opcode", ["ld.u32", "ld.global.cv.u32", "ld.weak.shared.u32"])
def test_loops_that_do_not(opcode: str) -> None:
    carets = "^" * len(opcode)
    loop = f"L:\n    {opcode} %r1, [%rd1];\n//  {carets} {RULE}\n    setp.eq.u32 %p1, %r1, 0;"
    check_rule(RULE, f"{loop}\n    @%p1 bra L;\n    st.global.u32 [%rd1], %r1;")


def test_a_loop_that_also_counts_ends() -> None:
    loop = "L:\nld.global.u32 %r1, [%rd1];\nadd.u32 %r2, %r2, 1;\nsetp.lt.u32 %p1, %r2, %r1;"
    check_rule(RULE, f"{loop}\n@%p1 bra L;\nst.global.u32 [%rd1], %r1;")


def test_a_number_that_is_set_anew_in_each_round_counts_nothing() -> None:
    loop = f"""
L:
    ld.global.u32 %r1, [%rd1];
//  ^^^^^^^^^^^^^ {RULE}
    mov.u32 %r2, 5;
    add.u32 %r2, %r2, 1;
    setp.lt.u32 %p1, %r1, %r2;"""
    check_rule(RULE, f"{loop}\n    @%p1 bra L;\n    st.global.u32 [%rd1], %r1;")


def test_adding_0_counts_nothing() -> None:
    loop = f"""
L:
    ld.global.u32 %r1, [%rd1];
//  ^^^^^^^^^^^^^ {RULE}
    add.u32 %r2, %r2, 0;
    setp.lt.u32 %p1, %r1, %r2;"""
    check_rule(RULE, f"{loop}\n    @%p1 bra L;\n    st.global.u32 [%rd1], %r1;")


def test_fix() -> None:
    loop = "L:\nOPCODE.global.u32 %r1, [%rd1];\nsetp.eq.u32 %p1, %r1, 0;\n@%p1 bra L;\n"
    before, after = loop.replace("OPCODE", "ld"), loop.replace("OPCODE", "ld.volatile")
    check_rule_fix(RULE, before, after)
