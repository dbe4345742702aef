import pytest

from tests.support.lint import (
    check_declarations,
    check_fix,
    check_lint,
    check_module,
    diagnostics,
    module,
)


def test_missing_semicolon() -> None:
    check_lint("""
    add.s32 %r1, %r2, %r3
    //                   | syntax-error: missing `;`
    ret;
    """)


def test_missing_comma() -> None:
    check_lint("""
    add.s32 %r1, %r2 %r3;
    //               ^^^ syntax-error: expected `,` or `;`, found `%r3`
    """)


def test_missing_operand() -> None:
    check_lint("""
    add.s32 %r1, , %r3;
    //           ^ syntax-error: expected an operand, found `,`
    """)


def test_unclosed_bracket() -> None:
    check_lint("""
    ld.global.u32 %r1, [%rd1;
    //                      ^ syntax-error: expected `]`, found `;`
    """)


def test_every_error_is_reported() -> None:
    check_lint("""
    add.s32 %r1, %r2,;
    //               ^ syntax-error: expected an operand, found `;`
    add.s32 %r1 = %r2;
    //          ^ syntax-error: expected `,` or `;`, found `=`
    add.s32 %r1, %r2, 1;
    """)


def test_backslash() -> None:
    check_lint("""
    \\mov.b32 %r1, %r2;
    @%p1 \\ mov.b32 %r1, %r2; L: \\
    ret;
    \\mov.b32 %r1, %p1;
    //            ^^^ operand-type: `%p1` has type `.pred`
    mov.b32 \\ %r1, %r2;
    //      ^ syntax-error: expected an operand, found `\\`
    \\\\ret;
    ^ syntax-error: expected a statement, found `\\`
    \\{ ret; }
    ^ syntax-error: expected a statement, found `\\`
    \\.reg .b32 %x;
    ^ syntax-error: expected a statement, found `\\`
    \\@%p1 ret;
    ^ syntax-error: expected a statement, found `\\`
    """)


def test_empty_statement() -> None:
    check_lint("""
    ret;;
    //  ^ syntax-error: empty statement
    """)


def test_malformed_numbers() -> None:
    check_lint("""
    mov.b32 %r1, 0x;
    //           ^^ syntax-error: malformed number `0x`: expected hexadecimal digits after `0x`
    mov.b32 %r1, 0b12;
    //           ^^^^ syntax-error: malformed number `0b12`: expected the digits 0 and 1 after `0b`
    mov.f32 %f1, 0f3f80;
    //           ^^^^^^ syntax-error: malformed number `0f3f80`: a `0f` literal has eight
    mov.f64 %fd1, 0d3f80;
    //            ^^^^^^ syntax-error: malformed number `0d3f80`: a `0d` literal has sixteen
    mov.b32 %r1, 5L;
    //           ^^ syntax-error: malformed number `5L`: the only suffix of a number is `U`
    mov.f32 %f1, 1.0f;
    //           ^^^^ syntax-error: malformed number `1.0f`: a floating-point number has no suffix
    mov.b32 %r1, 019;
    //           ^^^ syntax-error: malformed number `019`: a number that begins with 0 is octal
    """)


def test_types_of_other_languages() -> None:
    check_lint("""
    .reg .int32 %x;
    //   ^^^^^^ syntax-error: unknown type `.int32`; did you mean `.s32`?
    .reg .float %y;
    //   ^^^^^^ syntax-error: unknown type `.float`; did you mean `.f32`?
    ld.global.float %f1, [%rd1];
    //       ^^^^^^ unknown-modifier: `ld` has no modifier `.float`; did you mean `.f32`?
    """)


def test_numbers_in_a_long_list() -> None:
    values = "0, 07, " * 40
    check_module(f"""
    .version 8.0
    .target sm_90
    .address_size 64
    .global .b8 a[100] = {{{values}0}};
    .global .b8 b[100] = {{09, {values}0}};
    //                    ^^ syntax-error: malformed number `09`
    .global .f64 c[100] = {{{"0d0000000000000000, " * 40}0d000000000000000}};
    //                     {" " * 20 * 40}^^^^^^^^^^^^^^^^^ syntax-error: malformed number
    """)


def test_unclosed_string() -> None:
    check_lint("""
    .pragma "nounroll;
    //      ^^^^^^^^^^ syntax-error: string is not closed
    """)


