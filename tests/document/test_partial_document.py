"""One function of a text before the rest is read."""

from __future__ import annotations

import pytest

from ptx_ls.document.document import Document
from ptx_ls.document.partial_document import partial_document

_TEXT = """\
.version 8.5
.target sm_90
.address_size 64
.extern .func (.param .b32 r) f(.param .b64 p);
.visible .entry first(
    .param .u64 p
)
{
  ret;
}
.weak .func second() { // .entry
  .reg .b32 %r<3>;
  add.s32 %r1, %r2, 1; // .func
  ret;
}

.global .u32 g;
"""


def check_partial(text: str, line: int, first: int, stop: int) -> None:
    """Sees a header and lines [first, stop) around a line, as in the whole document."""
    found = partial_document(text, line)
    assert found is not None
    whole = Document.read(text)
    n_header = next(n for n, one in enumerate(whole.lines) if ".func" in one or ".entry" in one)
    assert list(found.lines) == [
        content if number < n_header or first <= number < stop else content and "\n"
        for number, content in enumerate(whole.lines)
    ]
    located, expected = found.located_on(line), whole.located_on(line)
    assert (located.start, located.head) == (expected.start, expected.head)
    assert located.close == expected.close is not None


def test_the_function_around_a_line() -> None:
    for line in (4, 7, 8, 9):
        check_partial(_TEXT, line, 4, 10)
    for line in (10, 12, 14):
        check_partial(_TEXT, line, 10, 18)


@pytest.mark.parametrize("line", [0, 3, 15, 16, 17, 99])
def test_lines_in_no_function(line: int) -> None:
    assert partial_document(_TEXT, line) is None


@pytest.mark.parametrize("word", ["/* */", "\r\n", "// *\n" * 2000 + "/*"])
def test_what_may_change_a_function_from_afar(word: str) -> None:
    assert partial_document(_TEXT + word, 8) is None


def test_calls_that_may_not_come_back() -> None:
    text = _TEXT.replace("  ret;", "  call f, (p);\n  ret;")
    check_partial(text, 8, 4, 11)
    assert partial_document(text + ".func t() .noreturn;\n", 8) is None


def test_the_first_function() -> None:
    text = _TEXT.replace(".extern .func (.param .b32 r) f(.param .b64 p);", ".global .u32 h;")
    check_partial(text, 8, 4, 10)


@pytest.mark.parametrize("n_lines", [2, 255, 4096, 3 * 4096 + 255])
def test_lines_left_out_are_counted(n_lines: int) -> None:
    head, body = _TEXT.split(".weak")
    gap = "\tret;\n" * (n_lines - 2)
    text = f"{head}.entry other() {{\n{gap}}}\n.weak{body}"
    check_partial(text, 12 + n_lines, 10 + n_lines, 18 + n_lines)
    check_partial(text, 8, 4, 10)


def test_a_header_that_may_go_on_in_the_function() -> None:
    text = '.version 8.5\n.file 1 "a\n.entry k() { // "\n\tret;\n}\n'
    assert partial_document(text, 3) is None
    check_partial(text.replace('"', ""), 3, 2, 5)
