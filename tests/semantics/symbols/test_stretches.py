"""Stretches of a region: the same lines in the same order after any edits, most of them kept."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ptx_ls.flow.graphs import flow_graph
from ptx_ls.semantics.symbols.region_text import region_text
from ptx_ls.semantics.symbols.stretches import Stretch, stretches
from ptx_ls.source import Position
from ptx_ls.syntax.document import Document

_PARTS = (
    "\tadd.s32 %r1, %r1, 1;\n",
    "\t@%p1 bra $L1;\n",
    "$L1:\n",
    "\tbra.uni $L2;\n",
    "$L2: add.s32 %r2, %r2, 2; bra $L1;\n",
    "\n",
    "\tret; // behind\n",
    "\t{ .reg .b32 t; mov.b32 t, 1; }\n",
    "\t{\n\tcall f,\n",
    "\t(t); }\n",
    "}\n",
    "/*",
    "*/",
    "\tbra.uni $L1;",
    "\t@%p1 bra $L2;\n",
    "2",
)
_LONG = ".entry k() {\n" + "".join(_PARTS[:4]) * 600 + "ret;\n}\n.entry l() {\n"


def check_stretches(document: Document, index: int) -> tuple[Stretch, ...]:
    """The stretches of a region, which have to be its lines."""
    found = stretches(document, index)
    assert stretches(document, index) is found
    text = region_text(document, index)
    assert [line for one in found for line in one.lines] == text.lines
    # A line that functions share is kept as the document has it, with the statements of all.
    records = document.records[text.start : text.start + len(text.lines)]
    assert [read for one in found for read in one.records] == records
    return found


def test_an_edit_makes_one_stretch_anew() -> None:
    document = Document(_LONG)
    before = check_stretches(document, 1)
    for text in ("7", "\n", "bra $L1;\n"):
        document.edit(Position(1200, 3), Position(1200, 3), text)
        found = check_stretches(document, 1)
        assert len(set(before) - set(found)) == 1
        before = found


def test_a_brace_leaves_the_others() -> None:
    document = Document(_LONG)
    before = check_stretches(document, 1)
    document.edit(Position(1200, 0), Position(1200, 0), "{\n")
    assert len(set(before) - set(check_stretches(document, 1))) == 1


def test_the_text_and_where_its_lines_begin() -> None:
    (one,) = stretches(Document("ret;\nret;"), 0)
    assert (one.text, one.offsets) == ("ret;\nret;", [0, 5, 9])


@given(
    st.lists(st.sampled_from((*_PARTS, ".func m() { ret;\n", "} .func n() {\n")), max_size=16),
    st.lists(
        st.tuples(
            st.integers(0, 20),
            st.integers(0, 12),
            st.integers(0, 3),
            st.sampled_from((*_PARTS, ".func m() {", "", "\n\n\n")),
            st.booleans(),
        ),
        max_size=16,
    ),
)
def test_stretches_asked_for_after_some_edits(
    parts: list[str], edits: list[tuple[int, int, int, str, bool]]
) -> None:
    document = Document(".entry k() {\n" + "".join(parts) + "\tret;\n}\n.func l() {\n\tret;\n}\n")
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("ptx_ls.semantics.symbols.stretches._SIZE", 2)
        patch.setattr("ptx_ls.syntax.outline._MANY_EDITS", 3)
        for line, column, more, text, is_asked in (*edits, (0, 0, 0, "", True)):
            document.edit(Position(line, column), Position(line + more, 0), text)
            for index in range(len(document.outline.regions) if is_asked else 0):
                check_stretches(document, index)


@given(
    st.lists(st.sampled_from(_PARTS), max_size=12),
    st.lists(
        st.tuples(st.integers(0, 9), st.integers(0, 12), st.integers(0, 3), st.sampled_from(_PARTS))
    ),
)
def test_flow_after_any_edits_is_that_of_the_text(
    parts: list[str], edits: list[tuple[int, int, int, str]]
) -> None:
    document = Document(".entry k() {\n" + "".join(parts) + "\tret;\n}\n.func l() {\n\tret;\n}\n")
    for line, column, more, text in edits:
        document.edit(Position(line, column), Position(line + more, 0), text)
        fresh = Document(document.text)
        for index in range(len(document.outline.regions)):
            check_stretches(document, index)
            assert flow_graph(document, index).blocks == flow_graph(fresh, index).blocks
