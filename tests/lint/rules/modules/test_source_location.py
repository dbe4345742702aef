from __future__ import annotations

import pytest

from tests.support.lint import check_declarations, check_module, diagnostics


def check_lines(marked: str) -> None:
    """Fails unless exactly the marked diagnostics are reported of lines in a kernel."""
    lines = "\n".join(line.strip() for line in marked.strip().split("\n"))
    head = '.version 8.0\n.target sm_70\n.file 1 "a.cu"\n.entry k() {\n'
    check_module(f"{head}{lines}\nret;\n}}\n.section .debug_str {{\nF:\n.b8 1\n}}\n")


def test_numbers_have_32_bits() -> None:
    check_lines("""
    .loc 1 4294967295 1
    .loc 1 4294967296 1
    //     ^^^^^^^^^^ source-location: `4294967296` does not fit in 32 bits
    .loc 1 0x10000000000 1
    //     ^^^^^^^^^^^^^ source-location: `0x10000000000` does not fit in 32 bits
    .loc 1 1 1
    .loc 1 1 1, function_name F+4294967296, inlined_at 1 1 1
    """)


def test_numbers_that_need_more_than_64_bits() -> None:
    check_lines("""
    .loc 1 18446744073709551616 1
    .loc 1 1 99999999999999999999
    //       ^^^^^^^^^^^^^^^^^^^^ syntax-error: `99999999999999999999` is out of range
    .loc 1 1 01777777777777777777777
    //       ^^^^^^^^^^^^^^^^^^^^^^^ source-location: `01777777777777777777777` does not fit in
    """)


def test_caller_stands_before() -> None:
    check_lines("""
    .loc 1 5 1
    .loc 1 6 1, function_name F, inlined_at 1 5 1
    .loc 1 7 1, function_name F+3 , inlined_at 01 6 1
    .loc 1 8 1, function_name F, inlined_at 1 8 1
    //                                      ^^^^^ source-location: no earlier `.loc` has the
    """)


def test_caller_may_stand_in_another_function() -> None:
    check_declarations("""
    .file 1 "a.cu"
    .entry k() {
    .loc 1 5 1
    ret; }
    .entry l() {
    .loc 1 6 1, function_name F, inlined_at 1 5 1
    ret; }
    .section .debug_str { F: .b8 102, 0 }
    """)


def test_both_attributes() -> None:
    check_lines("""
    .loc 1 1 1
    .loc 1 1 1, function_name F
    //          ^^^^^^^^^^^^^ source-location: `.loc` takes `function_name` and `inlined_at`
    .loc 1 1 1, inlined_at 1 1 1
    //          ^^^^^^^^^^ source-location: `.loc` takes `function_name` and `inlined_at`
    .loc 1 1 1, inlined_at 1 1 1, function_name F
    //          ^^^^^^^^^^ source-location: `.loc` takes `function_name` and `inlined_at`
    """)


def test_inlined_since_7() -> None:
    check_module("""
    .version 6.5
    .target sm_70
    .file 1 "a.cu"
    .entry k() {
    .loc 1 1 1
    .loc 1 2 1, function_name F, inlined_at 1 1 1
    //          ^^^^^^^^^^^^^ unsupported-version: `function_name` needs PTX ISA 7.0
    ret;
    }
    .section .debug_str {
    F:
    ^ unsupported-version: `F` needs PTX ISA 7.0
    .b8 1
    }
    """)


def test_no_file() -> None:
    check_declarations("""
    .entry k() {
    .loc 1 5 1
    ^^^^ source-location: the module has no `.file`, so this location has no source file
    .loc 1 6 1
    ret; }
    """)


def test_a_word_that_is_none_of_a_location() -> None:
    check_module("""
    .version 8.0
    .target sm_90
    .address_size 64
    .file 1 "a.cu"
    .entry k() {
    .loc 1 1 1
    .loc 1 2 3, name function_name, inlined_at 1 1 1
    //          ^^^^ source-location: `.loc` takes `function_name` and `inlined_at` together
    ret;
    }
    """)


def test_names_in_what_cannot_be_read() -> None:
    check_module("""
    .version 8.0
    .target sm_90
    .address_size 64
    .file 1 "a.cu"
    .entry k() {
    .loc 1 1 1
    .loc" 1 2 3, function_name lost, inlined_at 1 1 1
    //  ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ syntax-error: string is not closed
    ret;
    }
    """)


def test_function_name_without_label() -> None:
    check_module("""
    .version 8.0
    .target sm_90
    .address_size 64
    .file 1 "a.cu"
    .entry k() {
    .loc 1 1 1
    .loc 1 2 3, function_name string, inlined_at 1 1 1
    .loc 1 2 4, function_name string+4, inlined_at 1 1 1
    .loc 1 2 5, function_name other, inlined_at 1 1 1
    .loc 1 2 6, function_name k, inlined_at 1 1 1
    //                        ^ source-location: `k` is not a label in a section
    .loc 1 2 7, function_name k, inlined_at 1 1 1
    ret;
    }
    .section .debug_str
    {
    string:
    .b8 102, 0
    }
    .section .debug_info
    {
    other:
    .b8 0
    }
    """)


@pytest.mark.parametrize(
    "lines",
    [
        ".loc 1 5 1 .loc 1 6 1, function_name F, inlined_at 1 9 1",
        ".loc 1 5 1\n{ .loc 1 6 1, function_name F, inlined_at 1 9 1\n}",
        ".loc 1 5 1\nL: .loc 1 6 1, function_name F, inlined_at 1 9 1",
        ".loc 1 5 1\n/* */ .loc 1 6 1, function_name F, inlined_at 1 9 1",
        ".loc 1 5 1\n.loc 1 6 1, function_name F,\ninlined_at 1 9 1",
        ".loc 1 5 1\n.loc 1 6\n1, function_name F, inlined_at 1 9 1",
    ],
)
def test_a_location_that_shares_its_line_or_has_several(lines: str) -> None:
    text = (
        '.version 8.0\n.target sm_70\n.file 1 "a.cu"\n.entry k() {\n{}\nret;\n}\n'
        ".section .debug_str {\nF: .b8 1\n}\n"
    ).replace("{}", lines)
    (found,) = diagnostics(text)
    assert found.message.startswith("no earlier `.loc` has the location")
    assert diagnostics(text.replace("1 9 1", "1 5 1")) == []
    (found,) = diagnostics(text.replace("F:", "G:").replace("1 9 1", "1 5 1"))
    assert found.message.startswith("`F` is not a label in a section")
