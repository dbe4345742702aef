"""Texts that are read in steps."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ptx_ls.document import document as documents
from ptx_ls.document.document import Document
from ptx_ls.syntax.record import Kind

CORPUS = Path(__file__).parents[1] / "corpus"


def read_in_steps(text: str) -> tuple[Document, int]:
    """A document read in steps, and how many there were."""
    steps = Document.reading(text)
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
    expected = Document.read(text)
    assert list(found.lines) == list(expected.lines)
    assert list(map(repr, found.records)) == list(map(repr, expected.records))
    starts = [[one.start for one in it.functions] for it in (found, expected)]
    assert starts[0] == starts[1]
    return count


_PARTS = ("ret;\n", "add.s32 %r1,\n", "%r2, 3;", "/*", "*/\n", "\r", "\r\n", "\n", "}\n", "\u2028")


@given(st.lists(st.sampled_from((*_PARTS, ".entry k() {\n")), max_size=40))
def test_any_text_in_steps(parts: list[str]) -> None:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(documents, "_MAX_CHARACTERS_OF_STEP", 10)
        patch.setattr(documents, "_MAX_LINES_OF_STEP", 3)
        check_steps("".join(parts))


def test_real_files_in_steps() -> None:
    for path in sorted(CORPUS.glob("handwritten/*.ptx"))[::40]:
        check_steps(path.read_text(encoding="utf-8", errors="replace"))


def test_a_run_over_several_steps() -> None:
    text = "ret;\n" * 3000 + "add.s32\n" + "\n" * 5000 + "%r1, %r2, %r3;\nret;\n"
    assert check_steps(text) > 2
    found, _ = read_in_steps(text)
    assert found.records[3000].kind is Kind.RUN
