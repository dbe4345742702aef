from tests.support.lint import check_declarations, check_module


def test_types() -> None:
    check_declarations("""
    .global .pred x;
    ^^^^^^^^^^^^^ invalid-declaration: predicate `x` is in `.global`, expected `.reg`
    .entry k() { .reg .v2 .pred p; .reg .v4 .b64 v; ret; }
    //                ^^^^^^^^^ invalid-declaration: `p` cannot be a vector of predicates
    //                                  ^^^^^^^^ invalid-declaration: vector `v` is wider than
    """)


def test_sizes() -> None:
    check_declarations("""
    .global .b32 x[];
    //            ^^ invalid-declaration: array `x` has no size, which is allowed only for `.extern`
    .global .b32 y[-1];
    //             ^^ invalid-declaration: the size of `y` is negative
    .global .b32 z[0];
    //            ^^^ invalid-declaration: array `z` has no size, which is allowed only for
    .extern .shared .b32 w[];
    .global .b32 v[] = {1, 2};
    .global .b32 u[0] = {1}, t[][2] = {{}};
    .global .b32 s[] = { };
    //            ^^ invalid-declaration: array `s` has no size, which is allowed only for `.extern`
    .global .b32 r[0] = {}, q[][3] = {};
    //            ^^^ invalid-declaration: array `r` has no size, which is allowed only for
    //                       ^^ invalid-declaration: array `q` has no size, which is allowed only
    .global .b32 p[], o = 1;
    //            ^^ invalid-declaration: array `p` has no size, which is allowed only for `.extern`
    """)


def test_alignment() -> None:
    check_declarations("""
    .global .align 3 .b32 x;
    //             ^ invalid-declaration: the alignment of `x` is 3, expected a power of two
    """)


def test_initial_values() -> None:
    check_declarations("""
    .shared .b32 x = 1;
    //             ^ invalid-declaration: `x` cannot have an initial value, because it is in
    .entry k() { .reg .b32 r = 1, s; ret; }
    //                       ^ invalid-declaration: `r` cannot have an initial value
    """)


def test_scope() -> None:
    check_declarations("""
    .reg .b32 x;
    //        ^ invalid-declaration: `.reg` variable `x` is declared outside of a function
    .local .b32 y;
    //          ^ invalid-declaration: `.local` variable `y` is declared outside of a function
    """)


def test_older_modules_have_registers() -> None:
    check_module("""
    .version 2.3
    .target sm_20
    .reg .b32 x;
    //        ^ no-abi: `x` is a `.reg` variable of the module
    """)


def test_functions() -> None:
    check_declarations("""
    .entry k(.reg .b32 x) { ret; }
    //       ^^^^ invalid-declaration: kernel parameter `x` is in `.reg`, expected `.param`
    .func (.param .b32 a, .param .b32 b) f() { ret; }
    //     ^^^^^^ invalid-declaration: `a` is not in `.reg`, but a function with several results
    .func (.reg .b32 a, .reg .b32 b) g() { ret; }
    //                               ^ no-abi: `g` has several results
    .entry l(.param .b8 x[]) { ret; }
    //                   ^^ invalid-declaration: kernel parameter `x` cannot be an array without a
    """)


def test_parameter_spaces() -> None:
    check_declarations("""
    .entry k(.const .u32 a) { ret; }
    //       ^^^^^^ invalid-declaration: kernel parameter `a` is in `.const`, expected `.param`
    .func f(.local .u32 a);
    //      ^^^^^^ invalid-declaration: parameter `a` is in `.local`, expected `.param` or `.reg`
    .func g(.param .u64 .ptr .global .align 4 a) { ret; }
    //                  ^^^^ invalid-declaration: `.ptr` is allowed only on kernel parameters
    .entry l(.param .u64 .ptr .global .align 4 a) { ret; }
    """)


def test_textures() -> None:
    check_declarations("""
    .global .texref t[3];
    .shared .texref s;
    ^^^^^^^^^^^^^^^ invalid-declaration: `.texref` variable `s` is in `.shared`, expected `.global`
    .global .v2 .surfref v;
    //      ^^^^^^^^^^^^ invalid-declaration: `v` cannot be a vector of `.surfref`
    .entry k(.param .texref p) { .global .samplerref l; ret; }
    //                                               ^ invalid-declaration: texture, sampler or
    .func f(.param .texref q) { ret; }
    //                     ^ invalid-declaration: texture, sampler or surface `q` must be declared
    """)


def test_arrays_of_textures_stand_anywhere() -> None:
    check_declarations("""
    .shared .texref s[2];
    .const .surfref c[2];
    .common .global .surfref g[2];
    .global .samplerref m[2];
    .func (.param .texref r[2]) f(.param .samplerref p[2]) { ret; }
    .func h(.param .texref p, .param .samplerref q);
    .entry k() { .shared .texref l[2]; ret; }
    //                           ^ invalid-declaration: texture, sampler or surface `l` must be
    """)


def test_textures_may_be_declared_twice() -> None:
    check_declarations("""
    .extern .global .texref t;
    .extern .global .texref t;
    //                      ^ unresolved-symbol
    """)


