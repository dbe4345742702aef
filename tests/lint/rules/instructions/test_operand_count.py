from tests.support.lint import check_fix, check_lint, diagnostics, module


def test_too_few() -> None:
    check_lint("""
    add.s32 %r1, %r2;
    ^^^^^^^ operand-count: `add.s32` takes 3 operands, found 2: `add{.sat}.type d, a, b`
    """)


def test_too_many() -> None:
    check_lint("""
    ret %r1;
    //  ^^^ operand-count: `ret` takes no operands, found 1: `ret{.uni}`
    add.s32 %r1, %r2, %r3, %r4, %r5;
    //                     ^^^^^^^^ operand-count: `add.s32` takes 3 operands, found 5
    bar.sync 0, 32, 64;
    //              ^^ operand-count: `bar.sync` takes 1 or 2 operands, found 3
    """)


def test_result_that_does_not_exist() -> None:
    """With three operands, other forms of `red` and `st` take a cache policy."""
    check_lint("""
    red.global.add.u32 %r1, [%rd1], 1;
    //                 ^^^ operand-count: `red.global.add.u32` takes 2 operands, found 3
    red.shared.or.b32 %r1, [shared], %r2;
    //                ^^^ operand-count: `red.shared.or.b32` takes 2 operands, found 3
    st.global.u32 %r1, [%rd1], %r2;
    //            ^^^ operand-count: `st.global.u32` takes 2 operands, found 3
    red.global.add.u32 [%rd1], %r1, %rd2;
    ^^^^^^^^^^^^^^^^^^ missing-modifier
    """)
    check_fix("red.global.add.u32 %r1, [%rd1], 1;\n", "red.global.add.u32 [%rd1], 1;\n")


def test_fixes() -> None:
    check_fix("ret %r1;\n", "ret;\n")
    check_fix("add.s32 %r1, %r2, %r3, %r4, %r5;\n", "add.s32 %r1, %r2, %r3;\n")
    check_fix(
        "shfl.sync.idx.b32 %r1, %r2, %r3, 31;\n", "shfl.sync.idx.b32 %r1, %r2, %r3, 31, -1;\n"
    )


def test_none() -> None:
    check_lint("""
    mov.b32;
    ^^^^^^^ operand-count: `mov.b32` takes 2 operands, found 0: `mov.type d, a`
    """)


def test_form_without_operands_is_not_repeated() -> None:
    (found,) = diagnostics(module("exit 1;"))
    assert found.message == "`exit` takes no operands, found 1"