def test_what_is_never_closed() -> None:
    check_module("""
    .version 9.4
    .target sm_100
    .global .u32 a, // see /* there
      b; /*/ 1
    //   ^^ syntax-error: comment is not closed
    """)
    check_module("""
    .version 9.4
    .target sm_100
      .source_begin
    //^^^^^^^^^^^^^ syntax-error: `.source_begin` without `.source_end`
    """)


def test_guard_without_an_opcode() -> None:
    check_lint("""
    @%p1 %r1;
    //   ^^^ syntax-error: expected an opcode, found `%r1`
    @5 ret;
     ^ syntax-error: expected a predicate register, found `5`
    @%p1 { ret; }
    //   ^ syntax-error: expected an opcode, found `{`
    @!%p1
    //   | syntax-error: incomplete statement, expected an opcode
    {
    ret;
    }
    """)


def test_unknown_type() -> None:
    check_declarations("""
    .global .i32 x;
    //      ^^^^ syntax-error: unknown type `.i32`
    """)


def test_letters_outside_of_ascii() -> None:
    check_lint("""
    mov.b32 %r1, é;
    //           ^ syntax-error: `é` outside of a comment: PTX code is ASCII
    """)


def test_fix() -> None:
    check_fix("add.s32 %r1, %r2, %r3\n", "add.s32 %r1, %r2, %r3;\n")


def test_fix_2() -> None:
    check_fix("ret;;\n", "ret;\n")


def test_integers() -> None:
    check_declarations("""
    .global .align 1.5 .b8 x;
    //             ^^^ syntax-error: expected a name or an integer, found `1.5`
    .global .b8 y[0f3F800000];
    //            ^^^^^^^^^^ syntax-error: expected a name, an integer or `]`, found `0f3F800000`
    .global .b8 z[2+2];
    //             ^ syntax-error: expected `]`, found `+`
    .file 1.5 "a"
    //    ^^^ syntax-error: expected an integer, found `1.5`
    .file 1 "a", 0x10, 4U
    .global .b8 w[WARP_SZ];
    """)
    check_lint("""
    .loc 1 1.5 1
    //     ^^^ syntax-error: expected an integer, found `1.5`
    """)


def test_data_of_sections() -> None:
    check_declarations("""
    .section .debug_str
    {
    a:
        .b8 1, -1, 0x7f
        .b32 .debug_str+4
    b:
        .b64 b-a
        .b64 a+4, 1
    //          ^ syntax-error: unexpected `,`
        .b32 1, a
    //          ^ syntax-error: expected an integer, found `a`
        .b8 1.5
    //      ^^^ syntax-error: expected a name or an integer, found `1.5`
        .b64 b+a
    //         ^ syntax-error: expected an integer, found `a`
        .b8 1+2
    //       ^ syntax-error: expected `,`, found `+`
    }
    """)


def test_no_comma_at_the_end() -> None:
    check_declarations("""
    .global .u32 x[2] = {1, 2,};
    //                        ^ syntax-error: expected an operand, found `}`
    """)
    check_lint("""
    mov.b64 %rd1, {%r1, %r2,};
    //                      ^ syntax-error: expected an operand, found `}`
    """)


def test_lines_of_dwarf() -> None:
    check_declarations("""
      @@DWARF_q .byte 0x2b
    // ^ syntax-error: expected a predicate register, found `@`
    """)


def test_number_out_of_range() -> None:
    check_lint("""
    mov.u64 %rd1, 99999999999999999999;
    //            ^^^^^^^^^^^^^^^^^^^^ syntax-error: `99999999999999999999` is out of range
    add.f64 %fd1, %fd2, 1e999;
    //                  ^^^^^ syntax-error: `1e999` is out of range
    mov.u64 %rd1, 0x80000000000000000;
    //            ^^^^^^^^^^^^^^^^^^^ syntax-error: `0x80000000000000000` is out of range
    mov.u64 %rd1, 18446744073709551616;
    mov.u64 %rd1, 0x1ffffffffffffffff;
    """)


@pytest.mark.parametrize(
    "statement",
    [
        ".global .align {} .b8 x[4];",
        ".extern .shared .b8 x[{}];",
        ".entry k(.param .align {} .b8 x[4]) {{ ret; }}",
        ".entry k(.param .b8 x[{}]) {{ ret; }}",
        ".entry k(.param .u64 .ptr .global .align {} x) {{ ret; }}",
        ".func (.reg .align {} .b32 r) f() {{ ret; }}",
        ".entry k() .maxntid 32, {} {{ ret; }}",
    ],
)
def test_a_number_in_a_declaration_is_out_of_range(statement: str) -> None:
    huge = "9" * 23
    (found,) = diagnostics(f".version 8.0\n.target sm_90\n{statement.format(huge)}\n")
    assert found.message.startswith(f"`{huge}` is out of range")


