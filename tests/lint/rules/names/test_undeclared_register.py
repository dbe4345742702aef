from tests.support.lint import check_fix, check_lint


def test_beyond_its_range() -> None:
    check_lint("""
    mov.b32 %r10, %r9;
    //      ^^^^ undeclared-register: undeclared register `%r10`; `%r<10>` ends at `%r9`
    """)


def test_unknown() -> None:
    check_lint("""
    mov.b32 %total, 1;
    //      ^^^^^^ undeclared-register: undeclared register `%total`
    .reg .b32 %count;
    mov.b32 %cuont, 1;
    //      ^^^^^^ undeclared-register: undeclared register `%cuont`; did you mean `%count`?
    """)


def test_before_its_declaration() -> None:
    check_lint("""
    mov.b32 %late, 1;
    //      ^^^^^ undeclared-register: register `%late` is used before its declaration
    .reg .b32 %late;
    """)


def test_in_another_block() -> None:
    check_lint("""
    { .reg .b32 inner; mov.b32 inner, 1; }
    mov.b32 inner, 1;
    //      ^^^^^ undeclared-register: register `inner` is declared in another block
    """)


def test_special_register() -> None:
    check_lint("""
    mov.u32 %r1, %tidd.x;
    //           ^^^^^ undeclared-register: undeclared register `%tidd`; did you mean `%tid`?
    """)


def test_fix() -> None:
    check_fix("mov.u32 %r1, %tidd.x;\n", "mov.u32 %r1, %tid.x;\n")


def test_name_of_a_range() -> None:
    check_lint("""
    mov.b32 %r1, %r;
    //           ^^ undeclared-register: undeclared register `%r`; `%r<10>` declares `%r0` to `%r9`
    """)
