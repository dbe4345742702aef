from tests.support.lint import check_declarations, check_lint, check_module


def test_line_markers() -> None:
    check_lint("""
    # 1 "kernel.cu"
    #line 2 "kernel.cu"
    # 3 "kernel.cu" 1 2 3
    ret; # 4 "kernel.cu"
    """)


def test_other_lines() -> None:
    check_lint("""
    # 1
    ^^^ foreign-line: `# 1` is not a line marker
    #pragma once
    ^^^^^^^ foreign-line: `#pragma` is not a line marker
    # 1 "kernel.cu
    ^^^^^^^^^^^^^^ foreign-line: `# 1 "kernel.cu` is not a line marker
    """)
    check_declarations("""
    #define N 1
    ^^^^^^^ foreign-line: `#define` is not a line marker such as `# 1 "kernel.cu"`
    """)


def test_old_debugging_data() -> None:
    check_module("""
    .version 1.4
    .target sm_13
    @@DWARF .section .debug_info, "", @progbits
    @@DWARF .byte 1, 0x2
    @@DWARF .4byte label // and a comment
    @@DWARF .4byte .debug_info
    @@DWARF
    .byte 1 @@DWARF .byte /* two
    */ 2
    @@DWARF .quad 3 @@DWARF .byte 4, 5,
    6
    @@DWARF .section .debug_abbrev,
    "", @progbits @@DWARF .byte
    0x10
    .entry k() { exit; }
    """)


def test_wrong_debugging_data() -> None:
    check_module("""
    .version 1.4
    .target sm_13
    @@DWARF .byte 1
    ^^^^^^^ foreign-line: data before the first `@@DWARF .section`
    @@DWARF .section .debug_info, "", @progbits
    @@DWARF .byte 1, 256
    //               ^^^ foreign-line: `256` does not fit in `.byte`
    @@DWARF .foo 1
    //      ^^^^ syntax-error: unknown type `.foo`
    @@DWARF .f32 1
    //      ^^^^ foreign-line: `.f32` is neither a section, such as `.section .debug_info, ""
    @@DWARF .byte label
    //            ^^^^^ foreign-line: `label` is neither a section, such as `.section .debug_info
    @@DWARF .byte -1
    //            ^ syntax-error: expected a name or an integer, found `-`
    @@DWARF .4byte 0x10, 1.5
    //                   ^^^ syntax-error: expected an integer, found `1.5`
    @@DWARF .section .debug_info, "", @nobits
    //                                 ^^^^^^ foreign-line: `nobits` is neither a section, such as
    @@DWARF .section .debug_info, ~"", @progbits
    //                            ^ syntax-error: expected a string, found `~`
    @@DWARF .byte 1 2
    //              ^ syntax-error: expected `,`, found `2`
    @@DWARF .byte 3
    .byte 1
    ^^^^^ misplaced-directive: `.byte` is allowed only in a `.section`
    .entry k() {
    @@DWARF .byte 1
    ^^^^^^^ foreign-line: `@@DWARF` is allowed only outside of functions
    exit; }
    """)


def test_new_version() -> None:
    check_module("""
    .version 2.0
    .target sm_20
    @@DWARF .section .debug_info, "", @progbits
    ^^^^^^^ foreign-line: `@@DWARF` was removed in PTX ISA 2.0
    """)
