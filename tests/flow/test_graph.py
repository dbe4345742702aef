"""Flow graphs: where blocks begin, what follows them, loops, and what nothing leads to."""

from __future__ import annotations

from textwrap import dedent

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ptx_ls.document.coordinates import FUNCTION_START, FunctionPosition
from ptx_ls.document.document import Document
from ptx_ls.document.editing import edited
from ptx_ls.flow.flow_shape import FlowShape
from ptx_ls.flow.graph import FlowGraph
from ptx_ls.flow.graphs import flow_graph
from ptx_ls.flow.row_map import KeptRows, RowMap
from ptx_ls.source import Position

HEAD = ".version 8.5\n.target sm_90\n.address_size 64\n"


def graph_of(body: str, before: str = "") -> FlowGraph:
    """The graph of a kernel with this body."""
    text = dedent(body).strip("\n")
    document = Document.read(f"{HEAD}{before}\n.entry k() {{\n{text}\n}}\n.global .u32 after;\n")
    return flow_graph(document, document.n_leaves - 1)


def check_flow(body: str, *expected: str, before: str = "") -> None:
    """Blocks as `LABEL lines -> successors`: labels or numbers of blocks, lines of the body."""
    graph = graph_of(body, before)
    shown = []
    for block in graph.blocks:
        name = " ".join(block.labels) or str(block.number)
        lines = f"{block.start[0]}-{block.stop[0]}"
        following = [str(number) for number in block.successors]
        following += [block.leaves] if block.leaves else []
        following += ["?"] if block.is_open else []
        shown.append(f"{name} {lines} -> {' '.join(following)}")
        for number in block.successors:
            assert block.number in graph.blocks[number].predecessors
    assert shown == list(expected)


def test_straight_line() -> None:
    check_flow("mov.u32 %r1, 1;\nret;", "0 0-2 -> ret")


def test_loop_and_guarded_branches() -> None:
    check_flow(
        """
        mov.u32 %r1, 1;
        @%p1 bra DONE;
        LOOP:
        add.u32 %r1, %r1, 1;
        @!%p2 bra LOOP;
        DONE:
        @%p3 ret;
        exit;
        """,
        "0 0-2 -> 1 2",
        "LOOP 3-5 -> 2 1",
        "DONE 6-7 -> 3 ret",
        "3 7-8 -> exit",
    )


def test_what_follows_a_branch_begins_with_its_label() -> None:
    check_flow("bra L;\nL:\nret;", "0 0-1 -> 1", "L 2-3 -> ret")


def test_what_nothing_leads_to() -> None:
    check_flow(
        "bra L;\nmov.u32 %r1, 1;\nL: ret;\nmov.u32 %r2, 2;",
        "0 0-1 -> 2",
        "1 1-3 -> 2",
        "L 3-3 -> ret",
        "3 3-5 -> ret",
    )
    graph = graph_of("bra L;\nmov.u32 %r1, 1;\nL: ret;\nmov.u32 %r2, 2;")
    assert graph.reachable == {0, 2}


def test_a_branch_that_is_being_typed_leaves_all_alive() -> None:
    graph = graph_of("bra \nmov.u32 %r1, 1;\nL: ret;")
    assert graph.reachable == set(range(len(graph.blocks)))
    check_flow("bra NOWHERE;\nret;", "0 0-1 -> ?", "1 1-2 -> ret")


def test_labels_of_sibling_blocks_on_one_line() -> None:
    check_flow(
        """
        { .reg .pred P1; W: mbarrier.try_wait.shared.b64 P1, [%r1], %rd1; @P1 bra D; bra W; D: }
        { .reg .pred P1; W: mbarrier.try_wait.shared.b64 P1, [%r1], %rd1; @P1 bra D; bra W; D: }
        """,
        "0 0-1 -> 1",
        "W 1-1 -> 2 3",
        "2 1-1 -> 1",
        "D W 1-2 -> 4 5",
        "4 2-2 -> 3",
        "D 2-3 -> ret",
    )


def test_indexed_branches() -> None:
    check_flow(
        """
        T: .branchtargets A, B, A;
        U: .branchtargets L<0x2>;
        @%p1 brx.idx %r1, T;
        brx.idx.uni %r1, U;
        A: ret; B: L0: L1: exit;
        """,
        "0 0-3 -> 1 2 3",
        "1 3-4 -> 3",
        "A 5-5 -> ret",
        "B L0 L1 5-5 -> exit",
    )


