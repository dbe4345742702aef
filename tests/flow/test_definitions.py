"""Which writes a value may come from: compared with paths, and with programs that run."""

from __future__ import annotations

from array import array
from itertools import accumulate, chain, pairwise
from textwrap import dedent
from typing import TYPE_CHECKING

import networkx as nx
import pytest
from hypothesis import given
from hypothesis import strategies as st

from ptx_ls.document.document import Document
from ptx_ls.flow import path_search
from ptx_ls.flow.block_arrays import BlockArrays
from ptx_ls.flow.function_flow import FunctionFlow
from ptx_ls.flow.graphs import never_returning
from ptx_ls.flow.registers.register_chain import RegisterChain
from ptx_ls.flow.registers.register_uses import RegisterUses
from ptx_ls.flow.registers.use_index import UseIndex
from ptx_ls.syntax.register_events import (
    BEGINS,
    KILLS,
    READS,
    WRITES,
    group_uses,
    plain_groups,
)
from tests.flow.random_graphs import EDGES

if TYPE_CHECKING:
    from collections.abc import Sequence

HEAD = ".version 8.5\n.target sm_90\n.address_size 64\n"
DECLARED = "    .reg .b32 %r<10>; .reg .b64 %rd<9>; .reg .pred %p<9>; .reg .v2 .b32 %v;\n"


def flow_of(body: str) -> FunctionFlow:
    """Returns the flow of a kernel with a body."""
    document = Document.read(f"{HEAD}.entry k()\n{{\n{DECLARED}{body}}}\n")
    return FunctionFlow(document.leaf(document.n_leaves - 1), never_returning(document))


def check_definitions(body: str) -> None:
    """Comments name writes (`// a: ...`), and those that a read of %r1 finds (`// %r1: a b entry`).

    A name at the start of a comment is that of the line's write of %r1.
    """
    body = dedent(body.removeprefix("\n"))
    flow = flow_of(body)
    rows = {
        row: line.partition("// ")[2].rstrip()
        for row, line in enumerate(flow.text.shown_lines)
        if "// " in line
    }
    code = flow.registers.code("%r1")
    own = [use for use in range(len(flow.uses.codes)) if flow.name_of(use) == "%r1"]
    assert code >= 0
    names = {
        use: rows[flow.uses.rows[use]].split(":")[0]
        for use in own
        if flow.uses.ways[use] & WRITES and flow.uses.rows[use] in rows
    }
    seen = set()
    for use in own:
        row = flow.uses.rows[use]
        if flow.uses.ways[use] & READS and "%r1: " in rows.get(row, ""):
            found = flow.definitions(use)
            shown = [names[write] for write in found.writes]
            shown += ["entry"] if flow.may_be_unset(use) else []
            assert " ".join(shown) == rows[row].partition("%r1: ")[2], flow.text.lines[row]
            seen.add(row)
            for write in found.writes:
                assert use in flow.readers(write)
    assert seen == {row for row, comment in rows.items() if "%r1: " in comment}


def test_a_straight_line() -> None:
    check_definitions(
        """
        st.shared.b32 [4], %r1; // %r1: entry
        mov.b32 %r1, 1; // a
        add.s32 %r1, %r1, 1; // b: %r1: a
        st.shared.b32 [4], %r1; // %r1: b
        """
    )


def test_a_loop() -> None:
    check_definitions(
        """
        mov.b32 %r1, 1; // a
        again:
        add.s32 %r1, %r1, 1; // b: %r1: a b
        setp.lt.s32 %p1, %r1, 9; // %r1: b
        @%p1 bra again;
        st.shared.b32 [4], %r1; // %r1: b
        """
    )


def test_complementary_guards() -> None:
    check_definitions(
        """
        setp.lt.s32 %p1, %r2, 9;
        @%p1 mov.b32 %r1, 1; // a
        @!%p1 mov.b32 %r1, 2; // b
        st.shared.b32 [4], %r1; // %r1: a b
        @%p1 st.shared.b32 [4], %r1; // %r1: a
        @!%p1 st.shared.b32 [4], %r1; // %r1: b
        """
    )


