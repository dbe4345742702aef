import pytest

from ptx_ls.lint.fixes.apply import fix
from tests.support.lint import check_declarations, check_lint, module

pytestmark = pytest.mark.excerpts


def test_register() -> None:
    check_lint("""
    .reg .b32 x;
    .reg .b32 x;
    //        ^ duplicate-declaration: register `x` is already declared
    """)


def test_range() -> None:
    check_lint("""
    .reg .b32 %r3;
    //        ^^^ duplicate-declaration: register `%r3` is already declared by `%r<10>`
    .reg .f32 %q<3>;
    .reg .f32 %q<4>;
    //        ^^ duplicate-declaration: register `%q<4>` is already declared by `%q<3>`
    """)


def test_inner_block_may() -> None:
    check_lint("""
    .reg .b32 x;
    { .reg .b32 x; }
    """)


def test_across_functions() -> None:
    check_declarations("""
    .func f() { ret; }
    .func f() { ret; }
    //    ^ duplicate-declaration: device function `f` is already declared
    """)


def test_prototype_may() -> None:
    check_declarations("""
    .func f();
    .func f() { ret; }
    """)


def test_range_over_a_parameter() -> None:
    check_declarations("""
    .entry k(.param .u64 p0) { .reg .pred p<2>; @p0 ret; ret; }
    """)


def test_parameter() -> None:
    check_declarations("""
    .entry k(.param .u32 a, .param .u32 a) { ret; }
    //                                  ^ duplicate-declaration: parameter `a` is already declared
    """)


@pytest.mark.parametrize("comment", ["", " // why", "// why", "  //"])
def test_the_fix_keeps_comments(comment: str) -> None:
    first, again = ".reg .b32 x;\n", f"\t.reg .b32 x; {comment}\n"
    fixed = fix(module(first + again))
    assert fixed.text == module(first + (f"\t{comment.lstrip()}\n" if comment else ""))


@pytest.mark.parametrize(
    "again", ["/* a */ .reg .b32 x;", ".reg .b32 x; /* b */", ".reg .b32 /* c // */ x;"]
)
def test_a_comment_beside_is_not_removed(again: str) -> None:
    text = module(f".reg .b32 x;\n{again}\n")
    assert fix(text).text == text
