from tests.support.computation import check_quiet, check_rule

RULE = "negative-constant"


def test_where_the_sign_matters() -> None:
    check_rule(
        RULE,
        """
        mad.wide.u16 %r1, %h1, -1, %r2;
        //                     ^^ negative-constant: `.u16` is unsigned: the value becomes 65,535
        div.u32 %r1, %r2, -10;
        //                ^^^ negative-constant: unsigned: the value becomes 4,294,967,286
        setp.lt.u32 %p1, %r1, -8;
        //                    ^^ negative-constant
        atom.global.max.u32 %r1, [%rd1], -5;
        //                               ^^ negative-constant
        min.u64 %rd1, %rd2, -2;
        //                  ^^ negative-constant: the value becomes 18,446,744,073,709,551,614
        """,
    )


def test_correct_statements() -> None:
    check_quiet(
        RULE,
        "mul.wide.s32 %rd1, %r1, -4;",
        "mad.wide.u32 %rd1, %r1, 4, -8;",
        "mul.hi.u32 %r1, %r2, -858993459;",
        "setp.ne.u32 %p1, %r1, -2;",
        "setp.lt.u32 %p1, %r1, -1;",
        "setp.gt.u32 %p1, %r1, -4096;",
        "add.u32 %r1, %r2, -4;",
        "mul.lo.u32 %r1, %r2, -4;",
        "and.b32 %r1, %r2, -4;",
    )