def test_statement_cut_short() -> None:
    check_declarations("""
    .func f(.param .b32 a,
    //                    | syntax-error: incomplete statement, expected a state space
        .visible .func g();
    """)


def test_directives_behind_a_target() -> None:
    check_module("""
    .version 8.0
    .target sm_90, texmode_unified.address_size 64
    .entry k() { ret; }
    """)


def test_line_markers_within_a_statement() -> None:
    check_lint("""
    add.s32 %r1,
    # 7 "a.cu"
        %r2, %r3;
    """)


def test_location_over_lines() -> None:
    check_module("""
    .version 8.0
    .target sm_90
    .address_size 64
    .file 1 "a.cu"
    .entry k() {
    .loc 1 1 1
    .loc 1 2 3, function_name
    name, inlined_at 1 1
    1
    ret;
    }
    .section .debug_str { name: .b8 97, 0 }
    """)


def test_vertical_tab() -> None:
    check_lint("""
    add.s32 %r1, \v %r2, %r3;
    //           ^ syntax-error: expected an operand, found
    """)


def test_hash_within_a_line() -> None:
    check_lint("""
    mov.b32 %r1, %r2;#mov.b32 %r1, %r2;
    //               ^^^^^^^^ foreign-line: `#mov.b32` is not a line marker
    """)


def test_number_with_a_dot_and_a_word() -> None:
    check_lint("""
    mov.b32 %r1, 5.x;
    //           ^^^ syntax-error: malformed number `5.x`
    """)


def test_kernel_without_a_name() -> None:
    check_declarations("""
    .entry (.param .b32 a)
    //     ^ syntax-error: expected a name or `.attribute`, found `(`
    { ret; }
    """)


def test_directive_that_goes_on_after_a_line_end() -> None:
    check_declarations("""
    .file 1 "a.cu"
    , 5, 6
    .section .debug_str
    {
    LABEL:
    .b8 1, 2

    , 3
    .b32 LABEL
    - LABEL
    }
    """)
    check_declarations("""
    .section .debug_str
    {
    .b8 1
    , , 3
    ^ syntax-error: expected a statement, found `,`
    }
    """)


def test_opcode_and_modifiers_on_two_lines() -> None:
    check_lint("""
    st
    .global.u32 [%rd1], %r1;
    """)


def test_linkage_that_is_a_modifier() -> None:
    check_lint("""
    st.b64 .bulk.weak.shared::cta [%rd1], 64, 0;
    //^^^^ illegal-modifier: `.b64` is not allowed
    st .weak.global.b32 [%rd1], %r1; /* read by tokens */
    st
    .weak.global.b32 [%rd1], %r1;
    st .weak.global.b32 [%rd1.x], %r1;
    //                   ^^^^^^ operand-kind: `%rd1.x`: a component is not an address
    """)


def test_missing_operand_at_the_end_of_a_line() -> None:
    check_lint("""
    add.s32 %r1, %r2,
    //              ^ syntax-error: expected an operand after `,`, found the end of the line
    mov.b32 %r1, %r2;
    add.s32 %r1, %r2, // the sum

    ;
    ^ syntax-error: expected an operand, found `;`
    mov.b32 %r1,
    //         ^ syntax-error: expected an operand after `,`
    // and nothing
    """)


def test_nul() -> None:
    check_lint("""
    ret; // a\0b
    //       ^ syntax-error: NUL character: ptxas stops reading here
    """)


def test_intermediate_source() -> None:
    check_module("""
    .version 9.4
    .target sm_100
    .nv_intermediate_source_section {
      .code_blok {
    //^^^^^^^^^^ syntax-error: expected `}` or `.code_block`, found `.code_blok`
        .ir_name: "tile ir"
        .sourceFileName: 2
        .source_begin any } text { .source_end
      }
    }
    .nv_intermediate_source_section {
      .code_block {
        .sourceFileName: 2
    //  ^^^^^^^^^^^^^^^ syntax-error: expected `.ir_name`, found `.sourceFileName`
        .ir_name: "tile ir"
        .source_begin .source_end
      }
    }
    """)


def test_names_in_data() -> None:
    check_declarations("""
    .section .debug_info {
    .b32 .debug_abbrev /* offset */
    first:
    .b8 1
    }
    """)


def test_type_without_names() -> None:
    check_declarations("""
    .b32 ;
    .section .debug_info {
    .b8 1
    .b32 ;
    ^^^^ misplaced-instruction
    }
    """)