def test_the_guard_changes_between() -> None:
    check_definitions(
        """
        setp.lt.s32 %p1, %r2, 9;
        @%p1 mov.b32 %r1, 1; // a
        setp.lt.s32 %p1, %r2, 10;
        @%p1 st.shared.b32 [4], %r1; // %r1: a entry
        """
    )


def test_an_instruction_changes_its_own_guard() -> None:
    check_definitions(
        """
        setp.lt.s32 %p1, %r2, 9;
        @%p1 shfl.sync.idx.b32 %r1|%p1, %r2, 0, 31, -1; // a
        @!%p1 st.shared.b32 [4], %r1; // %r1: a entry
        """
    )


def test_complementary_predicates() -> None:
    check_definitions(
        """
        setp.lt.s32 %p1|%p2, %r2, 9;
        @%p1 mov.b32 %r1, 1; // a
        @%p2 mov.b32 %r1, 2; // b
        st.shared.b32 [4], %r1; // %r1: a b
        """
    )
    check_definitions(
        """
        setp.lt.s32 %p1, %r2, 9;
        setp.ge.s32 %p2, %r2, 9;
        @%p1 mov.b32 %r1, 1; // a
        @%p2 mov.b32 %r1, 2; // b
        st.shared.b32 [4], %r1; // %r1: a b
        """
    )
    check_definitions(
        """
        setp.lt.f32 %p1, %r2, 0f00000000;
        setp.ge.f32 %p2, %r2, 0f00000000;
        @%p1 mov.b32 %r1, 1; // a
        @%p2 mov.b32 %r1, 2; // b
        st.shared.b32 [4], %r1; // %r1: a b entry
        """
    )
    check_definitions(
        """
        setp.lt.s32 %p1, %r2, 9;
        not.pred %p2, %p1;
        @%p1 mov.b32 %r1, 1; // a
        @%p2 mov.b32 %r1, 2; // b
        st.shared.b32 [4], %r1; // %r1: a b
        """
    )


def test_branches_with_the_same_condition() -> None:
    check_definitions(
        """
        setp.lt.s32 %p1, %r2, 9;
        @!%p1 bra skip;
        mov.b32 %r1, 1; // a
        skip:
        add.s32 %r3, %r2, 1;
        @!%p1 bra done;
        st.shared.b32 [4], %r1; // %r1: a
        done:
        """
    )
    check_definitions(
        """
        setp.lt.s32 %p1, %r2, 9;
        @!%p1 bra skip;
        mov.b32 %r1, 1; // a
        skip:
        add.s32 %r2, %r2, 1;
        setp.lt.s32 %p1, %r2, 9;
        @!%p1 bra done;
        st.shared.b32 [4], %r1; // %r1: a entry
        done:
        """
    )
    check_definitions(
        """
        setp.lt.s32 %p1, %r2, 9;
        @%p1 mov.b32 %r1, 1; // a
        setp.lt.s32 %p2, %r2, 9;
        and.pred %p3, %p2, %p4;
        @%p3 st.shared.b32 [4], %r1; // %r1: a
        """
    )


def test_a_part_of_a_vector() -> None:
    flow = flow_of("mov.b32 %v.x, 1;\nmov.b32 %v.y, 2;\nst.shared.v2.b32 [4], %v;\n")
    assert [flow.name_of(use) for use in range(3)] == ["%v", "%v", "%v"]
    assert flow.definitions(2)[:2] == ((0, 1), True)


