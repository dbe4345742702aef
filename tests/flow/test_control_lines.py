"""The flow graph of a long function is read again only after an edit of its control flow."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ptx_ls.document.document import Document
from ptx_ls.document.editing import edited
from ptx_ls.flow.control_statements import control_statement, control_statement_on
from ptx_ls.flow.graphs import flow_graph, never_returning
from ptx_ls.flow.reader import read_graph
from ptx_ls.semantics.symbols.region_text import region_text, single
from ptx_ls.source import Position
from ptx_ls.syntax.reader import Reader
from tests.support.chunks import cut_small

HEAD = ".version 8.0\n.target sm_80\n.func stop() .noreturn;\n.entry k()\n{\n"
BODY = """\
	.reg .b32 %r<9>;
	add.s32 %r1, %r2, 3;
L:
	add.s32 %r1, %r2, 4;
	@%p1 bra L;
	// nothing
	{
	mov.b32 %r1, 5;
	@%p2 bra M;
	}
	call stop;
M:
	add.s32 %r1,
		%r2, 6;
	ret;
"""
TEXT = HEAD + BODY + "}\n"
EDITS = st.tuples(
    st.integers(3, TEXT.count("\n")),
    st.integers(0, 25),
    st.integers(0, 3),
    st.sampled_from(["", " ", "1", "x", ";", "\n", "//", "{", "}", "L2:", "bra M;", "ret;", '"']),
)


@pytest.fixture(autouse=True)
def _small_chunks(monkeypatch: pytest.MonkeyPatch) -> None:
    cut_small(monkeypatch)


def check_edits(edits: list[tuple[int, int, int, str]]) -> list[bool]:
    """Expects the graphs that a fresh text has; returns after which edits the last is the same."""
    document, same = Document.read(TEXT), []
    before = [flow_graph(document, number) for number in range(document.n_leaves)]
    for line, column, length, new in edits:
        start = document.clamped(Position(line, column))
        end = document.clamped(Position(start.line, start.column + length))
        document = edited(document, start, end, new)
        fresh = Document.read(document.text)
        found = [flow_graph(document, number) for number in range(document.n_leaves)]
        assert found == [flow_graph(fresh, number) for number in range(fresh.n_leaves)]
        names = never_returning(document)
        assert found == [read_graph(region_text(it), names) for it in document.leaves()]
        same.append(found[-1] is before[-1])
        before = found
    return same


def test_an_edited_instruction_leaves_it() -> None:
    first, *others = check_edits(
        [(6, 1, 3, "sub"), (6, 1, 3, "mul"), (8, 19, 1, "7"), (10, 4, 0, "more ")]
    )
    assert not first  # it cuts the lines into small chunks
    assert others == [True] * 3


def check_moved(line: int, column: int, new: str) -> None:
    """Inserts text; expects that the blocks of the last function are the same, but elsewhere."""
    document = Document.read(TEXT)
    document = edited(document, Position(5, 0), Position(5, 0), "\n")  # cuts small chunks
    before = flow_graph(document, document.n_leaves - 1)
    document = edited(document, Position(line, column), Position(line, column), new)
    after = flow_graph(document, document.n_leaves - 1)
    assert after.successors is before.successors
    assert after.predecessors is before.predecessors
    assert [*after.starts] != [*before.starts]
    fresh = Document.read(document.text)
    assert after == flow_graph(fresh, fresh.n_leaves - 1)


@pytest.mark.parametrize("new", ["\n", "// comment\n", ".reg .b32 %x;\n"])
def test_moved_statements_leave_the_blocks(new: str) -> None:
    check_moved(6, 0, new)
    check_moved(9, 0, new)


@pytest.mark.parametrize(
    "line",
    [
        "L1:\n",
        "  $L2 :  \r\n",
        "L3: // here\n",
        "L4.entry:\n",
        "\tret;\n",
        "\tbra \tL1 ;\n",
        "@%p1 bra.uni L1;",
        "@!%p1 brx.idx %r1, T;\n",
        "\tbra /* where */ L1;\n",
        "\tcall.uni (%r1), f, (%r2, 4), prototype;\n",
        "\tcall f;\n",
        "@%p1 trap;\n",
        "{\n",
        "\t} // end\n",
        '\t.pragma "nounroll";\n',
        ".branchtargets L1, L2;\n",
    ],
)
def test_a_line_is_read_like_any_text(line: str) -> None:
    read = Reader().read_line(line)
    assert read is not None
    assert control_statement_on(line, read, 3) == control_statement(single(line, read, 3))


def test_an_edited_branch_does_not() -> None:
    assert check_edits([(9, 10, 1, "M"), (7, 0, 1, "K"), (6, 0, 0, "\n")]) == [False] * 3


def test_a_removed_instruction_may_end_a_block() -> None:
    assert check_edits([(12, 0, 16, "")]) == [False]


@given(st.lists(EDITS, max_size=6))
def test_it_is_that_of_the_text(edits: list[tuple[int, int, int, str]]) -> None:
    check_edits(edits)
