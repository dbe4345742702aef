"""The symbols of a module in an index."""

from __future__ import annotations

from ptx_ls.document.document import Document
from ptx_ls.features.structure.module_symbols import ModuleSymbol, module_symbol, module_symbols
from ptx_ls.semantics.analysis import Analysis
from ptx_ls.source import Range


def check_symbols(text: str, *expected: str) -> None:
    """Checks name, detail and the text that each symbol covers, white space folded."""
    document = Document.read(text)
    found = list(module_symbols(document))
    assert [f"{it.name} | {it.detail} | {_text(document, it.range)}" for it in found] == list(
        expected
    )
    for each in found:
        assert _text(document, each.selection) == each.name
        assert each.range.start == each.statement.start <= each.selection.start
        assert each.selection.end <= each.statement.end <= each.range.end
        check_looked_up(document, each)


def check_looked_up(document: Document, found: ModuleSymbol) -> None:
    """Checks that a search for the symbol gives the same description."""
    every = Analysis(document).module_declarations(found.name)
    assert found in [module_symbol(document, declared) for declared in every]


def _text(document: Document, area: Range) -> str:
    lines = document.lines[area.start.line : area.end.line + 1]
    lines[-1] = lines[-1][: area.end.column]
    lines[0] = lines[0][area.start.column :]
    return " ".join("".join(lines).split())


def test_kernels_functions_and_variables() -> None:
    check_symbols(
        ".version 8.0\n"
        ".visible .entry k(.param .u64 a)\n{\n    .reg .b32 %r<2>;\nL:  ret;\n}\n"
        ".extern .func (.reg .b32 r) f(.reg .b32 x);\n"
        "  .global .align 4 .u32 a[4] = {1,\n    2}, b;\n"
        ".weak .func f(.reg .b32 x) { .shared .u32 s; ret; }\n",
        "k | .visible kernel | .visible .entry k(.param .u64 a) { .reg .b32 %r<2>; L: ret; }",
        "f | .extern device function | .extern .func (.reg .b32 r) f(.reg .b32 x);",
        "a | variable | .global .align 4 .u32 a[4] = {1, 2}, b;",
        "b | variable | .global .align 4 .u32 a[4] = {1, 2}, b;",
        "f | .weak device function | .weak .func f(.reg .b32 x) { .shared .u32 s; ret; }",
    )


def test_mangled_names() -> None:
    check_symbols(".entry _Z1fi() {}\n", "_Z1fi | f(int) (kernel) | .entry _Z1fi() {}")


def test_a_body_without_an_end() -> None:
    check_symbols(".entry k() {\n    ret;\n", "k | kernel | .entry k() {")
    check_symbols("", *())
    check_symbols(".entry (\n")