def test_registers_of_one_name_in_blocks() -> None:
    flow = flow_of(
        dedent(
            """
            mov.b32 %r1, 1;
            {
            .reg .b32 %r1, t;
            mov.b32 %r1, 2;
            mov.b32 t, 3;
            }
            {
            .reg .b32 t;
            add.s32 %r2, %r1, t;
            }
            st.shared.b32 [4], %r1;
            """
        )
    )
    names = [(flow.name_of(use), flow.uses.rows[use] - 3) for use in range(len(flow.uses.codes))]
    first, _, _, _, outer, inner, last = range(7)
    assert [name for name, _ in names] == ["%r1", "%r1", "t", "%r2", "%r1", "t", "%r1"]
    assert flow.definition(outer) == flow.definition(last) == first
    assert flow.definitions(inner)[:2] == ((), True)


def test_too_many_paths_are_all_writes() -> None:
    body = "".join(f"@%p{n % 9} mov.b32 %r1, {n};\nL{n}: @%p0 bra L{n // 2};\n" for n in range(900))
    flow = flow_of(f"{body}st.shared.b32 [4], %r1;\n")
    last = len(flow.uses.codes) - 1
    found = flow.definitions(last)
    assert len(found.writes) == 900
    assert found.from_entry


def test_too_many_writes_on_a_path_are_all_writes(monkeypatch: pytest.MonkeyPatch) -> None:
    body = "@%p1 mov.b32 %r1, 1;\n@!%p1 mov.b32 %r1, 2;\nst.shared.b32 [4], %r1;\n"
    assert not flow_of(body).definitions(4).from_entry
    monkeypatch.setattr(path_search, "_MAX_WRITES_OF_FUNCTION", 0)
    flow = flow_of(body * 2)
    assert [flow.definitions(use).from_entry for use in (4, 9)] == [False, True]


STATEMENTS = st.lists(
    st.lists(
        st.tuples(st.integers(0, 2), st.sampled_from([READS, WRITES, WRITES | KILLS])),
        min_size=1,
        max_size=3,
    ),
    max_size=3,
)


@given(EDGES, st.data())
def test_definitions_are_on_paths(edges: list[list[int]], data: st.DataObject) -> None:
    """The write and the use are connected without the instructions that replace the value."""
    codes, ways, firsts = array("i"), bytearray(), array("i")
    for _ in edges:
        firsts.append(len(ways))
        for statement in data.draw(STATEMENTS):
            for number, (code, way) in enumerate(statement):
                codes.append(code)
                ways.append(way | (0 if number else BEGINS))
    firsts.append(len(ways))
    uses = RegisterUses(array("i", range(len(ways))), codes, bytes(ways), {})
    index = UseIndex(uses, firsts, 3)
    after_at = array("i", accumulate(map(len, edges), initial=0))
    blocks = BlockArrays(firsts, after_at, array("i", chain.from_iterable(edges)))
    for code in range(3):
        own = RegisterChain(code, bytes(ways), index, blocks)
        readers: dict[int, list[int]] = {}
        of_entry = []
        for use in chain.from_iterable(own.reads_in.values()):
            block, first = index.block_of(use), index.first(use)
            found = own.reaching(block, first)
            expected = slow_definitions(index, bytes(ways), edges, use)
            assert (found.writes, found.from_entry) == expected
            killing = index.killed_by(code, block, first)
            assert killing < 0 or expected == ((killing,), False)
            for write in found.writes:
                readers.setdefault(write, []).append(use)
            of_entry += [use] if found.from_entry else []
        assert [*own.reads_of_entry()] == of_entry
        for write in own.all_writes:
            assert own.reads_after(write) == readers.get(write, [])


