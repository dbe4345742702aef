from tests.support.lint import check_lint


def test_data_register() -> None:
    check_lint("""
    @%r1 ret;
     ^^^ guard-predicate: guard `%r1` is `.b32`, expected a `.pred` register
    @!%f1 ret;
    //^^^ guard-predicate: guard `%f1` is `.f32`, expected a `.pred` register
    @%p1 ret;
    """)


def test_missing_predicate() -> None:
    check_lint("""
    Done:
    @ bra Done;
    //^^^ guard-predicate: guard `bra` is an opcode, expected a `.pred` register
    """)
