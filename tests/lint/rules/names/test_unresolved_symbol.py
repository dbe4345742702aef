from ptx_ls.source import Severity
from tests.support.lint import check_declarations, diagnostics


def test_functions() -> None:
    check_declarations("""
    .extern .func used();
    .extern .func used();
    //            ^^^^ unresolved-symbol: device function `used` and 1 other symbol are not defined
    .extern .func unused();
    .func later();
    .func never();
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
    //                   ^ unresolved-symbol: variable `v` and 2 other symbols are not defined
    .extern .const .b32 w[];
    .extern .shared .b8 dynamic[];
    .extern .shared .b8 fixed[8];
    .extern .global .b32 x;
    .visible .global .b32 x;
    """)


def test_once_a_module_for_information() -> None:
    functions = "".join(
        f".extern .func f{number}();\n.entry k{number}() {{ call f{number}; ret; }}\n"
        for number in range(50)
    )
    (found,) = diagnostics(f".version 8.0\n.target sm_90\n.address_size 64\n{functions}")
    assert (found.rule, found.severity) == ("unresolved-symbol", Severity.INFORMATION)
    assert "device function `f0` and 49 other symbols are not defined" in found.message


def test_the_first_one_in_the_order_of_the_text() -> None:
    check_declarations("""
    .func later();
    .entry k() { ret; }
    .extern .func first();
    //            ^^^^^ unresolved-symbol: device function `first` is not defined in this module
    .entry l() { call later; call first; ret; }
    .func later() { ret; }
    """)
