"""Which registers are alive: compared with paths from writes and to reads."""

from __future__ import annotations

from itertools import pairwise

import networkx as nx
import pytest
from hypothesis import given
from hypothesis import strategies as st

from ptx_ls.flow.function_flow import FunctionFlow
from ptx_ls.flow.liveness import CLASSES, Liveness, register_class
from ptx_ls.syntax.register_events import KILLS, READS, WRITES
from tests.flow.test_definitions import flow_of, lines, program


def slow_alive(flow: FunctionFlow) -> dict[int, set[int]]:
    """Returns the registers that are alive after each instruction, by its first use."""
    index, ways, codes = flow.index, flow.uses.ways, flow.uses.codes
    graph: nx.DiGraph[object] = nx.DiGraph()
    ends: dict[int, object] = {}
    for block, (first, stop) in enumerate(pairwise(index.firsts)):
        nodes = [("start", block), *dict.fromkeys(map(index.first, range(first, stop)))]
        graph.add_nodes_from(nodes)
        graph.add_edges_from(pairwise(nodes))
        ends[block] = nodes[-1]
    for block, following in enumerate(flow.blocks.successors):
        graph.add_edges_from((ends[block], ("start", after)) for after in following)
    found: dict[int, set[int]] = {node: set() for node in graph if isinstance(node, int)}
    for code in set(codes):
        own = {use: index.first(use) for use in index.of(code)}
        kills = {first for use, first in own.items() if ways[use] & KILLS}
        reads = {first for use, first in own.items() if ways[use] & READS}
        writes = {first for use, first in own.items() if ways[use] & WRITES}
        for node, alive in found.items():
            is_read = any(
                leads(graph, after, read, kills)
                for after in graph.successors(node)
                for read in reads
            )
            is_written = any(nx.has_path(graph, write, node) for write in writes)
            if is_read and is_written:
                alive.add(code)
    return found


def leads(graph: nx.DiGraph[object], start: object, read: object, kills: set[int]) -> bool:
    """Whether a path leads to a read without an instruction that replaces the value before it."""
    if start == read:
        return True
    passed = graph.subgraph(set(graph) - (kills - {read}))
    return start in passed and nx.has_path(passed, start, read)


@given(st.lists(lines(), min_size=4, max_size=12))
def test_registers_are_alive_between_writes_and_reads(body: list[str]) -> None:
    flow = flow_of(program(body))
    liveness = Liveness(flow)
    expected = slow_alive(flow)
    for block, (first, stop) in enumerate(pairwise(flow.index.firsts)):
        starts = [*dict.fromkeys(map(flow.index.first, range(first, stop)))]
        counts = liveness.counts(block)
        assert [each.row for each in counts] == [flow.uses.rows[use] for use in starts]
        for number, use in enumerate(starts):
            alive = liveness.alive_after(block, number)
            assert alive == expected[use], (flow.text.shown_lines, number)
            types = [register_class(flow.registers.bank(code).type) for code in alive]
            assert counts[number].counts == tuple(map(types.count, range(len(CLASSES))))


def check_peak(body: str, words: int, counts: tuple[int, ...]) -> None:
    """Fails unless the widest point of a kernel has these 32-bit registers, and of each class."""
    flow = flow_of(body)
    liveness = Liveness(flow)
    found = [each for block in range(flow.blocks.n_blocks) for each in liveness.counts(block)]
    widest = max(found, key=lambda each: (each.words, sum(each.counts)))
    assert (widest.words, widest.counts) == (words, counts)


def test_sizes() -> None:
    check_peak(
        """
        mov.b32 %r1, 1;
        mov.b64 %rd1, 2;
        setp.eq.s32 %p1, %r1, 1;
        @%p1 st.shared.b64 [%r1], %rd1;
        """,
        3,
        (1, 0, 1, 1, 0),
    )
    check_peak(
        "mov.b32 %v.x, 1;\nmov.b32 %v.y, 2;\nst.shared.v2.b32 [4], %v;\n", 2, (0, 0, 2, 0, 0)
    )


def test_a_guarded_write_begins_a_value() -> None:
    check_peak(
        "setp.eq.s32 %p1, 1, 2;\n@%p1 mov.b32 %r1, 1;\n@%p1 st.shared.b32 [4], %r1;\n",
        1,
        (1, 0, 1, 0, 0),
    )


@pytest.mark.parametrize(
    ("written", "number"),
    [(".pred", 0), (".b8", 1), (".f16", 1), (".f16x2", 2), (".u32", 2), (".f64", 3), (".b128", 4)],
)
def test_classes(written: str, number: int) -> None:
    assert register_class(written) == number
