"""Facts about a document after edits equal those of its text read again."""

from __future__ import annotations

import re

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ptx_ls.document.document import Document
from ptx_ls.document.editing import edited
from ptx_ls.semantics.analysis import Analysis
from ptx_ls.semantics.symbols.references.occurrences import occurrences
from ptx_ls.source import Position

LINES = [
    ".version 8.5",
    ".target sm_90",
    ".global .u32 g;",
    ".func f(.param .b32 x) {",
    ".func f(.param .b32 x);",
    ".entry k(.param .u64 x)",
    "{",
    "}",
    "} .global .u32 h;",
    ".reg .b32 %r<4>;",
    ".reg .b32 t, %q;",
    "{ .reg .f32 t; mov.f32 t, t; }",
    "L: ret;",
    "bra L;",
    "add.u32 %r1, %r2, t;",
    "ld.param.u32 %r3, [x];",
    "ld.global.u32 %q, [g];",
    "call f, (%r1);",
    "mov.u32 %r1,",
    "%q;",
    "p: .callprototype _;",
    "// t",
    "",
]
NAMES = re.compile(r"%?[A-Za-z_]\w*")

texts = st.lists(st.sampled_from(LINES), max_size=20).map(lambda lines: "\n".join(lines) + "\n")
edits = st.lists(
    st.tuples(
        st.integers(0, 20),
        st.integers(0, 3),
        st.lists(st.sampled_from(LINES), max_size=3),
        st.sampled_from(["line", "line", "end"]),
    ),
    max_size=8,
)


def check_same(edited: Document) -> None:
    """Every name means the same in the edited document and in its text read anew."""
    fresh = Document.read(edited.text)
    first, second = Analysis(edited), Analysis(fresh)
    assert first.context == second.context
    for line, text in enumerate(edited.lines):
        for match in NAMES.finditer(text):
            position = Position(line, match.start())
            assert describe(first, match[0], position) == describe(second, match[0], position)


def describe(analysis: Analysis, name: str, position: Position) -> object:
    """The meaning of a name at a place."""
    declared = analysis.lookup(name, position)
    function = analysis.function_at(position)
    facts = analysis.facts_of(name, position)
    visible = sorted(symbol.name for symbol in analysis.local_symbols(position))
    return (
        (declared.range, declared.region, declared.symbol.kind, declared.symbol.text)
        if declared
        else None,
        function.range if function else None,
        facts,
        visible,
    )


@pytest.mark.slow
@settings(max_examples=120)
@given(texts, edits)
def test_after_edits(text: str, changes: list[tuple[int, int, list[str], str]]) -> None:
    document = Document.read(text)
    check_same(document)
    for line, count, added, where in changes:
        if where == "line":
            new = "".join(f"{each}\n" for each in added)
            document = edited(document, Position(line, 0), Position(line + count, 0), new)
        else:
            document = edited(document, Position(line, 200), Position(line, 200), " ".join(added))
        check_same(document)


@settings(max_examples=40)
@given(texts, edits)
def test_references_after_edits(text: str, changes: list[tuple[int, int, list[str], str]]) -> None:
    document = Document.read(text)
    for line, count, added, _ in changes:
        for number in range(len(document.lines)):
            Analysis(document).scope_at(Position(number, 0))  # so that something is kept
        new = "".join(f"{each}\n" for each in added)
        document = edited(document, Position(line, 0), Position(line + count, 0), new)
    fresh = Document.read(document.text)
    for line, written in enumerate(document.lines):
        for match in NAMES.finditer(written):
            position = Position(line, match.start())
            found = []
            for each in (document, fresh):
                analysis = Analysis(each)
                declared = analysis.lookup(match[0], position)
                places = occurrences(analysis, declared, match[0]) if declared else ()
                found.append(list(places))
            assert found[0] == found[1]
