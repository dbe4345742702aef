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
    //^^^^^^ unknown-modifier: `st` writes, and `.const` is read only, expected `.global`
    """)
