from tests.support.lint import check_declarations, check_lint


def test_behind_a_function() -> None:
    check_lint("""
    }
       DONE:
    // ^^^^ misplaced-instruction: `DONE` is outside of a function, where only directives are
    ret;
    """)


def test_a_statement_behind_without_a_blank() -> None:
    check_declarations("""
       DONE:et;
    // ^^^^ misplaced-instruction: `DONE` is outside of a function, where only directives are
    //      ^^ unknown-opcode: unknown opcode `et`
    """)


def test_without_a_head() -> None:
    check_declarations("""
    .global .u32 count;
       add.u32 %r1, %r2, %r3;
    // ^^^^^^^ misplaced-instruction: `add.u32` is outside of a function, where only directives are
    """)


def test_block() -> None:
    check_declarations("""
    .func f() { ret; } {
    //                 ^ misplaced-instruction: `{` is outside of a function, where only directives
    ret;
    }
    """)


def test_head_without_a_body() -> None:
    check_declarations("""
    .func f()
       mov.u32 %r1, 1;
    // ^^^^^^^ misplaced-instruction: `mov.u32` is outside of a function, where only directives are
    ret;
    }
    """)


def test_sections_and_directives_are_no_instructions() -> None:
    check_declarations("""
    .section .debug_str
    {
    LABEL:
    .b8 1, 2
    }
    .file 1 "kernel.cu"
    .func f();
    """)


def test_broken_instruction() -> None:
    check_declarations("""
       setp
    // ^^^^ misplaced-instruction: `setp` is outside of a function, where only directives are
    64
    .global .u32 x;
    """)


def test_directive_without_its_dot() -> None:
    check_declarations("""
       global .u32 x;
    // ^^^^^^ misplaced-instruction: `global` is outside of a function, where only directives are
    """)


def test_label_before_a_directive() -> None:
    check_declarations("""
       LABEL:
    // ^^^^^ misplaced-instruction: `LABEL` is outside of a function, where only directives are
    .file 1 "kernel.cu"
    """)


def test_in_a_section() -> None:
    check_declarations("""
    .section .debug_str
    {
    LABEL:
    .b8 1
       $other .b8 2
    // ^^^^^^ misplaced-instruction: `$other` is in a section, where only data and labels are
    .b8 3
    }
    """)


def test_section_within_a_statement_over_lines() -> None:
    check_declarations("""
    .section .a { .b8 1 } .section .b {
    .b8 1, /*
    */ 2 }
       .b8 3,
    // ^^^ misplaced-directive: `.b8` is allowed only in a `.section`
    4
    """)