def test_calls_that_do_not_come_back() -> None:
    before = """
        .extern .func __assertfail (.param .b64 a, .param .b64 b, .param .b32 c, .param .b64 d,
            .param .b64 with_a_name_that_is_long_enough_to_have_the_text_of_the_declaration_cut)
        .noreturn;
        .extern .func (.param .b32 r) vprintf (.param .b64 a, .param .b64 b);
    """
    graph = graph_of(
        """
        call.uni (r), vprintf, (a, b);
        @%p1 bra L;
        call.uni __assertfail, (a, b, c, d, e);
        L: @%p1 call __assertfail, (a, b, c, d, e);
        """,
        before,
    )
    assert [(block.leaves, block.successors) for block in graph.blocks] == [
        ("", [1, 2]),
        ("call", []),
        ("call", [3]),
        ("ret", []),
    ]


def test_loops_in_loops() -> None:
    graph = graph_of("A: mov.u32 %r1, 1;\nB: @%p1 bra B;\n@%p2 bra A;\nret;")
    assert [(loop.head, sorted(loop.blocks)) for loop in graph.loops] == [
        (1, [1, 2, 3]),
        (2, [2]),
    ]
    assert graph.back_edges == ((2, 2), (3, 1))


_graphs = st.lists(st.lists(st.integers(0, 7), max_size=3), min_size=8, max_size=8)


@given(_graphs)
def test_loops_around_a_block(following: list[list[int]]) -> None:
    """They are those of its loops that control may run around, through the block and the head."""
    places = [FunctionPosition((number, 0)) for number in range(len(following))]
    rows = RowMap([KeptRows(range(len(following)), len(following))])
    graph = FlowGraph(FlowShape(places, places, following), rows)

    def reached(number: int) -> set[int]:
        found: set[int] = set()
        waiting = list(following[number])
        while waiting:
            after = waiting.pop()
            if after not in found:
                found.add(after)
                waiting += following[after]
        return found

    for number in range(len(following)):
        found = list(graph.loops_around(number))
        assert all(number in loop.blocks for loop in found)
        for loop in graph.loops:
            is_around = loop.head in reached(number) and number in reached(loop.head)
            assert loop in found or not (number in loop.blocks and is_around)


def test_a_region_without_a_body() -> None:
    document = Document.read(HEAD)
    assert flow_graph(document, 0).blocks == ()
    assert flow_graph(document, 0).block_at(FUNCTION_START) is None


def test_a_body_without_its_brace() -> None:
    document = Document.read(".entry k() {\nL: bra L;\n.entry l() {\nret;")
    assert [len(flow_graph(document, index).blocks) for index in (1, 2)] == [2, 1]


def test_a_broken_instruction_at_the_end_of_a_body_without_its_brace() -> None:
    document = Document.read(".entry k() {\nret;\n0777 x\n")
    assert [block.successors for block in flow_graph(document, 1).blocks] == [[], []]
    assert flow_graph(document, 1).reachable == {0}


def test_a_broken_instruction_that_begins_like_a_return() -> None:
    check_flow("ret0777 (x;\nmov.u32 %r1, 1;", "0 0-3 -> ret")


def test_an_edit_makes_it_anew() -> None:
    document = Document.read(".entry k() {\nL:\nret;\n}\n")
    assert len(flow_graph(document, 1).blocks) == 1
    document = edited(document, Position(2, 0), Position(2, 3), "bra L")
    assert flow_graph(document, 1).loops[0].head == 1


def test_an_edit_of_other_instructions_keeps_it() -> None:
    document = Document.read(".entry k() {\nL:\nadd.u32 %r1, %r1, 1;\nbra L;\n}\n")
    before = flow_graph(document, 1)
    document = edited(document, Position(2, 0), Position(2, 3), "sub")
    assert flow_graph(document, 1) is before
    document = edited(document, Position(2, 0), Position(2, 0), "\n")
    assert flow_graph(document, 1).blocks[1].stop == (4, 6)


def test_an_instruction_on_an_empty_line_is_seen() -> None:
    document = Document.read(".entry k() {\nret;\n\nL:\nbra L;\n}\n")
    assert len(flow_graph(document, 1).blocks) == 2
    document = edited(document, Position(2, 0), Position(2, 0), "add.u32 %r1, %r1, 1;")
    assert len(flow_graph(document, 1).blocks) == 3


