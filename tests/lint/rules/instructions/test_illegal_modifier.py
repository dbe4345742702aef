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


def test_the_expected_types_agree_with_the_reason() -> None:
    check_lint("""
    .reg .b16 %half<2>;
    setp.lt.f16 %p1|%p2, %half0, %half1;
    //     ^^^^ illegal-modifier: `.f16` is not allowed in `setp.lt.f16`, expected `.f16x2` or `.bf16x2`: with 16-bit floats, only packed types take a second predicate
    """)  # noqa: E501


def test_a_rounding_between_integers_is_wrong_and_not_their_types() -> None:
    check_lint("""
    cvt.rn.u64.u32 %rd1, %r1;
    // ^^^ illegal-modifier: `.rn` is not allowed in `cvt.rn.u64.u32`: only float results take float
    div.rn.s32 %r1, %r2, %r3;
    // ^^^ illegal-modifier: `.rn` is not allowed in `div.rn.s32`
    """)
