"""Flow graphs in Graphviz' language, by their blocks and edges."""

from __future__ import annotations

import re

from ptx_ls.document.document import Document
from ptx_ls.features.control_flow.flow_dot import dot
from ptx_ls.features.control_flow.flow_text import flow_at
from ptx_ls.semantics.analysis import Analysis
from tests.support.fixture import parse_fixture

NODE = re.compile(r'^  (\w+) \[label="((?:[^"\\]|\\.)*)"(.*)\];$')
EDGE = re.compile(r"^  \w+ -> \w+")


def check_dot(marked: str, name: str, titles: list[str], edges: list[str]) -> str:
    """Checks the first lines of blocks, and the edges of the function at `<|>`; gives the text."""
    fixture = parse_fixture(marked)
    flow = flow_at(Analysis(Document.read(fixture.text)), fixture.cursor)
    assert flow is not None
    text = dot(flow, lambda: False)
    first, _, *lines, last = text.splitlines()
    assert (first, last) == (f'digraph "{name}" {{', "}")
    nodes = [match for match in map(NODE.match, lines) if match]
    assert [it[2].partition("\\l")[0] + it[3] for it in nodes if it[1][0] == "b"] == titles
    assert [line.strip(" ;") for line in lines if EDGE.match(line)] == edges
    assert len(nodes) + len(edges) == len(lines)
    return text


def test_a_loop_and_a_branch_over_it() -> None:
    text = check_dot(
        ".entry k()\n{\n  @%p bra E;\nL:\n  add.u32 %r1, %r1, 1;\n  @%q bra L;<|>\nE:\n  ret;\n}\n",
        "k",
        ["line 3", "lines 4-6, loop of this block", "lines 7-8"],
        ["b0 -> b1", "b0 -> b2", "b1 -> b2", 'b1 -> b1 [label="loop", style=bold]', "b2 -> out2"],
    )
    assert "    5  add.u32 %r1, %r1, 1;" in text
    assert 'out2 [label="ret", shape=oval]' in text


def test_blocks_that_control_does_not_come_to() -> None:
    check_dot(
        ".entry j() { ret; }\n.func f()\n{\n  ret;<|>\n  bar.sync 0;\n}\n",
        "f",
        ["line 4", "line 5, style=dashed"],
        ["b0 -> out0", "b1 -> out1"],
    )


def test_a_branch_to_nowhere() -> None:
    check_dot(".entry k()\n{\n  bra <|>M;\n}\n", "k", ["line 3"], ["b0 -> open0"])


def test_long_blocks_and_lines_are_cut() -> None:
    body = "".join(f"  add.u32 %r1, %r1, {number};\n" for number in range(100))
    text = check_dot(
        f".entry k()\n{{<|>\n{body}  // {'long ' * 99}\n}}\n", "k", ["lines 3-103"], ["b0 -> out0"]
    )
    assert "... 77 more lines" in text
    assert "%r1, 0;" in text
    assert "%r1, 50;" not in text
    assert "long lo...\\l" in text


def test_text_is_escaped() -> None:
    text = check_dot('.entry k()\n{\n  .pragma "a\\b";<|>\n}\n', "k", ["line 3"], ["b0 -> out0"])
    assert '.pragma \\"a\\\\b\\";' in text


def test_no_function() -> None:
    for marked in ("<|>", ".version 8.0\n<|>\n", ".extern .func f();<|>\n"):
        fixture = parse_fixture(marked)
        assert flow_at(Analysis(Document.read(fixture.text)), fixture.cursor) is None


def test_work_that_is_stopped_is_a_graph_still() -> None:
    flow = flow_at(Analysis(Document.read(".entry k() { ret; }")), parse_fixture("<|>").cursor)
    assert flow is not None
    assert dot(flow, lambda: True).endswith("}\n")