def test_linkage() -> None:
    check_declarations("""
    .common .shared .u32 c;
    ^^^^^^^ invalid-declaration: `c` is `.common`, which is allowed only for `.global` variables
    .extern .func f() { ret; }
    //            ^ invalid-declaration: `f` is `.extern` but has a body
    .entry k() { .extern .shared .u32 s[]; ret; }
    //           ^^^^^^^ invalid-declaration: `s` cannot be `.extern` inside a function
    .entry l(.param .v4 .u32 v) { ret; }
    //              ^^^ invalid-declaration: parameter `v` in `.param` cannot be a vector
    .entry m(.param .v4 .u32 v);
    """)


def test_initial_values_give_an_array_its_size() -> None:
    check_declarations("""
    .global .b8 bytes[0] = {1, 2};
    .global .b8 rows[0][2] = {{1, 2}, {2}};
    """)


def test_types_of_instructions() -> None:
    check_declarations("""
    .global .bf16 b;
    //      ^^^^^ invalid-declaration: `.bf16` is allowed only in instructions, not in declarations
    .entry k(.param .f16x2 p) { .reg .e4m3x2 %r1; .reg .f16x2 %r2; ret; }
    //              ^^^^^^ invalid-declaration: `p` has the type `.f16x2`, which is not allowed in
    //                               ^^^^^^^ invalid-declaration: `.e4m3x2` is allowed only in
    .entry l() { .reg .v8 .b8 %v; ret; }
    //                ^^^^^^^ invalid-declaration: `%v` is a vector of `.b8` with an
    """)


def test_spaces_and_names() -> None:
    check_declarations("""
    .surf .u32 s;
    ^^^^^ invalid-declaration: `s` is in `.surf`, where nothing can be declared
    .global .u32 %tid;
    //           ^^^^ invalid-declaration: `%tid` is a special register
    .global .u32 %envreg3;
    //           ^^^^^^^^ invalid-declaration: `%envreg3` is a special register
    .global .u32 %envreg32;
    .global .u32 a.x;
    //           ^^^ invalid-declaration: `a.x` contains a dot, which is not allowed in a name
    .global .samplerref t;
    //                  ^ invalid-declaration: sampler `t` needs `.target ..., texmode_independent`
    .common .func f();
    ^^^^^^^ invalid-declaration: `f` is `.common`, which is allowed only for `.global` variables
    """)


def test_alignments() -> None:
    check_declarations("""
    .global .align 020 .u32 a;
    .global .align WARP_SZ .u32 b;
    .global .align 4294967296 .u32 c;
    //             ^^^^^^^^^^ invalid-declaration: the alignment of `c` is not a power of two
    .global .align four .u32 d;
    //             ^^^^ invalid-declaration: the alignment of `d` is not a power of two
    .entry k(.param .u64 .ptr .global .align 16 p, .param .u64 .ptr .param q) { ret; }
    //                                                              ^^^^^^ invalid-declaration
    .entry l(.param .u64 .ptr .align 3 p) { ret; }
    //                        ^^^^^^^^ invalid-declaration: `.ptr` of `p` has an alignment that
    .entry m(.param .u64 .ptr .global .align 3 p) { ret; }
    //                                ^^^^^^^^ invalid-declaration: `.ptr` of `p` has an alignment
    """)


def test_dots_in_names_of_parameters() -> None:
    check_declarations("""
    .func (.reg .u32 r.x) f (.reg .u32 a, .reg .u32 b.align);
    //               ^^^ invalid-declaration: `r.x` contains a dot, which is not allowed in a name
    //                                              ^^^^^^^ invalid-declaration: `b.align` contains
    """)


def test_arrays_of_types_for_instructions() -> None:
    check_declarations("""
    .global .e4m3x2 a[2];
    .global .u16x2 b[2];
    .global .s2f6x2 c[2];
    //      ^^^^^^^ unsupported-target
    .func f(.param .f16x2 p[2]);
    .global .bf16x2 d[2];
    //      ^^^^^^^ invalid-declaration: `.bf16x2` is allowed only in instructions
    .global .u16x2 e;
    //      ^^^^^^ invalid-declaration: `.u16x2` is allowed only in instructions
    """)


def test_pointers_of_kernels_to_images_and_samplers() -> None:
    check_declarations("""
    .entry k(.param .u64 .ptr .texref image, .param .u64 .ptr .samplerref sampler) { ret; }
    .entry l(.param .u64 .ptr .surfref .align 16 image, .param .u32 .ptr.texref .align 4 b) { ret; }
    .entry m(.param .b64 .ptr .u32 image) { ret; }
    //                        ^^^^ invalid-declaration: the state space after `.ptr` of `image`
    .func f(.param .u64 .ptr .texref image);
    //                  ^^^^ invalid-declaration: `.ptr` is allowed only on kernel parameters
    """)


def test_only_parameters_of_kernels_have_an_alignment_after_the_type() -> None:
    check_declarations("""
    .entry k(.param .align 4 .u64 .align 8 x) { ret; }
    .func (.param .align 8 .u64 r) f(.param .u64 .align 8 x);
    //                                           ^^^^^^ invalid-declaration: `.align` comes after
    .func g() {
        p: .callprototype _ (.reg .u64 .align 8 x);
    //                                 ^^^^^^ invalid-declaration: `.align` comes after the type of
        q: .callprototype (.param .u64 .ptr y) _ (.param .texref z);
    //                                 ^^^^ invalid-declaration: `.ptr` is allowed only
    //                                                           ^ invalid-declaration: texture,
        ret;
    }
    """)


def test_a_kernel_has_no_list_of_results() -> None:
    check_declarations("""
    .entry () k() { ret; }
    //     ^^ invalid-declaration: a kernel cannot have a result
    """)
