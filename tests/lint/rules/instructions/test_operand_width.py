from tests.support.lint import check_fix, check_lint


def test_narrower() -> None:
    check_lint("""
    add.s64 %rd1, %rd2, %r1;
    //                  ^^^ operand-width: `%r1` has type `.b32`, expected an `.s64` register
    """)


def test_wider() -> None:
    check_lint("""
    add.s32 %r1, %r2, %rd1;
    //                ^^^^ operand-width: `%rd1` has type `.b64`, expected an `.s32` register
    """)


def test_loads_extend() -> None:
    check_lint("""
    ld.global.u8 %r1, [%rd1];
    """)


def test_register_of_another_bank() -> None:
    check_fix("add.s32 %r1, %r2, %rd3;\n", "add.s32 %r1, %r2, %r3;\n")
