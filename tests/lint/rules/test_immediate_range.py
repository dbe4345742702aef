from tests.support.lint import check_lint


def test_barrier() -> None:
    check_lint("""
    bar.sync 16;
    //       ^^ immediate-range: `16` is out of range, expected a constant 0..15
    bar.sync 15;
    """)


def test_multiple() -> None:
    check_lint("""
    bar.sync 0, 33;
    //          ^^ immediate-range: `33` is out of range, expected a constant multiple of 32
    """)
