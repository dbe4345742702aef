from tests.support.lint import check_lint


def test_too_few() -> None:
    check_lint("""
    add.s32 %r1, %r2;
    ^^^^^^^ operand-count: `add.s32` takes 3 operands, found 2: `add{.sat}.type d, a, b`
    """)


def test_too_many() -> None:
    check_lint("""
    ret %r1;
    ^^^ operand-count: `ret` takes no operands, found 1: `ret{.uni}`
    """)


def test_none() -> None:
    check_lint("""
    mov.b32;
    ^^^^^^^ operand-count: `mov.b32` takes 2 operands, found 0: `mov.type d, a`
    """)
