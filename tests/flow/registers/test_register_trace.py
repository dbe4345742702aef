"""All registers of a function, followed along all paths at once."""

from __future__ import annotations

from array import array
from itertools import accumulate, chain
from pathlib import Path
from textwrap import dedent
from typing import TYPE_CHECKING

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ptx_ls.document.document import Document
from ptx_ls.flow.block_arrays import blocks_of_graph
from ptx_ls.flow.graphs import flow_graph
from ptx_ls.flow.registers import register_trace
from ptx_ls.flow.registers.register_flow import RegisterFlow
from ptx_ls.flow.registers.register_sites import Sites
from ptx_ls.flow.registers.register_table import RegisterTable
from ptx_ls.flow.registers.register_trace import (
    RegisterTrace,
    TraceInput,
    plain_trace,
    trace_registers,
)
from ptx_ls.flow.registers.register_uses import RegisterUses, register_uses
from ptx_ls.semantics.symbols.module import region_facts
from ptx_ls.syntax.register_events import BEGINS, KILLS, READS, WRITES
from ptx_ls.syntax.scanner import compiled

if TYPE_CHECKING:
    from ptx_ls.flow.graph import FlowGraph

PRODUCTS = Path(__file__).parents[2] / "corpus" / "ptx"
HEAD = ".version 8.5\n.target sm_90\n.address_size 64\n"
DECLARED = "    .reg .b32 %r<10>; .reg .b64 %rd<9>; .reg .pred %p<9>;\n"
BLOCK = st.lists(st.tuples(st.integers(0, 2), st.sampled_from([READS, WRITES, WRITES | KILLS])))


def check_trace(body: str) -> None:
    """Comments `// unset %r1`, `// never %r1` and `// dead %r1` say what a line does."""
    text = f"{HEAD}.entry k()\n{{\n{DECLARED}{dedent(body.removeprefix(chr(10)))}}}\n"
    document = Document.read(text)
    number = document.n_leaves - 1
    uses, table, _, found = traced(document, number)
    first = document.functions[number].first_line
    expected = [
        (row, *line.partition("// ")[2].split())
        for row, line in enumerate(text.split("\n"))
        if "// " in line
    ]
    never = set(found.never)
    kinds = [(each, "never" if each in never else "unset") for each in found.unset]
    kinds += [(each, "dead") for each in found.dead]
    assert sorted(
        (first + uses.rows[each], kind, table.name(uses.codes[each])) for each, kind in kinds
    ) == sorted(expected)


def traced(
    document: Document, number: int
) -> tuple[RegisterUses, RegisterTable, FlowGraph, RegisterTrace]:
    function = document.leaf(number)
    table, graph = RegisterTable(region_facts(function)), flow_graph(document, number)
    uses = register_uses(function, table)
    blocks = blocks_of_graph(graph, uses)
    return uses, table, graph, trace_registers(uses, blocks, table.n_codes)


def test_a_straight_line() -> None:
    check_trace(
        """
        mov.b32 %r1, 1;
        add.s32 %r2, %r1, %r3; // never %r3
        st.global.b32 [%rd1], %r2; // never %rd1
        """
    )


def test_one_of_two_paths_writes() -> None:
    check_trace(
        """
        setp.eq.s32 %p1, 1, 2;
        @%p1 bra done;
        mov.b32 %r1, 1;
    done:
        st.shared.b32 [4], %r1; // unset %r1
        """
    )


def test_a_guarded_write_may_write() -> None:
    check_trace(
        """
        setp.eq.s32 %p1, 1, 2;
        @%p1 mov.b32 %r1, 1;
        st.shared.b32 [4], %r1; // unset %r1
        """
    )


def test_a_write_after_the_read_in_a_loop() -> None:
    check_trace(
        """
    again:
        add.s32 %r2, %r1, 1; // never %r1
        mov.b32 %r1, %r2;
        setp.lt.s32 %p1, %r2, 9;
        @%p1 bra again;
        """
    )


def test_the_first_of_two_loops_writes() -> None:
    check_trace(
        """
    first:
        mov.b32 %r1, 1;
        setp.lt.s32 %p1, %r1, 9;
        @%p1 bra first;
    second:
        add.s32 %r1, %r1, 1;
        setp.lt.s32 %p1, %r1, 9;
        @%p1 bra second;
        """
    )


def test_a_write_later_in_the_loop_than_the_read() -> None:
    check_trace(
        """
    again:
        setp.lt.s32 %p1, %r1, 9; // never %r1
        @%p1 bra skip;
        mov.b32 %r1, 1;
    skip:
        st.shared.b32 [4], %r1; // unset %r1
        bra again;
        """
    )


def test_a_write_that_no_path_leads_from() -> None:
    check_trace(
        """
        setp.eq.s32 %p1, 1, 2;
        @%p1 bra other;
        mov.b32 %r1, 1; // dead %r1
        bra done;
    other:
        st.shared.b32 [4], %r1; // never %r1
    done:
        """
    )


def test_values_that_nothing_reads() -> None:
    check_trace(
        """
        mov.b32 %r1, 1; // dead %r1
        mov.b32 %r1, 2;
        st.shared.b32 [4], %r1;
        mov.b32 %r1, 3; // dead %r1
        """
    )


def test_an_instruction_reads_before_it_writes() -> None:
    check_trace("mov.b32 %r1, 1;\nadd.s32 %r1, %r1, 1;\nst.shared.b32 [4], %r1;\n")
    check_trace("add.s32 %r1, %r1, 1; // never %r1\nst.shared.b32 [4], %r1;\n")


