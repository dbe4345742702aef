from tests.support.lint import check_declarations, check_fix, check_lint, check_module


def test_near_one_is_proposed() -> None:
    check_lint("""
    .shared .b32 buffer;
    ld.shared.u32 %r1, [bufer];
    //                  ^^^^^ undeclared-symbol: undeclared symbol `bufer`; did you mean `buffer`?
    """)


def test_function() -> None:
    check_lint("""
    call missing;
    //   ^^^^^^^ undeclared-symbol: undeclared function `missing`
    """)


def test_declared_further_down() -> None:
    check_module("""
    .version 8.0
    .target sm_90
    .address_size 64
    .entry k() { call f; ret; }
    //                ^ undeclared-symbol: `f` is used before its declaration
    .func f() { ret; }
    """)


def test_alias() -> None:
    check_declarations("""
    .func f() { ret; }
    .alias g, f;
    //     ^ undeclared-symbol: undeclared symbol `g`
    """)


def test_initial_value() -> None:
    check_declarations("""
    .global .u64 x = y;
    //               ^ undeclared-symbol: undeclared symbol `y`
    """)


def test_fix() -> None:
    check_fix(
        ".shared .b32 buffer;\nld.shared.u32 %r1, [bufer];\n",
        ".shared .b32 buffer;\nld.shared.u32 %r1, [buffer];\n",
    )


def test_declared_twice_before_its_definition() -> None:
    check_declarations("""
    .extern .global .u32 first;
    .global .u64 one = first;
    .visible .global .u32 first = 1;
    .func f();
    .global .u64 two = f;
    .func f();
    .func f() { ret; }
    """)


def test_names_of_cuda() -> None:
    check_lint("""
    mov.u32 %r1, threadIdx.x;
    //           ^^^^^^^^^ undeclared-symbol: undeclared symbol `threadIdx`; did you mean `%tid`?
    mov.u32 %r1, %blockDim.x;
    //           ^^^^^^^^^ undeclared-register: undeclared register `%blockDim`; did you mean `%n
    mov.u32 %r1, warpSize;
    //           ^^^^^^^^ undeclared-symbol: undeclared symbol `warpSize`; did you mean `WARP_SZ`?
    """)
