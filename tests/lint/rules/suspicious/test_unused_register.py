"""Tests of the rule unused-register."""

from __future__ import annotations

from tests.support.lint import check_rule

RULE = "unused-register"


def test_unused() -> None:
    check_rule(
        RULE,
        """
    .visible .entry kernel()
    {
        .reg .pred %p<4>;
    //             ^^ unused-register: registers `%p0` to `%p3` are never used
        .reg .b32 a, b;
    //               ^ unused-register: register `b` is never used
        { .reg .f32 sum; }
    //              ^^^ unused-register
        mov.b32 a, 1;  // not b, not %p1
        ret;
    }
    """,
    )


def test_quiet() -> None:
    check_rule(
        RULE,
        """
    .func (.reg .b32 sum) add(.reg .b32 first)
    {
        .reg .b32 %r<100>;
        .reg .pred p, q;
        .reg .b32 quad;
        .reg .v4 .b32 vector;
        mov.b32 %r99, 1;
        setp.eq.b32 p|q, %r99, 1;
        mov.b32 vector.x, 1;
        { .reg .b32 t; mov.b32 t, 0; }
        call (quad), add, (%r1);
        ret;
    }
    .visible .entry unreadable() { .reg .b32 a; move a, 1; ret; }
    """,
    )
