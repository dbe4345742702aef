from tests.support.lint import check_lint


def test_type() -> None:
    check_lint("""
    add %r1, %r2, %r3;
    ^^^ missing-modifier: `add` needs `.u32`, `.s32`, `.f32`, `.u16x2`, `.s16x2`, `.f16x2` …
    """)


def test_mode() -> None:
    check_lint("""
    mul.s32 %r1, %r2, %r3;
    ^^^^^^^ missing-modifier: `mul.s32` needs `.lo` or `.hi`
    """)
