"""Declarations of nothing, which ptxas takes, and what it does look at in them."""

from tests.support.lint import check_declarations, check_fix, check_lint


def test_types_alone() -> None:
    declared = """
    .b32;
    .v2 .b32;
    .align 4 .b32;
    .align 4 .attribute(.managed) .v4 .f16;
    .global .f32x2;
    .shared .align 8 /* of any version */ .e2m1x2 ;
    .reg .pred;
    .tex .u64;
    """
    check_lint(declared)
    check_declarations(declared)
    check_declarations("""
    .visible .b32;
    .extern .align 4 .v2 .f32;
    .weak
    .b32;
    .texref;
    .surfref;
    """)


def test_what_is_wrong_even_so() -> None:
    check_lint("""
      .bf16;
    //^^^^^ invalid-declaration: `.bf16` is allowed only in instructions
    .global .tf32;
    //      ^^^^^ invalid-declaration
      .v2 .e4m3;
    //    ^^^^^ invalid-declaration
      .v4 .b64;
    //^^^^^^^^ invalid-declaration: `.v4 .b64` is wider than 128 bits
      .v2 .pred;
    //^^^^^^^^^ invalid-declaration
    .align 3 .b32;
    //     ^ invalid-declaration: the alignment of `.align 3 .b32` is 3
      .generic .b32;
    //^^^^^^^^ invalid-declaration: where nothing can be declared
      .visible .b32;
    //^^^^^^^^ invalid-declaration: `.visible .b32` cannot be `.visible` inside a function
    .global .texref;
    //      ^^^^^^^ invalid-declaration
    """)


def test_names_without_a_state_space() -> None:
    check_lint("""
      .b32 %x;
    //^^^^ misplaced-directive: missing state space for `%x`, such as `.reg`
    .v2 .b32 %y;
    //  ^^^^ syntax-error: missing state space for `%y`, such as `.reg`
    """)
    check_lint("""
      .pred p;
    //^^^^^ misplaced-directive: missing state space for `p`, such as `.reg`
    """)
    check_lint("""
      .u32 sum;
    //^^^^ misplaced-directive: missing state space for `sum`, such as `.reg`
      .b32 next;
    //^^^^ syntax-error: missing state space for `next`, such as `.reg`
    """)
    check_declarations("""
    .visible .align 4 .b32 table[4];
    //                ^^^^ syntax-error: missing state space for `table`, such as `.global`
    """)
    check_fix(".align 8 .v2 .b32 %x;\n", ".align 8 .reg .v2 .b32 %x;\n")