def test_several_statements_on_a_line() -> None:
    check_trace("mov.b32 %r1, 1; st.shared.b32 [4], %r1; mov.b32 %r1, 2; // dead %r1\n")


def test_a_block_in_braces_on_a_line() -> None:
    check_trace(
        """
        mov.b32 %r1, 1;
        { .reg .b32 t; mov.b32 t, %r1; add.s32 %r2, t, %r3; } // never %r3
        st.shared.b32 [4], %r2;
        """
    )


def test_a_guard_that_a_block_on_a_line_declares() -> None:
    check_trace(
        """
        { .reg .pred p; setp.eq.s32 p, 1, 2; mov.b32 %r1, 1; @p add.s32 %r1, %r1, 1; }
        st.shared.b32 [4], %r1;
        """
    )


def test_a_loop_in_a_block_on_a_line() -> None:
    check_trace(
        """
        { .reg .pred p; L: setp.eq.s32 p, %r1, 0; @p bra L; } // never %r1
        """
    )


def test_an_instruction_over_several_lines() -> None:
    check_trace(
        """
        add.s32 %r1, // never %r2
            %r2, 1;
        st.shared.b32 [4], %r1;
        """
    )


@st.composite
def trace_inputs(draw: st.DrawFn) -> TraceInput:
    """A random flow graph, with random uses of three registers in its blocks."""
    blocks = draw(st.lists(st.lists(BLOCK, max_size=3), min_size=1, max_size=6))
    numbers = st.integers(0, len(blocks) - 1)
    edges = draw(
        st.lists(st.lists(numbers, max_size=2), min_size=len(blocks), max_size=len(blocks))
    )
    codes, ways, firsts = array("i"), bytearray(), array("i", [0])
    for block in blocks:
        for statement in block:
            for place, (code, way) in enumerate(statement):
                codes.append(code)
                ways.append(way | (0 if place else BEGINS))
        firsts.append(len(ways))
    after_at = array("i", accumulate(map(len, edges), initial=0))
    return TraceInput(codes, bytes(ways), firsts, after_at, array("i", chain(*edges)))


@given(trace_inputs())
def test_the_compiled_trace_equals_that_in_python(given: TraceInput) -> None:
    if compiled is None:
        pytest.skip("the scanner is not built")
    in_c = register_trace.compiled_trace(given, 3)
    in_python = plain_trace(given, 3)
    assert [*map(sorted, in_c[:3])] == [*map(sorted, in_python[:3])]
    assert [*in_c.only] == [*in_python.only]


@given(trace_inputs(), st.data())
def test_no_walk_refutes_the_trace(given: TraceInput, data: st.DataObject) -> None:
    """Walks at random, and compares what it sees with what the trace says of all paths."""
    found = plain_trace(given, 3)
    unset, never, dead = map(set, found[:3])
    written: dict[int, int] = {}
    block, seen = 0, set[int]()
    for _ in range(20):
        touched: set[int] = set()
        for code, uses in accesses(given, block):
            reads = [use for use in uses if given.ways[use] & READS]
            writes = [use for use in uses if given.ways[use] & WRITES]
            if reads:
                assert written.get(code) not in dead
                assert code in written or code in touched or reads[0] in unset
                assert code not in written or block in seen or reads[0] not in never
            is_whole = any(given.ways[use] & KILLS for use in writes)
            if writes and (is_whole or data.draw(st.booleans())):
                written[code] = writes[-1]
            touched.add(code)
        seen.add(block)
        after = given.after[given.after_at[block] : given.after_at[block + 1]]
        if not after:
            break
        block = data.draw(st.sampled_from(list(after)))


def accesses(given: TraceInput, block: int) -> list[tuple[int, list[int]]]:
    """Returns the uses of each register in each instruction of a block."""
    found: list[dict[int, list[int]]] = []
    for use in range(given.firsts[block], given.firsts[block + 1]):
        if given.ways[use] & BEGINS:
            found.append({})
        found[-1].setdefault(given.codes[use], []).append(use)
    return [each for statement in found for each in statement.items()]


@pytest.mark.parametrize(
    "path", sorted(PRODUCTS.glob("*-O[03].ptx"))[::5], ids=lambda path: path.stem
)
def test_the_trace_equals_the_flow_of_each_register(path: Path) -> None:
    document = Document.read(path.read_text(encoding="utf-8", errors="surrogateescape"))
    for number in range(document.n_leaves):
        facts = region_facts(document.leaf(number))
        if facts.function is None or facts.has_blocks or not flow_graph(document, number).starts:
            continue
        uses, table, graph, found = traced(document, number)
        unset = {table.name(uses.codes[each]) for each in found.unset}
        sites = Sites(document.leaf(number), facts)
        for name in sorted({table.name(code) for code in uses.codes})[::7]:
            symbol = facts.scope.lookup(name)
            assert symbol is not None
            flow = RegisterFlow(graph, sites.of(name, symbol))
            reads = [site for site in flow.sites if site.is_read]
            is_unset = any(flow.reaching(site.start)[1] for site in reads)
            assert is_unset == (name in unset), name


@pytest.mark.parametrize("count", [1 << 23, 2_000_000_000])
def test_more_registers_than_memory_has_room_for(count: int) -> None:
    text = f"{HEAD}.entry k()\n{{\n.reg .b32 %r<{count}>;\nadd.s32 %r1, %r2, %r{count - 1};\n}}\n"
    document = Document.read(text)
    uses, table, _, _ = traced(document, document.n_leaves - 1)
    assert not uses.codes
    assert not table.n_codes
