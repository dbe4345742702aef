"""Names in declarations with a syntax error, and declarations without a name."""

from __future__ import annotations

import pytest

from ptx_ls.document.document import Document
from ptx_ls.semantics.symbols.contexts import context_of
from ptx_ls.semantics.symbols.module import region_facts


def check_names(statement: str, *expected: tuple[str, int]) -> None:
    """Checks the names that a statement of a body declares, each with its count."""
    document = Document.read(f".entry k() {{\n{statement}\n}}\n")
    symbols = region_facts(document.leaf(1)).symbols[1:]
    assert [(symbol.name, symbol.count) for symbol in symbols] == list(expected)


@pytest.mark.parametrize(
    ("statement", "expected"),
    [
        (".reg .f32 %f<10;", [("%f", 10)]),
        (".reg .b32 %r<3 3>;", [("%r", 3)]),
        (".reg .f32 %f<b16>;", [("%f", 0)]),
        (".shared .b8 tile[64%r<5>;", [("tile", 0)]),
        (".reg .b32 a b, c;", [("a", 0), ("b", 0), ("c", 0)]),
        (".reg .b32 a b /* c */;", [("a", 0), ("b", 0)]),
        (".reg .b32 v.x _ WARP_SZ f(, a;", [("a", 0)]),
    ],
)
def test_names_of_broken_declarations(statement: str, expected: list[tuple[str, int]]) -> None:
    check_names(statement, *expected)


@pytest.mark.parametrize(
    ("statement", "n_unnamed"),
    [(".reg .b32;", 1), (".b32 /* x */ ;", 1), (".reg .b32 a;", 0), (".reg .b32 <5>;", 0)],
)
def test_declarations_without_a_name(statement: str, n_unnamed: int) -> None:
    document = Document.read(f".entry k() {{\n{statement}\n}}\n")
    assert len(region_facts(document.leaf(1)).unnamed) == n_unnamed


def test_version_after_a_word_that_is_too_much() -> None:
    header = region_facts(Document.read(".version version 8.0\n.target sm_90\n").leaf(0))
    assert context_of(header.directives).version == (8, 0)
