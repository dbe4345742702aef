"""Names of a module: right after any edits, and found without reading bodies."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ptx_ls.document.document import Document
from ptx_ls.document.editing import edited
from ptx_ls.semantics.analysis import Analysis
from ptx_ls.semantics.symbols.module import region_facts
from ptx_ls.semantics.symbols.module_names import module_names
from ptx_ls.semantics.symbols.symbols import SymbolKind
from ptx_ls.source import Position

PIECES = [
    ".version 8.5\n",
    ".target sm_90\n",
    ".global .u32 a;\n",
    ".global .u32 b, c[4];\n",
    ".func f();\n",
    ".func f() {\n",
    ".entry k(.param .u32 x) {\n",
    ".entry l() { ret; } .global .u32 d;\n",
    "{\n",
    "}\n",
    "} .shared .u32 e;\n",
    ".reg .b32 %r<4>;\n",
    "add.u32 %r1, %r2, 3;\n",
    "{ .reg .b32 t; }\n",
    "L:\n",
    "// comment\n",
    ".section .debug_str {\n",
    "\n",
]
edits = st.lists(
    st.tuples(st.integers(0, 25), st.integers(0, 3), st.lists(st.sampled_from(PIECES), max_size=3)),
    max_size=10,
)


def check_names(document: Document) -> None:
    """The kept names equal those that the regions export when all of them are read."""
    functions: set[str] = set()
    variables: set[str] = set()
    fresh = Document.read(document.text)
    for function in fresh.leaves():
        for symbol in region_facts(function).exports:
            is_function = symbol.kind in (SymbolKind.FUNCTION, SymbolKind.KERNEL)
            (functions if is_function else variables).add(symbol.name)
    names = module_names(document)
    assert set(names.in_order(is_function=True)) == functions
    assert set(names.in_order(is_function=False)) == variables
    analysis = Analysis(document)
    for name in functions | variables:
        declared = analysis.module_symbol(name)
        assert declared is not None
        line = document.lines[declared.range.start.line]
        assert line[declared.range.start.column : declared.range.end.column] == name


@pytest.mark.slow
@settings(max_examples=150)
@given(st.lists(st.sampled_from(PIECES), max_size=25).map("".join), edits)
def test_names_after_edits(text: str, changes: list[tuple[int, int, list[str]]]) -> None:
    document = Document.read(text)
    check_names(document)
    for line, count, added in changes:
        document = edited(document, Position(line, 0), Position(line + count, 0), "".join(added))
        check_names(document)


def test_many_edits_between_two_questions() -> None:
    document = Document.read(".global .u32 a;\n.entry k() {\n}\n")
    check_names(document)
    for number in range(1200):
        document = edited(document, Position(0, 0), Position(0, 0), f".global .u32 v{number};\n")
    check_names(document)


def test_bodies_are_not_read() -> None:
    bodies = "".join(f".func f{n}() {{\n.reg .b32 %r;\nret;\n}}\n" for n in range(20))
    document = Document.read(bodies)
    assert len(list(module_names(document).in_order(is_function=True))) == 20
    assert not any(region_facts.known(function) for function in document.leaves())


@pytest.mark.parametrize(
    "text",
    [
        ".func f();\n.func f() { ret; }\n.func f();\n",
        ".extern .global .u32 f;\n.entry k() {\nret;\n}\n.global .u32 f;\n",
    ],
)
def test_a_definition_comes_before_declarations(text: str) -> None:
    declared = Analysis(Document.read(text)).module_symbol("f")
    assert declared is not None
    assert declared.symbol.is_definition


def test_registers_of_the_module() -> None:
    document = Document.read(".version 1.4\n.target sm_10\n.reg .b32 %r<5>;\n.entry k() {\n}\n")
    assert Analysis(document).module_symbol("%r4") is not None
    assert Analysis(document).module_symbol("%r5") is None
