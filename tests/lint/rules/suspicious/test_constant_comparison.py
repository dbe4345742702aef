from tests.support.computation import check_quiet, check_rule

RULE = "constant-comparison"


def test_unsigned_numbers() -> None:
    check_rule(
        RULE,
        """
        setp.lt.u32 %p1, %r1, 0;
        //                    ^ constant-comparison: is always false: no `.u32` value is less than 0
        setp.hs.u64 %p1, %rd1, 0x0;
        //                     ^^^ constant-comparison: is always true
        setp.le.u16 %p1, %h1, -1;
        //                    ^^ constant-comparison: true: no `.u16` value is greater than 65,535
        setp.ge.u32 %p1, 0xFFFFFFFF, %r1;
        //               ^^^^^^^^^^ constant-comparison: is always true
        """,
    )


def test_signed_numbers() -> None:
    check_rule(
        RULE,
        """
        set.lt.u32.s16 %r1, %h1, -32768;
        //                       ^^^^^^ constant-comparison: false: no `.s16` value is less than
        setp.gt.s64 %p1, %rd1, 0x7FFFFFFFFFFFFFFF;
        //                     ^^^^^^^^^^^^^^^^^^ constant-comparison: is always false
        setp.ge.s32 %p1, %r1, 0x80000000;
        //                    ^^^^^^^^^^ constant-comparison: is always true
        """,
    )


def test_a_register_with_itself() -> None:
    check_rule(
        RULE,
        """
        setp.le.s32 %p1, %r1, %r1;
        //               ^^^^^^^^ constant-comparison: is always true: `%r1` is compared with itself
        setp.ne.and.f64 %p1, %fd1, %fd1, %p2;
        //                   ^^^^^^^^^^ constant-comparison: `.ne` is also false for NaN
        setp.geu.f32 %p1, %f1, %f1;
        //                ^^^^^^^^ constant-comparison: is always true
        """,
    )


def test_correct_statements() -> None:
    check_quiet(
        RULE,
        "setp.le.u32 %p1, %r1, 0;",
        "setp.eq.u32 %p1, %r1, -1;",
        "setp.neu.f32 %p1, %f1, %f1;",
        "setp.eq.f32 %p1, %f1, %f1;",
        "setp.nan.f32 %p1, %f1, %f1;",
        "setp.lt.u32 %p1, 0, %r1;",
        "setp.ge.s32 %p1, %r1, 0;",
        "setp.lt.u32 %p1, %r1, -16;",
    )
