from tests.support.lint import check_declarations


def test_functions() -> None:
    check_declarations("""
    .extern .func used();
    .extern .func used();
    //            ^^^^ unresolved-symbol: device function `used` is not defined in this module
    .extern .func unused();
    .func later();
    .func never();
    //    ^^^^^ unresolved-symbol
    .entry k() { call used; call later; call never; ret; }
    .func later() { ret; }
    """)


def test_functions_that_ptxas_has() -> None:
    check_declarations("""
    .extern .func (.param .b32 r) vprintf(.param .b64 format, .param .b64 values);
    .extern .func free(.param .b64 memory);
    .extern .func __cuda_syscall_trap();
    .entry k() { .param .b64 p; call free, (p); call __cuda_syscall_trap; ret; }
    """)


def test_aliases_have_a_body() -> None:
    check_declarations("""
    .func f() { ret; }
    .func g();
    .alias g, f;
    """)


def test_variables() -> None:
    check_declarations("""
    .extern .global .b32 v;
    //                   ^ unresolved-symbol: variable `v` is not defined
    .extern .const .b32 w[];
    //                  ^ unresolved-symbol
    .extern .shared .b8 dynamic[];
    .extern .shared .b8 fixed[8];
    //                  ^^^^^ unresolved-symbol
    .extern .global .b32 x;
    .visible .global .b32 x;
    """)
