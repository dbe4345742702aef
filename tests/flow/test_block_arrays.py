"""The blocks that are read from lines are those of the flow graph."""

from __future__ import annotations

from pathlib import Path
from textwrap import dedent

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ptx_ls.document.document import Document
from ptx_ls.flow.block_arrays import BlockArrays, blocks_of_graph, read_blocks
from ptx_ls.flow.function_flow import FunctionFlow
from ptx_ls.flow.graph import FlowGraph
from ptx_ls.flow.graphs import graph_of, never_returning
from ptx_ls.syntax.record import Shape
from ptx_ls.syntax.scanner import compiled

PRODUCTS = Path(__file__).parents[1] / "corpus" / "ptx"
HEAD = ".version 8.5\n.target sm_90\n.address_size 64\n.extern .func stop() .noreturn;\n"
REGISTERS = ".reg .b32 %r<9>;\n.reg .pred %p<9>;\n"


def check_blocks(text: str, *, is_read: bool | None = None) -> None:
    """Fails if the blocks of a function in a text differ from those of its flow graph.

    `is_read`: whether the blocks of the last function are read from its lines.
    """
    if compiled is None:
        pytest.skip("the scanner is not built")
    document = Document.read(text)
    names = never_returning(document)
    found = None
    for located in document.functions:
        flow = FunctionFlow(located.function, names)
        found = read_blocks(located.function, flow.uses, names)
        if found is not None:
            graph = graph_of(located.function, names)
            expected = blocks_of_graph(graph, flow.uses)
            assert [*found.firsts] == [*expected.firsts]
            assert found.successors == expected.successors
            assert found.predecessors == expected.predecessors
            check_answers(flow, FunctionFlow(located.function, names), expected, graph)
            check_graph(flow.graph, graph)
    assert is_read is None or (found is not None) is is_read


def check_graph(read: FlowGraph, expected: FlowGraph) -> None:
    """Fails if a graph that was made of lines differs from the usual one."""
    assert read.leaves == expected.leaves
    assert read.opened == expected.opened
    assert read.predecessors == expected.predecessors
    assert read == expected
    for block in range(read.n_blocks):
        lines = read.lines(block)
        assert lines[0] in (expected.lines(block)[0], expected.lines(block)[0] + 1)
        assert lines[-1] <= expected.lines(block)[-1]


def check_answers(
    flow: FunctionFlow, other: FunctionFlow, blocks: BlockArrays, graph: FlowGraph
) -> None:
    """Fails if the blocks of the flow graph lead to other answers."""
    other.blocks, other.graph = blocks, graph
    assert flow.blocks.starts is not None
    assert other.blocks.starts is None
    assert flow.reachable == other.reachable
    for block, following in enumerate(blocks.successors):
        assert flow.label_of(block) == other.label_of(block)
        assert flow.leaves(block) == other.leaves(block)
        last = flow.index.firsts[block + 1] - 1
        if last >= flow.index.firsts[block]:
            assert flow.ends_block(last, block) == other.ends_block(last, block)
        for each in following:
            assert flow.edge_fact(block, each) == other.edge_fact(block, each)
    begin, end = flow.graph.starts[0], flow.graph.stops[-1]
    for found in flow.text.statements():
        if isinstance(found.record, Shape) and begin <= found.start < end:
            assert flow.block_at(found.start) == other.block_at(found.start)
            assert flow.graph.number_at(found.start) == graph.number_at(found.start)


def check_body(body: str, *, is_read: bool) -> None:
    """Does what `check_blocks` does, for the body of a kernel."""
    body = dedent(body.removeprefix("\n"))
    check_blocks(f"{HEAD}.entry k()\n{{\n{REGISTERS}{body}}}\n", is_read=is_read)


def test_usual_lines() -> None:
    check_body(
        """
        mov.b32 %r1, 1;
        $L1:  // a comment
        add.s32 %r1, %r1,
            1;
        @%p1 bra $L1;
        @!%p1 bra.uni $L2; // there
        {
        .param .b32 p;
        call.uni f, (p);
        }
        { .reg .b32 t; mov.b32 t, %r1; }
        { .reg .b32 t;
        $L__tmp2:
        mov.b32 t, %r1; }
        { mov.b32 %r1, %r2;
        }
        $L__tmp3:
        .loc 1 2 3
        .pragma "nounroll";
        @%p2 ret;
        trap;
        $L2:
        bra $L2;
        """,
        is_read=True,
    )


def test_labels_after_labels_and_branches() -> None:
    check_body("bra B;\nA:\nB:\nbra A;\nC:\n", is_read=True)
    check_body("bra B;\nmov.b32 %r1, 1;\nB:\n@%p1 exit;\n", is_read=True)
    check_body("@%p1 bra B;\nB:\nret;\nmov.b32 %r1, 1;\n", is_read=True)


@pytest.mark.parametrize(
    "body",
    [
        "bra UNKNOWN;\n",
        "T: .branchtargets A, B;\nA:\nB:\nbrx.idx %r1, T;\n",
        "{\nA:\nbra A;\n}\n",
        "{\nA:\n}\nbra A;\nA:\n",
        "{ mov.b32 %r1, %r2; ret;\n}\n",
        "{\nmov.b32 %r1, %r2; } ret;\n",
        "mov.b32 %r1, %r2; {\n}\n",
        "{ A: bra A; }\n",
        "A: bra A;\n",
        "bra /* where */ A;\nA:\n",
        "call stop;\n",
        "@%p1 call.uni\nstop\n,\n();\n",
        "mov.b32 %r1 1;\n",
    ],
)
def test_lines_that_need_their_syntax(body: str) -> None:
    check_body(body, is_read=False)


def test_a_body_that_is_not_closed() -> None:
    check_blocks(f"{HEAD}.entry k() {{\n.reg .b32 %r<9>;\nret;\n", is_read=False)
    check_blocks(".entry k() { ret; }\n", is_read=False)


LINES = st.sampled_from(
    [
        "A:",
        "B:",
        "C: // x",
        "\tbra A;",
        "@%p1 bra B;",
        "@!%p1 bra.uni C;",
        "ret;",
        "@%p1 exit;",
        "mov.b32 %r1, %r2;",
        "add.s32 %r1,\n%r2, 1;",
        "{ mov.b32 %r1, %r2; }",
        "{ .reg .b32 t;",
        "{ mov.b32 %r1, %r2;",
        "mov.b32 %r1, %r2; }",
        "mov.b32 %r1,\n%r2; }",
        "$D:",
        "{",
        "}",
        "call.uni f, ();",
        "call.uni\n\tf,\n\t();",
        ".loc 1 1 1",
        "",
        "// ret;",
    ]
)


@given(st.lists(LINES, max_size=20))
def test_any_lines(lines: list[str]) -> None:
    body = "\n".join(lines)
    check_blocks(f"{HEAD}.entry k()\n{{\n{REGISTERS}{body}\nA:\nB:\nC:\n}}\n")


@pytest.mark.parametrize("path", sorted(PRODUCTS.glob("*.ptx"))[::4], ids=lambda path: path.stem)
def test_real_functions(path: Path) -> None:
    check_blocks(path.read_text(encoding="utf-8", errors="surrogateescape"))
