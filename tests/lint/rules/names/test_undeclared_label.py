from tests.support.lint import check_fix, check_lint


def test_near_one_is_proposed() -> None:
    check_lint("""
    LOOP:
    bra LOPO;
    //  ^^^^ undeclared-label: undeclared label `LOPO`; did you mean `LOOP`?
    """)


def test_in_an_inner_block() -> None:
    check_lint("""
    bra inner;
    //  ^^^^^ undeclared-label: label `inner` is declared in another block
    { inner: }
    """)


def test_from_an_inner_block() -> None:
    check_lint("""
    { bra outer; }
    outer:
    """)


def test_branch_targets() -> None:
    check_lint("""
    list: .branchtargets gone;
    //                   ^^^^ undeclared-label: undeclared label `gone`
    brx.idx %r1, list;
    """)


def test_register() -> None:
    check_lint("""
    bra %r1;
    //  ^^^ operand-kind: `%r1` is a register, expected a label
    """)


def test_fix() -> None:
    check_fix("LOOP:\nbra LOPO;\n", "LOOP:\nbra LOOP;\n")


def test_names_before_their_colon() -> None:
    check_lint("""
    \x1aone:
    bra one;
    two
    # 1 "kernel.cu"
    : bra two;
    three // here
    : bra three;
    """)
