from tests.support.lint import check_declarations, check_fix, check_lint


def test_statement() -> None:
    check_lint("""
    .regs .b32 x;
    ^^^^^ unknown-directive: unknown directive `.regs`; did you mean `.reg`?
    """)


def test_module() -> None:
    check_declarations("""
    .globl .b32 x;
    ^^^^^^ unknown-directive: unknown directive `.globl`; did you mean `.global`?
    """)


def test_tuning() -> None:
    check_declarations("""
    .entry k() .maxntdi 32 { ret; }
    //         ^^^^^^^^ unknown-directive: unknown directive `.maxntdi`; did you mean `.maxntid`?
    """)


def test_nothing_is_near() -> None:
    check_lint("""
    .qwertyuiop 3;
    ^^^^^^^^^^^ unknown-directive: unknown directive `.qwertyuiop`
    """)


def test_fix() -> None:
    check_fix(".regs .b32 x;\n", ".reg .b32 x;\n")


def test_names_of_cuda() -> None:
    check_declarations("""
    .entry k() .cluster_dim 2 { ret; }
    //         ^^^^^^^^^^^^ unknown-directive: did you mean `.reqnctapercluster`?
    .entry other() .launch_bounds 32 { ret; }
    //             ^^^^^^^^^^^^^^ unknown-directive: did you mean `.maxntid`?
    """)
