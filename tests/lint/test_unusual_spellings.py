"""Text that ptxas accepts although no manual shows it has no errors, and hides none."""

from tests.support.lint import check_declarations, check_lint, check_module


def test_the_warp_size_is_an_integer() -> None:
    check_module("""
    .version 9.4
    .target sm_90
    .address_size 64
    .file WARP_SZ "a.cu", WARP_SZ, WARP_SZ
    .visible .entry kernel(.param .align WARP_SZ .b8 p[WARP_SZ]) .maxntid WARP_SZ, 1
    {
        .reg .b32 a<4>, b<WARP_SZ>;
        .loc WARP_SZ WARP_SZ WARP_SZ
        mov.b32 b31, a3;
        mov.b32 b32, a3;
        //      ^^^ undeclared-register
        ret;
    }
    """)
    check_lint("""
    .reg .b32 a<WARP_SZ + 1>;
    //                  ^ syntax-error: expected `>`
    .reg .b32 c<-WARP_SZ>;
    //          ^ syntax-error: expected an integer
    .reg .b32 d<N>;
    //          ^ syntax-error: expected an integer
    .reg .b32 WARP_SZ;
    //        ^^^^^^^ reserved-name
    """)


def test_ranges_are_no_arrays() -> None:
    check_lint("""
    .shared .b32 a<4>[3];
    //               ^ syntax-error
    .shared .b32 b<4>;
    st.shared.b32 [b3], 1;
    """)


def test_parameters_have_no_initial_value() -> None:
    check_declarations("""
    .func f(.param .b32 a = 1);
    //                    ^ syntax-error
    """)


def test_definitions_of_macros_are_white_space() -> None:
    check_lint("""
    .DEFINE name nothing ; } of this is read
    mov.b32 %r0, .DEFINE other("
        1;
      .DEFINE 3
    //^^^^^^^ unknown-directive
    """)


def test_the_end_mark_of_dos_is_white_space() -> None:
    check_lint("mov.b32 \x1a %r0, 1;\n\x1a")


def test_metadata() -> None:
    check_declarations("""
    .metadata_section { .metadata 0 { "a", "b" } .metadata 1 { "c", .u32 4, "d" } }
    """)
    check_declarations("""
    .metadata_section
    {
        .metadata 2 { "a" }
    //                    ^ syntax-error
    }
    """)


def test_unified_behind_an_index() -> None:
    check_lint("""
    .shared .b32 table[4];
    mov.b32 %r0, table[1].unified;
    mov.b32 %r0, table[%r1] .unified;
    mov.b32 %r0, table[1].x;
    //           ^^^^^^^^^^ operand-kind: `table[1].x`: only `.unified`
    """)


def test_modifiers_that_are_spelled_as_names() -> None:
    check_lint("""
    add/**/.u$L1 %r0, %r1, 0;
    //     ^^^^^ syntax-error: `.u$L1`
    add/**/.u32 %r0, %r1, 0;
    """)


def test_text_is_ascii_outside_of_comments() -> None:
    check_lint("""
    /* größer */ mov.b32 %r0, 1; // größer
    .pragma "größer";
    //      ^^^^^^^^ syntax-error: `"größer"` outside of a comment
      # 1 "größer.cu"
    //^^^^^^^^^^^^^^^ foreign-line
    """)


def test_markers_stand_anywhere() -> None:
    check_lint("""
    { # 1 "a.cu"
    }# 2 "a.cu" 1
    mov.b32 %r0, # 3 "a.cu"
        1;
      # 4 "a.cu" // and more
    //^^^^^^^^^^^^^^^^^^^^^^ foreign-line
    """)


def test_brackets_in_brackets() -> None:
    check_lint("""
    .shared .b32 table[4];
    ld.shared.b32 %r0, [[table]];
    //                  ^^^^^^^ operand-kind
    ld.shared.b32 %r0, [(table)];
    //                  ^^^^^^^ operand-kind: `(table)`: only constants can be in parentheses
    ld.shared.b32 %r0, [table + ((1) + (2))];
    mov.b32 %r0, table[table[0]];
    //           ^^^^^^^^^^^^^^^ operand-kind
    mov.b32 %r0, table[((1) + 1)];
    mov.b32 %r0, table(1);
    //           ^^^^^^^^ operand-kind
    mov.b64 %rd0, {(1), ((2))};
    """)


