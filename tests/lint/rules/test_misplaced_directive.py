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


def test_numbers() -> None:
    check_declarations("""
    .entry k() .maxnreg { ret; }
    //         ^^^^^^^^ misplaced-directive: `.maxnreg` takes a number
    .entry l() .maxntid { ret; }
    //         ^^^^^^^^ misplaced-directive: `.maxntid` takes one to 3 numbers
    .entry m() .maxntid 1, 0 { ret; }
    //         ^^^^^^^^ misplaced-directive: the numbers of `.maxntid` are 1 or more
    .entry n() .maxclusterrank 4294967296 { ret; }
    //         ^^^^^^^^^^^^^^^ misplaced-directive: a number of `.maxclusterrank` needs more
    .entry o() .explicitcluster 3 { ret; }
    //         ^^^^^^^^^^^^^^^^ misplaced-directive: `.explicitcluster` takes no number
    .entry p() .maxnreg 32, 3 { ret; }
    //         ^^^^^^^^ misplaced-directive: `.maxnreg` takes at most one number
    .entry q() .maxnreg 0x20 .maxclusterrank 0 { ret; }
    .entry r() .maxntid 32U, 1, 1 .minnctapersm 1 { ret; }
    """)


def test_body() -> None:
    check_declarations("""
    .func f()
    .entry k();
    .entry l()
    //        | misplaced-directive: missing `{` or `;` behind the head of a kernel
    .entry m() { ret; }
    """)


def test_scope() -> None:
    check_declarations("""
    .pragma "nounroll";
    .file 1 "a.cu"
    .entry k()
    {
        .file 2 "b.cu"
    //  ^^^^^ misplaced-directive: `.file` stands outside of functions only
        ret;
    }
    p: .callprototype _ ();
    // ^^^^^^^^^^^^^^ misplaced-directive: `.callprototype` stands in the body of a function only
    """)
