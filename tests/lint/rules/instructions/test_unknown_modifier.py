from tests.support.lint import check_fix, check_lint


def test_near_one_is_proposed() -> None:
    check_lint("""
    add.satt.s32 %r1, %r2, %r3;
    // ^^^^^ unknown-modifier: `add` has no modifier `.satt`; did you mean `.sat`?
    """)


def test_legal_ones_are_named() -> None:
    check_lint("""
    add.fast.s32 %r1, %r2, %r3;
    // ^^^^^ unknown-modifier: `add` has no modifier `.fast`, expected `.sat`
    membar.qwerty;
    //    ^^^^^^^ unknown-modifier: `membar` has no modifier `.qwerty`, expected `.cta`, `.gl` or
    """)


def test_fix() -> None:
    check_fix("add.satt.s32 %r1, %r2, %r3;\n", "add.sat.s32 %r1, %r2, %r3;\n")


def test_store_to_constant_memory() -> None:
    check_lint("""
    st.const.u32 [%rd1], %r1;
    //^^^^^^ unknown-modifier: `st` cannot write to read-only `.const`, expected `.global`
    """)


def test_types_with_a_digit_too_many_or_too_few() -> None:
    check_fix("mov.b322 %r1, %r2;\n", "mov.b32 %r1, %r2;\n")
    check_fix("add.u6 %rd1, %rd2, 1;\n", "add.u64 %rd1, %rd2, 1;\n")
    check_fix("ld.global.f3 %f1, [%rd1];\n", "ld.global.f32 %f1, [%rd1];\n")
    check_lint("""
    add.u48 %r1, %r2, %r3;
    // ^^^^ unknown-modifier: `add` has no modifier `.u48`, expected
    """)
