from tests.support.lint import check_lint


def test_shared_read_as_global() -> None:
    check_lint("""
    .shared .b32 x;
    ld.global.u32 %r1, [x];
    //                 ^^^ state-space: `[x]` is in `.shared`, expected a `.global` address
    ld.shared.u32 %r1, [x+4];
    """)


def test_constant_memory_read_as_generic() -> None:
    check_lint("""
    .const .b32 x;
    ld.u32 %r1, [x];
    //          ^^^ state-space: `[x]` is in `.const`, expected a generic address
    """)
