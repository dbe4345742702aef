from tests.support.lint import check_declarations


def test_owner() -> None:
    check_declarations("""
    .func f() .maxntid 32 { ret; }
    //        ^^^^^^^^ misplaced-directive: `.maxntid` belongs to `.entry` only
    .entry k() .noreturn { ret; }
    //         ^^^^^^^^^ misplaced-directive: `.noreturn` belongs to `.func` only
    """)


def test_conflict() -> None:
    check_declarations("""
    .entry k() .maxntid 32 .reqntid 32 { ret; }
    //                     ^^^^^^^^ misplaced-directive: `.reqntid` cannot stand beside `.maxntid`
    """)


def test_arguments() -> None:
    check_declarations("""
    .entry k() .maxntid 1, 2, 3, 4 { ret; }
    //         ^^^^^^^^ misplaced-directive: `.maxntid` takes at most 3 numbers
    """)


def test_repetition_is_taken() -> None:
    check_declarations("""
    .entry k() .maxntid 32 .maxntid 32 { ret; }
    """)
