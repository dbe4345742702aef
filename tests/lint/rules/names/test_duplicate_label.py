from tests.support.lint import check_lint


def test_same_block() -> None:
    check_lint("""
    L:
    L:
    ^ duplicate-label: label `L` is already declared
    bra L;
    """)


def test_inner_block_may() -> None:
    check_lint("""
    L:
    { L: bra L; }
    """)


def test_name_of_a_register() -> None:
    check_lint("""
    .reg .b32 x;
    x:
    ^ duplicate-label: `x` is already declared as a register
    """)