def test_operand_missing_on_the_line_of_its_mark() -> None:
    check_lint("""
    add.s32 %r1,
            %r2,
    ;
    ^ syntax-error: expected an operand, found `;`
    """)


def test_an_operand_that_is_missing_before_an_instruction_without_any() -> None:
    check_lint("""
    add.s32 %r1, %r2,
    //              ^ syntax-error: expected an operand after `,`, found the end of the line
    ret;
    """)
    check_lint("""
    .reg .b32 exit;
    mov.b32 %r1,
        exit;
    mov.b32 %r1 exit;
    //          ^^^^ syntax-error
    """)


def test_equals_sign_in_a_vector() -> None:
    check_lint("""
    mov.b64 %rd1, {%r1 = %r2, %r3};
    //                 ^ syntax-error: found `=`
    st.global.v2.u32 [%rd1], {%r1, 1 = 2};
    //                               ^ syntax-error: found `=`
    """)


def test_octal_numbers_of_lines() -> None:
    check_module("""
    .version 8.0
    .target sm_90
    .address_size 64
    .file 1 "x"
    .entry k() {
    .loc 1 07 00
    .loc 1 09 5
    //     ^^ syntax-error: malformed number `09`
    ret;
    .loc 01 9 08
    //        ^^ syntax-error: malformed number `08`
    }
    """)


def test_backslash_before_a_call() -> None:
    check_module("""
    .version 8.0
    .target sm_90
    .func f() { ret; }
    .entry k() {
    .reg .pred %p1;
    \\ call f;
    ^ syntax-error: unexpected `\\`
    @%p1 \\ call.uni f, ();
    //   ^ syntax-error: unexpected `\\`
    @%p1 \\ exit;
    }
    """)


@pytest.mark.parametrize("linkage", [".extern", ".visible", ".weak"])
def test_linkage_of_a_parameter(linkage: str) -> None:
    message = f"expected a state space, `.align`, `.attribute` or `.reg`, found `{linkage}`"
    check_declarations(f"""
    .visible .entry k2(
        .param .u64 p,
        {linkage} .param .u32 n
    //  {"^" * len(linkage)} syntax-error: {message}
    )
    {{
        ret;
    }}
    """)


def test_parameter_twice() -> None:
    check_declarations("""
    .visible .entry k2(
        .param .u64 p
        .param .u64 p
    //  ^^^^^^ syntax-error: expected `)`, found `.param`
    )
    {
        ret;
    }
    """)


def test_parenthesis_missing_on_a_line_of_its_own() -> None:
    check_declarations("""
    .visible .entry k2(
        .param .u64 p

    {
    ^ syntax-error: expected `)`, found `{`
        ret;
    }
    """)


def test_head_of_a_section_twice() -> None:
    check_declarations("""
    .section .debug_str
    .section .debug_str
    ^^^^^^^^ syntax-error: expected `{`, found `.section`
    {
    .b8 1
    }
    """)


def test_what_is_unfinished_before_another_line_is_blamed_there() -> None:
    check_declarations("""
    .visible .entry k2(
        .param .u64 p
    //               | syntax-error: incomplete statement, expected `)`
    {
        ret;
    }
    """)


@pytest.mark.parametrize("address", ["%rd1", "%rd1 + 8", "%rd1 + -8", "%rd1-8"])
def test_a_fix_inserts_the_bracket_before_an_address(address: str) -> None:
    check_fix(f"ld.global.u32 %r1, {address}];\n", f"ld.global.u32 %r1, [{address}];\n")


@pytest.mark.parametrize("name", ["x.4", "x.y", "8"])
def test_no_bracket_before_what_is_no_address(name: str) -> None:
    found = diagnostics(module(f"ld.global.u32 %r1, {name}];\n"))
    assert not any(fix.title == "Insert `[`" for each in found for fix in each.fixes)


def test_missing_dots() -> None:
    check_declarations("""
    .global u32 a;
    //      ^^^ syntax-error: `u32` is not allowed here; did you mean `.u32`?
    .global int b;
    //      ^^^ syntax-error: `int` is not allowed here; did you mean `.s32`?
    .extern shared .b32 c[];
    //      ^^^^^^ syntax-error: `shared` is not allowed here; did you mean `.shared`?
    .visible func f();
    //       ^^^^ syntax-error: `func` is not allowed here; did you mean `.func`?
    .global u33 d;
    //      ^^^ syntax-error: expected a type
    """)
