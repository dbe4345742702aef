from tests.support.lint import check_declarations, check_lint


def test_register() -> None:
    check_lint("""
    .reg .b32 x;
    .reg .b32 x;
    //        ^ duplicate-declaration: register `x` is already declared
    """)


def test_range() -> None:
    check_lint("""
    .reg .b32 %r3;
    //        ^^^ duplicate-declaration: register `%r3` is already declared by `%r<10>`
    .reg .f32 %q<3>;
    .reg .f32 %q<4>;
    //        ^^ duplicate-declaration: register `%q<4>` is already declared by `%q<3>`
    """)


def test_inner_block_may() -> None:
    check_lint("""
    .reg .b32 x;
    { .reg .b32 x; }
    """)


def test_across_functions() -> None:
    check_declarations("""
    .func f() { ret; }
    .func f() { ret; }
    //    ^ duplicate-declaration: device function `f` is already declared
    """)


def test_prototype_may() -> None:
    check_declarations("""
    .func f();
    .func f() { ret; }
    """)


def test_range_over_a_parameter() -> None:
    check_declarations("""
    .entry k(.param .u64 p0) { .reg .pred p<2>; @p0 ret; ret; }
    """)


def test_parameter() -> None:
    check_declarations("""
    .entry k(.param .u32 a, .param .u32 a) { ret; }
    //                                  ^ duplicate-declaration: parameter `a` is already declared
    """)
