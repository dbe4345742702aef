from tests.support.computation import check_quiet, check_rule

RULE = "constant-result"


def test_constants() -> None:
    check_rule(
        RULE,
        """
        mul.wide.u32 %rd1, %r1, 0;
        //                      ^ constant-result: this `mul` is not needed: its result is always 0
        mad.lo.s32 %r1, %r2, 0, %r3;
        //                   ^ constant-result: its result is `%r3`
        and.b64 %rd1, 0, %rd2;
        //            ^ constant-result: always 0
        rem.s32 %r1, %r2, -1;
        //                ^^ constant-result: always 0
        max.u16 %h1, %h2, 65535;
        //                ^^^^^ constant-result: always 65535
        min.s32 %r1, %r2, 2147483647;
        //                ^^^^^^^^^^ constant-result: its result is `%r2`
        """,
    )


def test_the_same_register() -> None:
    check_rule(
        RULE,
        """
        div.s32 %r1, %r2, %r2;
        //           ^^^^^^^^ constant-result: its result is always 1
        rem.u64 %rd1, %rd2, %rd2;
        //            ^^^^^^^^^^ constant-result: its result is always 0
        """,
    )


def test_correct_statements() -> None:
    check_quiet(
        RULE,
        "mul.lo.s32 %r1, %r2, 1;",
        "and.b32 %r1, %r2, -1;",
        "min.s32 %r1, %r2, 0;",
        "max.s32 %r1, %r2, 0;",
        "rem.u32 %r1, %r2, -1;",
        "div.rn.f32 %f1, %f2, %f2;",
        "sub.s32 %r1, %r2, %r2;",
        "mul.lo.s32 %r1, 0, 5;",
    )
