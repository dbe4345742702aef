"""Tests of the rule contradictory-conditions."""

from __future__ import annotations

import pytest

from tests.support.computation import check_quiet, check_rule

RULE = "contradictory-conditions"
LOADS = "ld.global.v2.b32 {%r1, %r2}, [%rd1];"


@pytest.mark.parametrize(
    ("first", "second", "operation"),
    [
        ("lt.s32 %p1, %r1, 4", "gt.s32 %p2, %r1, 8", "and"),
        ("lt.s32 %p1, %r1, 4", "lt.s32 %p2, 8, %r1", "and"),
        ("eq.s32 %p1, %r1, 4", "eq.u32 %p2, %r1, 8", "and"),
        ("ge.s32 %p1, %r1, 4", "le.s32 %p2, %r1, 8", "or"),
        ("lt.u32 %p1, %r1, %r2", "gt.u32 %p2, %r1, %r2", "and"),
        ("le.s32 %p1, %r1, %r2", "ge.s32 %p2, %r1, %r2", "or"),
        ("eq.s32 %p1, %r1, %r2", "gt.u32 %p2, %r1, %r2", "and"),
    ],
)
def test_comparisons_that_exclude_each_other(first: str, second: str, operation: str) -> None:
    check_rule(
        RULE,
        f"""
        {LOADS}
        setp.{first};
        setp.{second};
        {operation}.pred %p3, %p1, %p2;
    //  {"^" * len(f"{operation}.pred %p3, %p1, %p2;")} contradictory-conditions
        @%p3 st.global.b32 [%rd1], %r1;
        """,
    )


def test_conditions_that_are_negated() -> None:
    check_rule(
        RULE,
        f"""
        {LOADS}
        setp.lt.s32 %p1, %r1, 4;
        setp.lt.and.s32 %p2, %r1, 4, !%p1;
    //  ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ contradictory-conditions: `%r1 < 4` and `%r1 >= 4`
        @%p2 st.global.b32 [%rd1], %r1;
        """,
    )


@pytest.mark.parametrize(
    ("first", "second", "operation"),
    [
        ("gt.s32 %p1, %r1, 4", "lt.s32 %p2, %r1, 8", "and"),
        ("gt.s32 %p1, %r1, 8", "lt.s32 %p2, %r2, 4", "and"),
        ("gt.u32 %p1, %r1, 8", "lt.s32 %p2, %r1, 4", "and"),
        ("gt.u32 %p1, %r1, %r2", "lt.s32 %p2, %r1, %r2", "and"),
        ("lt.s32 %p1, %r1, 4", "gt.s32 %p2, %r1, 8", "or"),
        ("ne.s32 %p1, %r1, 4", "ne.s32 %p2, %r1, 8", "and"),
        ("lt.f32 %p1, %f1, 0f00000000", "gt.f32 %p2, %f1, 0f00000000", "and"),
    ],
)
def test_comparisons_that_decide_something(first: str, second: str, operation: str) -> None:
    check_quiet(
        RULE,
        f"{LOADS} setp.{first}; setp.{second}; {operation}.pred %p3, %p1, %p2; @%p3 trap;",
    )


def test_a_register_that_is_written_in_between() -> None:
    check_quiet(
        RULE,
        f"""
        {LOADS}
        setp.lt.s32 %p1, %r1, 4;
        ld.global.b32 %r1, [%rd1+8];
        setp.gt.s32 %p2, %r1, 8;
        and.pred %p3, %p1, %p2;
        @%p3 st.global.b32 [%rd1], %r1;
        """,
    )


def test_several_statements_on_a_line() -> None:
    check_rule(
        RULE,
        f"""
        {LOADS}
        setp.lt.s32 %p1, %r1, 4; setp.gt.s32 %p2, %r1, 8;
        and.pred %p3, %p1, %p2; not.pred %p4, %p3;
    //  ^^^^^^^^^^^^^^^^^^^^^^^ contradictory-conditions
        @%p4 st.global.b32 [%rd1], %r1;
        """,
    )
