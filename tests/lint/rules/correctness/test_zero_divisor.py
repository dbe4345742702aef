from tests.support.computation import check_quiet, check_rule

RULE = "zero-divisor"


def test_divisions() -> None:
    check_rule(
        RULE,
        """
        div.s64 %rd1, %rd2, 0;
        //                  ^ zero-divisor: division by 0: the quotient is unspecified
        rem.u16 %h1, %h2, 0x0;
        //                ^^^ zero-divisor: division by 0: the remainder is unspecified
        div.u32 %r1, %r2, 4 - 4;
        //                ^^^^^ zero-divisor
        """,
    )


def test_correct_statements() -> None:
    check_quiet(
        RULE,
        "div.u32 %r1, 0, %r2;",
        "div.rn.f32 %f1, %f2, 0f00000000;",
        "rem.s32 %r1, %r2, -1;",
    )
