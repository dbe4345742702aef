"""Unsafe fixes that remove instructions whose results are never used."""

from ptx_ls.document.document import Document
from ptx_ls.lint import lint
from ptx_ls.lint.fixes.apply import fix, fixable

USED = """\
.version 8.3
.target sm_80
.address_size 64
.visible .entry k(.param .u64 p)
{
    .reg .b32 %r<5>;
    .reg .b64 %rd<3>;
    ld.param.u64 %rd1, [p];
    cvta.to.global.u64 %rd2, %rd1;
    mov.u32 %r1, %tid.x;
    st.global.u32 [%rd2], %r1;
    ret;
}
"""
STORE = "    st.global"
UNUSED = "    add.u32 %r2, %r1, 3;\n"
CHAIN = UNUSED + "    add.u32 %r3, %r2, 3;\n    add.u32 %r4, %r3, 3;\n"


def check_removed(added: str, *, n_fixed: int, n_found: int, expected: str = "") -> None:
    """Fails unless unsafe fixes turn statements before the store into others, certain ones none.

    `n_found`: how many of the diagnostics of the text are fixed; others come up only then.
    """
    text = USED.replace(STORE, added + STORE)
    document = Document.read(text)
    assert fix(text).text == text
    assert fixable(document, lint(document)) == (0, n_found)
    assert fix(text, has_unsafe=True) == (USED.replace(STORE, expected + STORE), n_fixed, "")


def test_an_unused_result() -> None:
    check_removed(UNUSED, n_fixed=1, n_found=1)


def test_results_that_only_unused_ones_use() -> None:
    check_removed(CHAIN, n_fixed=3, n_found=1)


def test_an_error_may_be_the_reason() -> None:
    misspelt = UNUSED + "    st.global.u32 [%rd2], %rr2;\n"
    check_removed(misspelt, n_fixed=0, n_found=0, expected=misspelt)


def test_errors_are_fixed_first() -> None:
    check_removed(
        UNUSED + "    add.u32 %r1, %r1 4;\n",
        n_fixed=2,
        n_found=2,
        expected="    add.u32 %r1, %r1, 4;\n",
    )
