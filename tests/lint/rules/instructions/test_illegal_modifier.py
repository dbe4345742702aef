from tests.support.lint import check_lint


def test_type_without_it() -> None:
    check_lint("""
    add.ftz.s32 %r1, %r2, %r3;
    // ^^^^ illegal-modifier: `.ftz` is not allowed in `add.ftz.s32`
    """)


def test_two_of_a_kind() -> None:
    check_lint("""
    add.rn.rz.f32 %f1, %f2, %f3;
    //    ^^^ illegal-modifier: it cannot be combined with `.rn`
    """)