def slow_definitions(
    index: UseIndex, ways: bytes, edges: Sequence[Sequence[int]], use: int
) -> tuple[tuple[int, ...], bool]:
    """Returns the writes with a path to a use, and whether the entry has one."""
    code = next(code for code in range(3) if use in index.of(code))
    own = {each: index.first(each) for each in index.of(code)}
    graph: nx.DiGraph[object] = nx.DiGraph()
    ends = {}
    for block, (first, stop) in enumerate(pairwise(index.firsts)):
        nodes = [("start", block), *dict.fromkeys(map(index.first, range(first, stop)))]
        graph.add_nodes_from(nodes)
        graph.add_edges_from(pairwise(nodes))
        ends[block] = nodes[-1]
    for block, following in enumerate(edges):
        graph.add_edges_from((ends[block], ("start", after)) for after in following)
    killing = {first for each, first in own.items() if ways[each] & KILLS}
    target = index.first(use)

    def leads(source: object) -> bool:
        passed = graph.subgraph(set(graph.nodes) - (killing - {source, target}))
        return any(nx.has_path(passed, each, target) for each in passed.successors(source))

    found = [
        each
        for each, first in own.items()
        if ways[each] & WRITES
        and each == max(it for it, at in own.items() if at == first and ways[it] & WRITES)
        and leads(first)
    ]
    return tuple(sorted(found)), leads(("start", 0))


@given(st.lists(st.integers(0, 5)))
def test_uses_by_register(codes: list[int]) -> None:
    given_codes = array("i", codes)
    at, order = group_uses(given_codes, 6)
    assert [[*each] for each in plain_groups(given_codes, 6)] == [[*at], [*order]]
    for code in range(6):
        expected = [number for number, each in enumerate(codes) if each == code]
        assert [*order[at[code] : at[code + 1]]] == expected


PREDICATE = st.sampled_from(["%p0", "%p1", "%p2"])
REGISTER = st.sampled_from(["%r0", "%r1"])
OPERAND = st.sampled_from(["%r0", "%r1", "1", "2"])


@st.composite
def lines(draw: st.DrawFn) -> str:
    """A random instruction on few predicates and registers, perhaps a branch or a label."""
    guard = draw(st.sampled_from(["", "@{} ", "@!{} "])).format(draw(PREDICATE))
    p, q, s = draw(PREDICATE), draw(PREDICATE), draw(PREDICATE)
    r, a, b = draw(REGISTER), draw(OPERAND), draw(OPERAND)
    operator = draw(st.sampled_from(["eq", "ne", "lt", "le", "gt", "ge"]))
    both = draw(st.sampled_from(["and", "or"]))
    label = draw(st.integers(0, 3))
    negated = draw(st.sampled_from(["", "!"]))
    return draw(
        st.sampled_from(
            [
                f"{guard}mov.b32 {r}, {a};",
                f"{guard}add.s32 {r}, {a}, {b};",
                f"{guard}setp.{operator}.s32 {p}, {a}, {b};",
                f"{guard}setp.{operator}.s32 {p}|{q}, {a}, {b};",
                f"{guard}setp.{operator}.{both}.s32 {p}, {a}, {b}, {negated}{q};",
                f"{guard}not.pred {p}, {q};",
                f"{guard}mov.pred {p}, {q};",
                f"{guard}{both}.pred {p}, {q}, {s};",
                f"{guard}bra L{label};",
            ]
        )
    )


def program(body: list[str]) -> str:
    """Returns a program of `lines`, in which all labels are declared."""
    n_groups = (len(body) + 3) // 4
    rows = [
        f"L{number // 4}: {line}" if number % 4 == 0 else line for number, line in enumerate(body)
    ]
    return "\n".join([*rows, *(f"L{label}:" for label in range(n_groups, 4)), "ret;"]) + "\n"


@given(st.lists(lines(), min_size=4, max_size=16), st.data())
def test_no_run_refutes_the_definitions(body: list[str], data: st.DataObject) -> None:
    """Runs a program with random initial values, and compares where each value comes from."""
    Run(flow_of(program(body)), data).check()


