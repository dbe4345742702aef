from tests.support.computation import check_quiet, check_rule

RULE = "oversized-shift"


def test_shifts() -> None:
    check_rule(
        RULE,
        """
        shl.b64 %rd1, %rd2, 64;
        //                  ^^ oversized-shift: shift of a 64-bit value by 64: the result is
        shr.s16 %h1, %h2, 16;
        //                ^^ oversized-shift: all bits of the result are copies of the sign bit
        shl.b16 %h1, %h2, 0xFFFFFFFF;
        //                ^^^^^^^^^^ oversized-shift: the result is always 0
        shr.u32 %r1, %r2, -1;
        //                ^^ oversized-shift: the result is always 0
        """,
    )


def test_funnel_shifts() -> None:
    check_rule(
        RULE,
        """
        shf.r.wrap.b32 %r1, %r2, %r3, 32;
        //                            ^^ oversized-shift: `.wrap` reduces the amount to 0
        shf.r.b32.wrap %r1, %r2, %r3, 32;
        //                            ^^ oversized-shift: `.wrap` reduces the amount to 0
        shf.l.clamp.b32 %r1, %r2, %r3, 33;
        //                             ^^ oversized-shift: `.clamp` reduces the amount to 32
        """,
    )


def test_a_guarded_shift() -> None:
    check_rule(
        RULE,
        """
        @%p1 shl.b32 %r1, %r2, 16 + 16;
        //                     ^^^^^^^ oversized-shift: shift of a 32-bit value by `16 + 16`
        """,
    )


def test_correct_statements() -> None:
    check_quiet(
        RULE,
        "shl.b64 %rd1, %rd2, 63;",
        "shr.s32 %r1, %r2, 31;",
        "shf.l.clamp.b32 %r1, %r2, %r3, 32;",
        "shf.l.wrap.b32 %r1, %r2, %r3, 31;",
        "shf.l.wrap.b32 %r1, %r2, %r2, -7;",
        "shl.b32 %r1, 100, %r2;",
    )
