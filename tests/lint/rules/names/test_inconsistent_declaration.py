from tests.support.lint import check_declarations


def test_parameters() -> None:
    check_declarations("""
    .func f(.param .b32 a);
    .func f(.param .b64 a) { ret; }
    //                  ^ inconsistent-declaration: `a` is `.b64`, expected `.b32` as in the first
    .func g(.param .b32 a);
    .func g() { ret; }
    //    ^ inconsistent-declaration: `g` has 0 parameters and 0 results, expected 1 parameter and 0
    """)


def test_extern() -> None:
    check_declarations("""
    .extern .func f();
    .func f() { ret; }
    //    ^ inconsistent-declaration: `f` was previously declared `.extern`, so the module cannot
    .extern .global .b32 x;
    .global .b32 x;
    //           ^ inconsistent-declaration: `x` was previously declared `.extern`, so its
    .extern .global .b32 y[];
    .visible .global .b32 y[4];
    """)


def test_names_of_parameters_may_differ() -> None:
    check_declarations("""
    .func f(.param .b32 a);
    .func f(.param .b32 b) { ret; }
    """)


def test_linkage_of_functions() -> None:
    check_declarations("""
    .visible .func f();
    .func f();
    .visible .func f() { ret; }
    .func g();
    .visible .func g() { ret; }
    //             ^ inconsistent-declaration: `g` was previously declared without a linkage
    .weak .entry h();
    .visible .entry h() { ret; }
    //              ^ inconsistent-declaration: `h` was previously declared `.weak`, so it cannot
    .extern .func e();
    .func e();
    //    ^ inconsistent-declaration: `e` was previously declared `.extern`, expected the same
    """)


def test_after_the_body() -> None:
    check_declarations("""
    .visible .func f() { ret; }
    .visible .func f();
    //             ^ duplicate-declaration: device function `f` is already declared
    .func g() { ret; }
    .func f();
    //    ^ duplicate-declaration: device function `f` is already declared
    """)


def test_sizes() -> None:
    check_declarations("""
    .extern .global .b32 x[];
    .visible .global .b32 x[4];
    .extern .global .b32 y[4];
    .visible .global .b32 y[5];
    //                    ^ inconsistent-declaration: `y` is `.b32[5]`, expected `.b32[4]`
    .extern .global .b32 z;
    .visible .const .b32 z;
    """)


def test_returning() -> None:
    check_declarations("""
    .func f() .noreturn;
    .func f() { ret; }
    //    ^ inconsistent-declaration: `f` was previously declared with `.noreturn`
    """)


def test_alignment_below_the_natural_one() -> None:
    check_declarations("""
    .func f(.param .align 2 .b32 a);
    .func f(.param .b32 a) { ret; }
    .func g(.param .align 8 .b32 a);
    .func g(.param .b32 a) { ret; }
    //                  ^ inconsistent-declaration: `a` is aligned to 4 bytes, expected 8 bytes
    """)
