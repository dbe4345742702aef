from tests.support.lint import check_declarations, check_module


def test_several_results() -> None:
    check_declarations("""
    .func (.reg .b32 a, .reg .b32 b) f() { ret; }
    //                               ^ no-abi: `f` has several results
    .func (.reg .b32 a) g() { ret; }
    """)


def test_registers_of_the_module() -> None:
    check_module("""
    .version 2.3
    .target sm_20
    .reg .b32 r;
    //        ^ no-abi: `r` is a `.reg` variable of the module
    .local .b32 l;
    //          ^ no-abi: `l` is a `.local` variable of the module
    .shared .b32 s;
    .entry k() { .reg .b32 x; .local .b32 y; exit; }
    """)