def test_a_declaration_elsewhere_says_that_a_call_comes_back() -> None:
    document = Document.read(".func f() .noreturn;\n.entry k() {\ncall f;\n}\n")
    assert flow_graph(document, 1).blocks[0].leaves == "call"
    document = edited(document, Position(0, 9), Position(0, 19), "")
    assert flow_graph(document, 1).blocks[0].leaves == "ret"


def test_the_block_of_a_place() -> None:
    graph = graph_of("mov.u32 %r1, 1;\nL: bra L;")
    found = [
        graph.block_at(FunctionPosition(place))
        for place in ((0, 0), (1, 3), (2, 0), (2, 8), (3, 1), (4, 0))
    ]
    assert [block and block.number for block in found] == [None, 0, 1, 1, None, None]


def check_edited(text: str, line: int, columns: tuple[int, int], new: str) -> FlowGraph:
    """The graph after an edit, which has to be that of the text; returns it."""
    document = Document.read(dedent(text))
    before = flow_graph(document, 1)
    assert before.loops is not None
    document = edited(document, Position(line, columns[0]), Position(line, columns[1]), new)
    after = flow_graph(document, 1)
    fresh = flow_graph(Document.read(document.text), 1)
    assert after.blocks == fresh.blocks
    assert (after.loops, after.reachable) == (fresh.loops, fresh.reachable)
    return after


_BRANCHING = """\
.entry k() {
$L1:
  @%p1 bra $L2;
  add.u32 %r1, %r1, 1;
$L12:
  bra $L1;
$L2:
  ret;
}
"""


def test_a_branch_goes_elsewhere() -> None:
    assert check_edited(_BRANCHING, 2, (13, 14), "1").blocks[1].successors == [2, 1]
    assert check_edited(_BRANCHING, 2, (13, 14), "12").blocks[1].successors == [2, 3]
    assert check_edited(_BRANCHING, 5, (8, 9), "2").blocks[1].successors == [2]
    assert check_edited(_BRANCHING, 5, (8, 9), "77").blocks[1].is_open
    assert check_edited(_BRANCHING, 2, (4, 6), "p77").blocks[1].successors == [2, 3]


def test_a_branch_loses_its_guard() -> None:
    assert check_edited(_BRANCHING, 2, (2, 7), "").blocks[1].successors == [3]


def test_a_label_that_only_debug_data_names_starts_no_block() -> None:
    check_flow(
        """
        $L__tmp0:
        mov.u32 %r1, 1;
        $L__tmp1:
        @%p1 bra L;
        $L__tmp2:
        mov.u32 %r2, 2;
        L:
        ret;
        """,
        "0 0-4 -> 1 2",
        "1 4-7 -> 2",
        "L 7-8 -> ret",
    )


def test_edits_that_leave_the_end_of_a_block_where_it_was() -> None:
    one = "mov.u32 %r1, 1;\n"
    document = Document.read(_BRANCHING.replace("$L1:\n", f"{one}{one}$L1:\n{one}"))
    assert flow_graph(document, 1).blocks[1].start == (3, 0)
    document = edited(document, Position(1, 0), Position(2, 0), "")
    document = edited(document, Position(3, 0), Position(3, 0), one)
    assert flow_graph(document, 1).blocks == flow_graph(Document.read(document.text), 1).blocks


def test_blocks_in_braces_are_of_the_block_around_them() -> None:
    graph = graph_of("""
        {
        .reg .b32 %t;
        mov.b32 %t, 1;
        }
        { .reg .b32 %t; mov.b32 %t, 1; }
        {
        L: bra L;
        }
    """)
    assert [block.labels for block in graph.blocks] == [(), ("L",)]


@pytest.mark.parametrize(
    "calling",
    [
        "@%p1 bra END; call.uni f, (a);",
        "call.uni\nf,\n(\na\n);",
        "{ // callseq 1, 0\ncall.uni f, (a);\n}",
        "call.uni /* g */ f, (a;",
        "@%p1 bra END; call.uni f, (a;",
    ],
)
def test_a_call_that_does_not_come_back(calling: str) -> None:
    for head, comes_back in ((".func f(.param .b32 a) .noreturn;", False), (".func f();", True)):
        graph = graph_of(f"{calling}\nmov.u32 %r1, 1;\nEND: ret;", head)
        assert any(block.leaves == "call" for block in graph.blocks) is not comes_back