def test_elements_apart() -> None:
    check_lint("""
    .reg .v2 .b32 v;
    mov.u32 %r0, %tid .x;
    mov.u32 %r0, %ctaid
        .y;
    mov.b32 v /* which */ .x, %r0;
    vadd.s32.u32.s32 %r0, %r1 .b1, %r2
    .h1;
    mov.u32 %r0, %tid .foo;
    //           ^^^^^^^^^ operand-kind
    mov.u32 %r0, %nosuch .x;
    //           ^^^^^^^ undeclared-register
    """)


def test_opcodes_on_several_lines() -> None:
    check_lint("""
    ld
    .param.b64 %rd0, [parameter];
    ld
    .param
    .b64 %rd0, // and so on
        [parameter];
    st
    .global .b32 [%rd0], %r0;
    cvta
    .shared.u64 %rd0, %rd1;
    ld
    .weak.global.b32 %r0, [%rd0];
    ld
    .weak.b32 %r0, [%rd0];
    ld
    //| syntax-error: missing `;`
    .shared .b32 x[4];
    """)


def test_prototypes_and_sections_on_several_lines() -> None:
    check_lint("""
    .reg .b64 t;
    p: .callprototype (.param .b32 _)
    _ (.param .b32 _);
    .param .b32 in, out;
    call (out), t, (in), p;
    """)
    check_declarations("""
    .section
    .nothing { }
    """)


def test_comments_in_lists() -> None:
    check_declarations("""
    .func f() { ret; }
    .func g(.reg .b32 a, .reg .b32 b) { ret; }
    .global .b32 sized[WARP_SZ /* lanes */];
    .func h()
    {
        .reg .b32 a;
        call f, (/* none */);
        call f, (
        );
        call g, (a, // , a
            a);
        call g, (a /*, a */);
        //      ^^^^^^^^^^^^ call-arguments
        ret;
    }
    """)


def test_numbers_of_directives_wrap() -> None:
    check_module("""
    .version 8.5
    .target sm_90
    .address_size 18446744073709551680
    .file 18446744073709551617 "a.cu"
    .visible .entry kernel()
    {
        .loc 1 18446744073709551617 1
        ret;
    }
    """)


def test_versions_are_counted_in_tens() -> None:
    for written, target in (
        ("8.10", "sm_110"),
        ("5.1", "sm_60"),
        ("3.20", "sm_50"),
        ("\f8.5", "sm_90"),
    ):
        check_module(f".version {written}\n.target {target}\n.address_size 64\n")
    check_module("""
    .version 8.9
    //       ^^^ unknown-version
    .target sm_90
    .address_size 64
    """)


def test_sums_over_lines() -> None:
    check_declarations("""
    .section .debug_info {
    a: b:
    .b32 a // and
    - b
    .b32 a
    .b8 1, 2
    }
    """)


def test_sections_share_their_labels() -> None:
    check_declarations("""
    .section .debug_info { a: .b8 0 }
    .section .debug_str { b: .b8 0
      a:
    //^ duplicate-label: `a`
    }
    """)


def test_components_are_no_vectors() -> None:
    check_lint("""
    .reg .v2 .b32 v;
    mov.v2.b32 v, {%r0, %r1};
    mov.v2.b32 v.x, {%r0, %r1};
    //         ^^^ vector-size: `v.x` is not a vector
    st.global.v2.b32 [%rd0], v.y;
    //                       ^^^ vector-size
    """)


def test_fractions_begin_a_token() -> None:
    check_lint("""
    mov.b32 %r0, 0x1.5;
    //              ^^ syntax-error: expected `,` or `;`, found `.5`
    add.s32 %.5;
    //      ^ syntax-error: expected an operand, found `%`
    pmevent /* */ .5;
    //            ^^ operand-type: `.5` has the wrong type
    """)
