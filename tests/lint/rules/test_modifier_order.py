from tests.support.lint import check_fix, check_lint


def test_hint() -> None:
    check_lint("""
    ld.u32.global %r1, [%rd1];
    //^^^^ modifier-order: `.u32` is not where the manual has it: `ld.global.u32`
    """)


def test_fix() -> None:
    check_fix("ld.u32.global %r1, [%rd1];\n", "ld.global.u32 %r1, [%rd1];\n")
