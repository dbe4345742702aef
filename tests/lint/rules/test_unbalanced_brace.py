from tests.support.lint import check_declarations


def test_never_closed() -> None:
    check_declarations("""
    .entry k() {
    //         ^ unbalanced-brace: `{` is never closed
    ret;
    """)


def test_closes_nothing() -> None:
    check_declarations("""
    .entry k() { ret; }
    }
    ^ unbalanced-brace: `}` closes nothing
    """)


def test_other_functions_are_spared() -> None:
    check_declarations("""
    .entry k() { {
    //         ^ unbalanced-brace: `{` is never closed
    ret; }
    .entry l() { ret; }
    """)
