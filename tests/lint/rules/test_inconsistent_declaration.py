from tests.support.lint import check_declarations


def test_parameters() -> None:
    check_declarations("""
    .func f(.param .b32 a);
    .func f(.param .b64 a) { ret; }
    //    ^ inconsistent-declaration: `f` was declared with other types before
    .func g(.param .b32 a);
    .func g() { ret; }
    //    ^ inconsistent-declaration: `g` was declared with another number of parameters or results
    """)


def test_extern() -> None:
    check_declarations("""
    .extern .func f();
    .func f() { ret; }
    //    ^ inconsistent-declaration: `f` is declared .extern before, so the module cannot define it
    .extern .global .b32 x;
    .global .b32 x;
    //           ^ inconsistent-declaration: `x` is declared .extern before, so its definition has
    .extern .global .b32 y[];
    .visible .global .b32 y[4];
    """)


def test_names_of_parameters_may_differ() -> None:
    check_declarations("""
    .func f(.param .b32 a);
    .func f(.param .b32 b) { ret; }
    """)
