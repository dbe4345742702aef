from tests.support.lint import check_declarations, check_module


def test_open_arrays() -> None:
    check_declarations("""
    .extern .func f(.param .b32 n, .param .b8 rest[]);
    .func g(.param .b8 rest[], .param .b32 n);
    //                 ^^^^ function-signature: array `rest` has no size, which is allowed only for
    .func (.param .b8 all[]) h() { ret; }
    //                ^^^ function-signature: result `all` cannot be an array without a size
    .func i(.reg .b8 rest[]);
    //               ^^^^ function-signature: array `rest` without a size is in `.reg`, expected
    """)


def test_names_and_shapes() -> None:
    check_declarations("""
    .func f(.param .b32 _) { ret; }
    //                  ^ function-signature: `_` cannot name a parameter, except in a prototype
    .entry k(.param .b32 _) { ret; }
    .func g(.reg .b32 a<3>);
    //                ^ function-signature: parameter `a` is a range of registers, expected a single
    .entry l(.param .b8 a[2][2]) { ret; }
    //                  ^ function-signature: parameter `a` has several dimensions, expected one
    """)


def test_alignment() -> None:
    check_declarations("""
    .func f(.param .align 128 .b8 a[4]) { ret; }
    .func g(.param .align 256 .b8 a[4]);
    .entry k(.param .align 256 .b8 a[4]) { ret; }
    .func h(.param .align 256 .b8 a[4]) { ret; }
    //                            ^ function-signature: `a` is aligned to 256 bytes, expected at
    .entry l() {
    .param .align 256 .b8 a[4];
    //                    ^ function-signature: `a` is aligned to 256 bytes, expected at most 128
    }
    """)


def test_prototypes() -> None:
    check_declarations("""
    .entry k() {
    a: .callprototype (.param .b32 _) _ (.param .b32 _, .param .b8 _[]);
    b: .callprototype _ (.global .b32 _);
    //                                ^ function-signature: parameter `_` is in `.global`, expected
    c: .callprototype (.reg .b32 _, .param .b32 _) _ ();
    //                                          ^ function-signature: `_` is not in `.reg`
    d: .callprototype _ (.param .align 3 .b8 _[4]);
    //                                       ^ function-signature: the alignment of `_` is 3
    }
    """)


def test_before_functions_had_parameters_in_memory() -> None:
    check_module("""
    .version 1.4
    .target sm_13
    .entry k(.param .u32 a) {
    .param .u32 b;
    //          ^ function-signature: `b` is in `.param`, but before
    }
    """)
    check_module("""
    .version 2.0
    .target sm_11
    .func f(.param .u32 a) { ret; }
    //                  ^ function-signature: `a` is in `.param`, but before
    .func g() {
    .param .u32 b;
    }
    """)
    check_module("""
    .version 1.3
    .target sm_10
    .entry k {
    .param .u32 a;
    exit;
    }
    """)


def test_kernels_before_they_had_lists_and_prototypes() -> None:
    check_module("""
    .version 1.3
    .target sm_10
    .entry k(.param .u32 a, .param .u32 b) { exit; }
    //                   ^ function-signature: `a` is in the parameter list of a kernel
    .entry l() { exit; }
    """)
    check_module("""
    .version 2.3
    .target sm_20
    .extern .entry k(.param .u32 a);
    //             ^ function-signature: a declaration of kernel `k` without a body needs PTX
    .entry l(.param .u32 a) { exit; }
    """)
    check_module("""
    .version 3.0
    .target sm_20
    .entry k(.param .u32 a);
    .entry k(.param .u32 a) { exit; }
    """)
