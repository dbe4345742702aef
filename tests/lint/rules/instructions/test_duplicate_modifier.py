from tests.support.lint import check_fix, check_lint


def test_accepted() -> None:
    check_lint("""
    bar.sync.sync 0;
    //      ^^^^^ duplicate-modifier: `.sync` is given twice
    """)


def test_refused() -> None:
    check_lint("""
    add.s32.s32 %r1, %r2, %r3;
    //     ^^^^ duplicate-modifier: `.s32` is given twice
    """)


def test_fix() -> None:
    check_fix("bar.sync.sync 0;\n", "bar.sync 0;\n")
