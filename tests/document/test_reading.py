"""Texts that are read in portions."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ptx_ls.document import document as documents
from ptx_ls.document.document import Document
from ptx_ls.syntax.record import Kind

CORPUS = Path(__file__).parents[1] / "corpus"


def check_portions(text: str, size: int = 10) -> Document:
    """Fails unless a text that is read in small portions is the same document; returns it."""
    expected = Document.read(text)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(documents, "_PORTION", size)
        found = Document.read(text)
    assert list(found.lines) == list(expected.lines)
    assert list(map(repr, found.records)) == list(map(repr, expected.records))
    starts = [[one.start for one in it.functions] for it in (found, expected)]
    assert starts[0] == starts[1]
    return found


_PARTS = ("ret;\n", "add.s32 %r1,\n", "%r2, 3;", "/*", "*/\n", "\r", "\r\n", "\n", "}\n", "\u2028")


@given(st.lists(st.sampled_from((*_PARTS, ".entry k() {\n")), max_size=40))
def test_any_text_in_portions(parts: list[str]) -> None:
    check_portions("".join(parts))


def test_real_files_in_portions() -> None:
    for path in sorted(CORPUS.glob("handwritten/*.ptx"))[::40]:
        check_portions(path.read_text(encoding="utf-8", errors="replace"))


def test_a_run_over_several_portions() -> None:
    text = "ret;\n" * 3000 + "add.s32\n" + "\n" * 5000 + "%r1, %r2, %r3;\nret;\n"
    assert check_portions(text, 1000).records[3000].kind is Kind.RUN
