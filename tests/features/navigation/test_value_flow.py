"""Value flow: where the registers of an instruction come from, and who reads its results."""

from __future__ import annotations

from textwrap import dedent

import pytest

from ptx_ls.document.document import Document
from ptx_ls.features.navigation import value_flow
from ptx_ls.semantics.analysis import Analysis
from ptx_ls.source import Position
from tests.support.fixture import parse_fixture

HEAD = ".version 8.0\n.target sm_90\n.address_size 64\n"
BODY = """\
.entry k(.param .u64 p)
{
.reg .pred %p<9>;
.reg .b32 %r<9>;
"""
LOOP = """
mov.u32 %r1, %tid.x;
mov.u32 %r2, 0;
L:
add.u32 %r2, %r2, %r1;
setp.lt.u32 %p1, %r2, 40;
@%p1 bra L;
st.shared.v2.u32 [%r1], {%r2, %r1};
"""


def check_flow(marked: str, roots: list[str], sources: list[str], readers: list[str]) -> None:
    """Checks the instructions at the cursor, and those on both sides of the first one.

    Each side has the texts, and the registers between: `mov.u32 %r1, 0: %r1`.
    """
    fixture = parse_fixture(f"{HEAD}{BODY}{dedent(marked)}\nret;\n}}\n")
    document = Document.read(fixture.text)
    analysis = Analysis(document)
    found = value_flow.prepare(analysis, fixture.cursor)
    assert [each.text for each in found] == roots
    start = found[0].range.start if found else Position(0, 0)
    for side, expected in ((value_flow.sources, sources), (value_flow.readers, readers)):
        steps = side(analysis, start) if found else []
        texts = []
        for step in steps:
            names = [
                document.lines[it.start.line][it.start.column : it.end.column] for it in step.places
            ]
            texts.append(f"{step.statement.text}: {' '.join(names)}")
        assert texts == expected


def test_a_register_that_is_written() -> None:
    check_flow(
        LOOP.replace("add.u32 %r2", "add.u32 %r<|>2"),
        ["add.u32 %r2, %r2, %r1"],
        ["mov.u32 %r2, 0: %r2", "add.u32 %r2, %r2, %r1: %r2", "mov.u32 %r1, %tid.x: %r1"],
        [
            "add.u32 %r2, %r2, %r1: %r2",
            "setp.lt.u32 %p1, %r2, 40: %r2",
            "st.shared.v2.u32 [%r1], {%r2, %r1}: %r2",
        ],
    )


def test_a_register_that_is_read() -> None:
    check_flow(
        LOOP.replace("{%r2", "{%r<|>2"),
        ["add.u32 %r2, %r2, %r1"],
        ["mov.u32 %r2, 0: %r2", "add.u32 %r2, %r2, %r1: %r2", "mov.u32 %r1, %tid.x: %r1"],
        [
            "add.u32 %r2, %r2, %r1: %r2",
            "setp.lt.u32 %p1, %r2, 40: %r2",
            "st.shared.v2.u32 [%r1], {%r2, %r1}: %r2",
        ],
    )


def test_several_definitions() -> None:
    check_flow(
        LOOP.replace("%r2, %r1;", "%r<|>2, %r1;"),
        ["mov.u32 %r2, 0", "add.u32 %r2, %r2, %r1"],
        [],
        ["add.u32 %r2, %r2, %r1: %r2"],
    )


def test_a_guard() -> None:
    check_flow(
        LOOP.replace("@%p1", "@%p<|>1"),
        ["setp.lt.u32 %p1, %r2, 40"],
        ["add.u32 %r2, %r2, %r1: %r2"],
        ["@%p1 bra L: %p1"],
    )


def test_an_instruction() -> None:
    check_flow(
        LOOP.replace("st.shared", "s<|>t.shared"),
        ["st.shared.v2.u32 [%r1], {%r2, %r1}"],
        ["mov.u32 %r1, %tid.x: %r1", "add.u32 %r2, %r2, %r1: %r2"],
        [],
    )


def test_a_register_that_is_never_written() -> None:
    check_flow("add.u32 %r1, %r<|>3, 1;", ["add.u32 %r1, %r3, 1"], [], [])


@pytest.mark.parametrize(
    "marked", ["b<|>ra L; L:", "bra L<|>; L:", ".reg .b32 %q<|>;", "mov.u64 %rd1, p<|>;", "<|>// x"]
)
def test_nothing_else_has_values(marked: str) -> None:
    check_flow(marked, [], [], [])


def test_an_instruction_that_has_moved() -> None:
    text = f"{HEAD}{BODY}{LOOP}ret;\n}}\n"
    line = text[: text.index("setp")].count("\n")
    for before, place in (("", line), ("\n" * 20, line + 20), ("  ", line)):
        moved = text.replace("setp", f"{before}setp", 1)
        found = value_flow.found_again(
            Analysis(Document.read(moved)), Position(line, 0), "setp.lt.u32 %p1, %r2, 40"
        )
        assert found is not None
        assert found.line == place
    gone = Analysis(Document.read(text.replace("setp", "seto")))
    assert value_flow.found_again(gone, Position(line, 0), "setp.lt.u32 %p1, %r2, 40") is None
