"""One function of a text before the rest is read, and texts that are read in steps."""

from __future__ import annotations

from collections.abc import Generator
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ptx_ls.syntax import document as documents
from ptx_ls.syntax.document import Document
from ptx_ls.syntax.glimpse import glimpse
from ptx_ls.syntax.record import Kind

CORPUS = Path(__file__).parents[1] / "corpus"
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


def check_glimpse(text: str, line: int, first: int, stop: int) -> None:
    """Sees a header and lines [first, stop) around a line, as in the whole document."""
    found = glimpse(text, line)
    assert found is not None
    whole = Document(text)
    n_header = next(n for n, one in enumerate(whole.lines) if ".func" in one or ".entry" in one)
    numbers = [*range(min(n_header, first)), *range(first, stop)]
    assert "".join(found.lines) == "".join(whole.lines[number] for number in numbers)
    assert [found.number(line) for line in range(len(numbers))] == numbers
    assert [found.line_of(number) for number in numbers] == [*range(len(numbers))]
    region = found.outline.regions[found.outline.region_at(found.line_of(line))]
    expected = whole.outline.regions[whole.outline.region_at(line)]
    assert found.number(region.start) == expected.start
    assert found.number(region.close or 0) == expected.close


def test_the_function_around_a_line() -> None:
    for line in (4, 7, 8, 9):
        check_glimpse(_TEXT, line, 4, 10)
    for line in (10, 12, 14):
        check_glimpse(_TEXT, line, 10, 18)


@pytest.mark.parametrize("line", [0, 3, 15, 16, 17, 99])
def test_lines_in_no_function(line: int) -> None:
    assert glimpse(_TEXT, line) is None


@pytest.mark.parametrize("word", ["/* */", "\r\n", "// *\n" * 2000 + "/*"])
def test_what_may_change_a_function_from_afar(word: str) -> None:
    assert glimpse(_TEXT + word, 8) is None


def test_calls_that_may_not_come_back() -> None:
    text = _TEXT.replace("  ret;", "  call f, (p);\n  ret;")
    check_glimpse(text, 8, 4, 11)
    assert glimpse(text + ".func t() .noreturn;\n", 8) is None


def read_in_steps(text: str) -> tuple[Document, int]:
    """A document read in steps, and how many there were."""
    steps: Generator[None, None, Any] = Document.in_steps(text)
    count = 0
    while True:
        try:
            next(steps)
        except StopIteration as done:
            document: Document = done.value
            return document, count
        count += 1


def check_steps(text: str) -> int:
    """The document is that which is read at once; returns the number of steps."""
    found, count = read_in_steps(text)
    expected = Document(text)
    assert found.lines == expected.lines
    assert list(map(repr, found.records)) == list(map(repr, expected.records))
    starts = [[one.start for one in it.outline.regions] for it in (found, expected)]
    assert starts[0] == starts[1]
    return count


_PARTS = ("ret;\n", "add.s32 %r1,\n", "%r2, 3;", "/*", "*/\n", "\r", "\r\n", "\n", "}\n", "\u2028")


@given(st.lists(st.sampled_from((*_PARTS, ".entry k() {\n")), max_size=40))
def test_any_text_in_steps(parts: list[str]) -> None:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(documents, "_CHARACTERS", 10)
        patch.setattr(documents, "_LINES", 3)
        check_steps("".join(parts))


def test_real_files_in_steps() -> None:
    for path in sorted(CORPUS.glob("handwritten/*.ptx"))[::40]:
        check_steps(path.read_text(encoding="utf-8", errors="replace"))


def test_a_run_over_several_steps() -> None:
    text = "ret;\n" * 3000 + "add.s32\n" + "\n" * 5000 + "%r1, %r2, %r3;\nret;\n"
    assert check_steps(text) > 2
    found, _ = read_in_steps(text)
    assert found.records[3000].kind is Kind.RUN
