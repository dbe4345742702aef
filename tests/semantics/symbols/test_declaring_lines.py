"""The declarations of a long function are read again only after an edit of them."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ptx_ls.document.document import Document
from ptx_ls.document.editing import edited
from ptx_ls.semantics.symbols.module import region_facts
from ptx_ls.semantics.symbols.region_reader import read_region
from ptx_ls.semantics.symbols.region_text import region_text
from ptx_ls.source import Position
from tests.support.chunks import cut_small

HEAD = ".version 8.0\n.target sm_80\n.entry k()\n{\n"
BODY = """\
	.reg .b32 %r<9>;
	add.s32 %r1, %r2, 3;
L:
	add.s32 %r1, %r2, 4;
	{
	.reg .pred p;
	mov.b32 %r1, 5;
	}
T:
	// targets
	.branchtargets L, M;
M:
	add.s32 %r1,
		%r2, 6;
	ret;
"""
TEXT = HEAD + BODY + "}\n"
EDITS = st.tuples(
    st.integers(4, TEXT.count("\n")),
    st.integers(0, 25),
    st.integers(0, 3),
    st.sampled_from(
        ["", " ", "1", "x", ";", "\n", "//", "{", "}", "L2:", ".reg .b32 z;", ".", '"']
    ),
)


@pytest.fixture(autouse=True)
def _small_chunks(monkeypatch: pytest.MonkeyPatch) -> None:
    cut_small(monkeypatch)


def check_edits(text: str, edits: list[tuple[int, int, int, str]]) -> list[bool]:
    """Expects the facts that a fresh text has; returns after which edits they are the same."""
    document, same = Document.read(text), []
    before = [region_facts(function) for function in document.leaves()]
    for line, column, length, new in edits:
        start = document.clamped(Position(line, column))
        end = document.clamped(Position(start.line, start.column + length))
        document = edited(document, start, end, new)
        found = [region_facts(function) for function in document.leaves()]
        assert found == [read_region(region_text(function)) for function in document.leaves()]
        fresh = Document.read(document.text)
        assert found == [read_region(region_text(function)) for function in fresh.leaves()]
        same.append(found[-1] is before[-1])
        before = found
    return same


def test_an_edited_instruction_leaves_them() -> None:
    assert check_edits(TEXT, [(5, 1, 3, "sub"), (7, 19, 1, "7"), (5, 3, 0, " ")]) == [True] * 3


def test_an_edited_declaration_does_not() -> None:
    assert check_edits(TEXT, [(4, 15, 1, "8"), (6, 0, 1, "K"), (5, 0, 0, "\n")]) == [False] * 3


@pytest.mark.parametrize("comment", ["// targets", "/* of */", "/*\n*/"])
def test_a_line_before_a_directive_decides_what_its_label_is(comment: str) -> None:
    text = TEXT.replace("// targets", comment)
    line = 13 + comment.count("\n")
    (is_same,) = check_edits(text, [(line, 0, 10, "\tret;")])
    assert not is_same


@given(st.lists(EDITS, max_size=6))
def test_they_are_those_of_the_text(edits: list[tuple[int, int, int, str]]) -> None:
    check_edits(TEXT, edits)
