from tests.support.lint import check_declarations, check_module


def test_counts() -> None:
    check_declarations("""
    .func (.param .b32 r) f(.param .b32 a) { ret; }
    .entry k() {
    .param .b32 p;
    .param .b64 q;
    call (p), f, (p);
    call f, (p);
    //   ^ call-arguments: `f` returns 1 result, found 0
    call (p), f;
    //        ^ call-arguments: `f` takes 1 argument, found 0
    call (p), f, (p, p);
    //               ^ call-arguments: `f` takes 1 argument, found 2
    call (_), f, (5);
    }
    """)


def test_sizes() -> None:
    check_declarations("""
    .func f(.param .b32 a) { ret; }
    .entry k() {
    .param .b32 p;
    .param .b64 q;
    .param .f32 s;
    call f, (p);
    call f, (s);
    call f, (q);
    //       ^ call-arguments: `q` has 8 bytes, expected 4 for parameter `a`
    }
    """)


def test_over_lines() -> None:
    check_declarations("""
    .func f(.param .b32 a) { ret; }
    .entry k() {
    .param .b64 q;
    call.uni
     f, (
     ^^^^... call-arguments: `q` has 8 bytes, expected 4 for parameter `a`
     q
     );
    }
    """)


def test_types() -> None:
    check_declarations("""
    .global .u32 gv;
    .func f(.param .f32 a) { ret; }
    .func g(.reg .pred a) { ret; }
    .func h(.reg .f16x2 a) { ret; }
    .entry k(.param .f32 own) {
    .param .f32 s;
    .param .b32 b;
    .param .u32 u;
    .reg .pred p;
    .reg .u32 r;
    call f, (s);
    call f, (b);
    call f, (1.0);
    call f, (u);
    //       ^ call-arguments: `u` is `.u32`, expected `.f32` for parameter `a`
    call f, (1);
    //       ^ call-arguments: `1` is an integer constant, expected `.f32` for parameter `a`
    call f, (gv);
    //       ^^ call-arguments: `gv` is in `.global`, expected a register or a `.param` variable
    call f, (own);
    //       ^^^ call-arguments: `own` is a parameter of the caller, expected a copy of its value
    call f, (_);
    //       ^ call-arguments: `_` discards a result, expected an argument for parameter `a`
    call f, (f);
    //       ^ call-arguments: `f` is a device function, expected a register or a `.param` variable
    call f, (%pm0);
    //       ^^^^ call-arguments: `%pm0` is a special register, expected a register or
    call g, (p);
    //       ^ call-arguments: predicate `p` is passed for parameter `a` of the called function
    call g, (r);
    //       ^ call-arguments: `r` is `.u32`, expected `.pred` for parameter `a`
    call h, (p);
    call h, (r);
    }
    """)


def test_arrays() -> None:
    check_declarations("""
    .func f(.param .align 8 .b8 a[8]) { ret; }
    .entry k() {
    .param .align 8 .b8 same[8];
    .param .align 8 .u16 half[4];
    .param .align 4 .b8 loose[8];
    .param .align 8 .b8 long[16];
    .param .b64 whole;
    .reg .b64 r;
    call f, (same);
    call f, (half);
    call f, (loose);
    //       ^^^^^ call-arguments: `loose` is aligned to 4 bytes, expected 8 for parameter `a`
    call f, (long);
    //       ^^^^ call-arguments: `long` has 16 bytes, expected 8 for parameter `a`
    call f, (whole);
    //       ^^^^^ call-arguments: `whole` is `.b64`, expected `.align 8 .b8[8]` for parameter `a`
    call f, (r);
    //       ^ call-arguments: `r` is `.b64`, expected `.align 8 .b8[8]` for parameter `a`
    call f, (1);
    //       ^ call-arguments: `1` is a constant, expected `.align 8 .b8[8]` for parameter `a`
    }
    """)


def test_open_array() -> None:
    check_declarations("""
    .func f(.param .b32 n, .param .align 4 .b8 rest[]) { ret; }
    .entry k() {
    .param .align 4 .b8 any[12];
    .param .align 8 .b8 aligned[8];
    call f, (1, any);
    call f, (1);
    call f, ();
    //      ^^ call-arguments: `f` takes at least 1 argument, found 0
    call f;
    //   ^ call-arguments: `f` takes 2 arguments, found 0
    call f, (1, aligned);
    //          ^^^^^^^ call-arguments: is aligned to 8 bytes, expected 4 for parameter `rest`
    }
    """)


def test_indirect() -> None:
    check_declarations("""
    .func one(.param .b32 a) { ret; }
    .func two(.param .b32 a, .param .b32 b) { ret; }
    .global .u64 table[2] = {one, one};
    .global .u64 empty[2];
    .entry k() {
    .reg .b64 c;
    .reg .b32 r;
    .reg .f32 s;
    P: .callprototype (.param .s32 _) _ (.param .b32 _);
    T: .calltargets one, two;
    call (r), c, (r), P;
    call (s), c, (r), P;
    //    ^ call-arguments: `s` is `.f32`, expected `.s32` for this parameter
    call (r), c, P;
    //        ^ call-arguments: `P` takes 1 argument, found 0
    call c, (r), T;
    //      ^^^ call-arguments: `two` takes 2 arguments, found 1
    call c, (r), table;
    call c, (r, r), table;
    //          ^ call-arguments: `one` takes 1 argument, found 2
    call c, (r), empty;
    //           ^^^^^ call-arguments: `empty` is not an array of functions
    }
    """)


def test_predicates_are_refused_when_code_is_made() -> None:
    check_module("""
    .version 8.0
    .target sm_90
    .address_size 64
    .func (.reg .pred r) f(.reg .pred a) { ret; }
    .entry k() {
    .reg .pred %p<3>;
    call (%p1), f, (%p2);
          ^^^ call-arguments: predicate `%p1` is passed for parameter `r`
                    ^^^ call-arguments: predicate `%p2`
    ret; }
    """)


def test_predicates_pass_without_a_calling_convention() -> None:
    check_module("""
    .version 8.0
    .target sm_90
    .address_size 64
    .func (.reg .pred r, .reg .pred s) f() { ret; }
                                       ^ no-abi
    .entry k() {
    .reg .pred %p<3>;
    call (%p1, %p2), f;
    ret; }
    """)
