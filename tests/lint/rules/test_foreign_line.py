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
    ^^^ foreign-line: `# 1` is no line marker
    #pragma once
    ^^^^^^^ foreign-line: `#pragma` is no line marker
    # 1 "kernel.cu
    ^^^^^^^^^^^^^^ foreign-line: `# 1 "kernel.cu` is no line marker
    """)
    check_declarations("""
    #define N 1
    ^^^^^^^ foreign-line: `#define` is no line marker, as in `# 1 "kernel.cu"`
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
    .byte 1 @@DWARF .byte /* two */ 2
    @@DWARF .quad 3 @@DWARF .byte 4
    .entry k() { exit; }
    """)


def test_wrong_debugging_data() -> None:
    check_module("""
    .version 1.4
    .target sm_13
    @@DWARF .byte 1
    ^^^^^^^ foreign-line: data before the first `@@DWARF .section`
    @@DWARF .section .debug_info, "", @progbits
    @@DWARF .byte 256
    ^^^^^^^ foreign-line: a number does not fit into its type
    @@DWARF .foo 1
    ^^^^^^^^^^^^^^ foreign-line: `@@DWARF` takes a section
    @@DWARF .byte label
    ^^^^^^^^^^^^^^^^^^^ foreign-line: `@@DWARF` takes a section
    .entry k() {
    @@DWARF .byte 1
    ^^^^^^^ foreign-line: `@@DWARF` stands outside of functions only
    exit; }
    """)


def test_new_version() -> None:
    check_module("""
    .version 2.0
    .target sm_20
    @@DWARF .section .debug_info, "", @progbits
    ^^^^^^^ foreign-line: `@@DWARF` is no longer supported, it needs a version before PTX ISA 2.0
    """)
