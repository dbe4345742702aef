"""Flow graphs after edits are those of the text."""

from __future__ import annotations

from hypothesis import given, settings
from hypothesis import strategies as st

from ptx_ls.document.document import Document
from ptx_ls.document.editing import edited
from ptx_ls.flow.graphs import flow_graph, never_returning
from ptx_ls.flow.reader import read_graph
from ptx_ls.semantics.symbols.region_text import region_text
from ptx_ls.source import Position

PIECES = [
    "L1:\n",
    "$L2: // a comment\n",
    "L1: L3: ret;\n",
    "bra L1;\n",
    "@%p1 bra\t$L2;\n",
    "@!%p1 bra.uni L3;\n",
    "@%p1 exit;\n",
    "ret;\n",
    "add.u32 %r1, %r2, 3;\n",
    "T: .branchtargets L1, $L2;\nbrx.idx %r1, T;\n",
    "brx.idx %r1, T;\n",
    "{\n",
    "{ L1: bra L1; }\n",
    "}\n",
    "call f;\n",
    "call (%r1), g, (%r2);\n",
    "bra /* where */ L1;\n",
    "\n",
    ".reg .b32 %r<4>;\n",
]
EDITS = st.lists(
    st.tuples(st.integers(0, 30), st.integers(0, 2), st.lists(st.sampled_from(PIECES), max_size=2)),
    max_size=3,
)


def check_graphs(text: str, edits: list[tuple[int, int, list[str]]]) -> None:
    """Graphs after each edit are those of the text."""
    document = Document.read(text)
    for line, count, added in [(0, 0, []), *edits]:
        document = edited(document, Position(line, 0), Position(line + count, 0), "".join(added))
        fresh = Document.read(document.text)
        for index in range(fresh.n_leaves):
            graph, expected = flow_graph(document, index), flow_graph(fresh, index)
            assert graph == expected
            assert graph == read_graph(region_text(document.leaf(index)), never_returning(document))
            assert [branch[:2] for branch in graph.branches] == [
                branch[:2] for branch in expected.branches
            ]


@settings(max_examples=150)
@given(st.lists(st.sampled_from(PIECES), max_size=30), EDITS, st.sampled_from(["", " .noreturn"]))
def test_any_body(pieces: list[str], edits: list[tuple[int, int, list[str]]], word: str) -> None:
    body = "".join(pieces)
    check_graphs(f".func f(){word};\n.func h() {{\n}}\n.entry k() {{\n{body}}}\n", edits)


def test_edits_of_a_function_that_is_called() -> None:
    text = ".func g();\n.func f()\n{\nret;\n}\n.entry k() {\ncall f;\ncall g;\nret;\n}\n"
    edits = [
        (1, 2, [".func f() .noreturn\n"]),
        (3, 3, ["add.u32 %r1, %r2, 3;\n"]),
        (0, 0, [".func h();\n"]),
        (4, 5, ["exit;\n", "exit;\n"]),
        (2, 3, [".func f()\n"]),
        (1, 2, [".func g()\n.noreturn;\n"]),
    ]
    check_graphs(text, [(line, stop - line, added) for line, stop, added in edits])