class Run:
    """A run of a program of `lines`."""

    def __init__(self, flow: FunctionFlow, data: st.DataObject) -> None:
        self._flow = flow
        self._values: dict[str, int] = {f"%r{n}": data.draw(st.integers(0, 2)) for n in range(2)}
        self._values |= {f"%p{n}": data.draw(st.integers(0, 1)) for n in range(3)}
        self._written: dict[str, int] = {}
        self._lines = [line.strip() for line in flow.text.shown_lines]
        self._by_row: dict[int, list[int]] = {}
        for use, row in enumerate(flow.uses.rows):
            self._by_row.setdefault(row, []).append(use)

    def check(self) -> None:
        """Runs at most 60 instructions."""
        row = 3
        for _ in range(60):
            _, _, code = self._lines[row].rpartition(": ")
            if code == "ret;":
                break
            row = self._step(row, code.rstrip(";")) if not code.endswith(":") else row + 1

    def _step(self, row: int, code: str) -> int:
        uses = self._by_row.get(row, [])
        flow = self._flow
        is_run = True
        if code.startswith("@"):
            guard, code = code.split(" ", 1)
            self._check_reads(use for use in uses[:1])
            is_run = bool(self._values[guard.strip("@!")]) != ("!" in guard)
            uses = uses[1:]
        if not is_run:
            return row + 1
        opcode, rest = code.split(" ", 1)
        if opcode == "bra":
            return next(n for n, line in enumerate(self._lines) if line.startswith(f"{rest}:"))
        self._check_reads(use for use in uses if flow.uses.ways[use] & READS)
        targets, *sources = rest.split(", ")
        found = self._computed(opcode, sources)
        for target, value in zip(targets.split("|"), (found, 1 - found), strict=False):
            self._values[target] = value
        for use in uses:
            if flow.uses.ways[use] & WRITES:
                self._written[flow.name_of(use)] = use
        return row + 1

    def _computed(self, opcode: str, sources: Sequence[str]) -> int:
        name, *modifiers = opcode.split(".")
        read = [
            1 - self._values[each[1:]]
            if each[0] == "!"
            else self._values.get(each, 0) or (int(each) if each.isdigit() else 0)
            for each in sources
        ]
        if name == "setp":
            found = {
                "eq": read[0] == read[1],
                "ne": read[0] != read[1],
                "lt": read[0] < read[1],
                "le": read[0] <= read[1],
                "gt": read[0] > read[1],
                "ge": read[0] >= read[1],
            }[modifiers[0]]
            if modifiers[1] == "and":
                return int(found and read[2])
            return int(found or read[2]) if modifiers[1] == "or" else int(found)
        if name == "not":
            return 1 - read[0]
        if name == "add":
            return (read[0] + read[1]) % 3
        if name == "and":
            return read[0] & read[1]
        return read[0] | read[1] if name == "or" else read[0]

    def _check_reads(self, uses: object) -> None:
        for use in uses:  # type: ignore[attr-defined]  # it is iterable
            name = self._flow.name_of(use)
            found = self._flow.definitions(use)
            if name in self._written:
                assert self._written[name] in found.writes, self._lines
            else:
                assert found.from_entry, self._lines
                assert self._flow.may_be_unset(use) is not False, self._lines


@pytest.mark.parametrize("guard", ["", "@%p9undeclared "])
def test_a_guard_that_is_not_declared(guard: str) -> None:
    flow = flow_of(f"mov.b32 %r1, 1;\n{guard}mov.b32 %r1, 2;\nst.shared.b32 [4], %r1;\n")
    assert flow.definitions(2).writes == ((1,) if not guard else (0, 1))


def test_a_use_after_the_body() -> None:
    document = Document.read(f"{HEAD}.entry k()\n{{\n{DECLARED}}}\nadd.s32 %r1, %r2, 1;\n")
    flow = FunctionFlow(document.leaf(1), never_returning(document))
    for use in range(len(flow.uses.codes)):
        assert flow.definitions(use)[:2] == ((), True)
        assert flow.may_be_unset(use)
        assert flow.readers(use) == ()
