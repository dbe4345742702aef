"""What a function declares after an edit: taken over as far as it is the same as read anew."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ptx_ls.semantics.symbols import module
from ptx_ls.semantics.symbols.module import region_facts
from ptx_ls.semantics.symbols.region import RegionFacts
from ptx_ls.semantics.symbols.region_edits import edited_facts
from ptx_ls.semantics.symbols.region_reader import read_region
from ptx_ls.semantics.symbols.region_text import region_text
from ptx_ls.semantics.symbols.symbols import Scope
from ptx_ls.source import Position
from ptx_ls.syntax.document import Document
from ptx_ls.syntax.record import Record

LINES = [
    ".reg .b32 %r<4>;",
    ".reg .b32 %r<12>, %r;",
    ".reg .pred p, q;",
    ".reg .f32 %f<4>",
    ".shared .align 4 .b8 buf[16];",
    ".local .b32 %r1;",
    "L1:",
    "L2: // there",
    "%r2:",
    "add.u32 %r1, %r2, 3;",
    "bra L1;",
    ".loc 1 2 3",
    "{",
    "}",
    "{ .reg .b32 t; mov.b32 t, 1; }",
    "{ add.u32 %r1, %r2, 3; }",
    "T: .branchtargets L1, L2;",
    ".param .b32 x;",
    ".reg .b32 x; .reg .b32 y;",
    "",
    "// .reg .b32 z;",
    "/* ",
    "*/",
    "}\n.func g() {",
]
EDITS = st.lists(
    st.tuples(
        st.integers(0, 16),
        st.integers(0, 12),
        st.integers(0, 2),
        st.sampled_from([*"1%<>;.,L:p 4", "", ".reg .b32 %r<4>;", "L1:", "\n", "//"]),
        st.booleans(),
    ),
    max_size=6,
)


def told(facts: RegionFacts) -> object:
    """All that facts say, scopes by what they hold."""

    def scope(one: Scope) -> object:
        assert all(child.parent is one for child in one.children)
        names, ranges = list(one.names.items()), list(one.ranges.items())
        return one.start, one.end, names, ranges, [scope(child) for child in one.children]

    def place(one: Scope) -> object:
        return one.start, one.end, one.parent is None

    return (
        scope(facts.module_scope),
        place(facts.scope),
        [place(one) for one in facts.scopes],
        facts.function,
        facts.directives,
        facts.duplicates,
        facts.redeclared,
        facts.symbols,
        list(facts.banks.items()),
        facts.ranges,
        facts.events,
        facts.exports,
        facts.has_section,
        facts.doubtful,
    )


def check_facts(document: Document) -> None:
    """What is known of each region is what its lines say."""
    for index, region in enumerate(document.outline.regions):
        facts = region_facts(document, index)
        if not region.moves:
            assert told(facts) == told(read_region(region_text(document, index)))


@settings(max_examples=300)
@given(st.lists(st.sampled_from(LINES), max_size=10), EDITS)
def test_any_edits(lines: list[str], edits: list[tuple[int, int, int, str, bool]]) -> None:
    body = "".join(f"{line}\n" for line in lines)
    document = Document(f".entry k(.param .u64 p, .param .u32 %r3) {{\n{body}ret;\n}}\n")
    check_facts(document)
    for line, column, removed, text, is_asked in (*edits, (0, 0, 0, "", True)):
        document.edit(Position(line, column), Position(line, column + removed), text)
        if is_asked:
            check_facts(document)


@pytest.mark.parametrize(
    ("line", "column", "removed", "text"),
    [
        (1, 14, 1, "12"),
        (1, 15, 0, "1"),
        (2, 10, 0, "x"),
        (4, 0, 2, "L9"),
        (3, 0, 20, "L7:"),
        (6, 10, 1, "u"),
    ],
)
def test_a_declaration_is_not_read_with_all_others(
    line: int, column: int, removed: int, text: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    document = Document(
        ".entry k(.param .u64 p) {\n.reg .b32 %r<4>;\n.reg .pred q;\n.shared .b32 s;\n"
        "L1:\n{\n.reg .b32 t;\n}\nret;\n}\n"
    )
    before = told(region_facts(document, 1))
    old = region_facts(document, 1)
    document.edit(Position(line, column), Position(line, column + removed), text)
    seen: list[object] = []
    monkeypatch.setattr(module, "read_region", seen.append)
    facts = region_facts(document, 1)
    assert not seen
    assert told(facts) == told(read_region(region_text(document, 1)))
    assert told(old) == before  # a thread may be looking at it
    assert edited_facts(old, document, 1, (line, line + 1)) is not None


@pytest.mark.parametrize("line", ["{ add.u32 %r1, %r2, 3; }", "{", "}"])
def test_a_brace_that_a_comment_hides_takes_its_scope_along(line: str) -> None:
    document = Document(f".entry k() {{\n{line}\n.reg .b32 %r<4>;\n{{\n}}\nret;\n}}\n")
    check_facts(document)
    document.edit(Position(1, 0), Position(1, 0), "//")
    check_facts(document)
    document.edit(Position(1, 0), Position(1, 2), "")
    check_facts(document)


class Unwalked(list[Record]):
    """Records of a document of which nobody may look at all."""

    def __iter__(self) -> Iterator[Record]:
        raise AssertionError


def test_lines_before_the_function_are_not_walked() -> None:
    document = Document(".global .b32 g;\n.entry k() {\n.reg .b32 %r<4>;\nret;\n}\n")
    old = region_facts(document, 1)
    document.edit(Position(2, 14), Position(2, 15), "9")
    records, document.records = document.records, Unwalked(document.records)
    new = edited_facts(old, document, 1, (1, 2))
    document.records = records
    assert new is not None
    assert told(new) == told(read_region(region_text(document, 1)))
