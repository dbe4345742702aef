"""Which symbols of several modules are one thing for a linker."""

from __future__ import annotations

import pytest

from ptx_ls.document.document import Document
from ptx_ls.features.navigation.linkage import Linkage, is_joined, linkage_of, linked_at
from ptx_ls.semantics.analysis import Analysis
from ptx_ls.source import Position

STRONG = ".visible .func f() { ret; }"
WEAK = ".weak .func f() { ret; }"
EXTERN = ".extern .func f();"
PROTOTYPE = ".visible .func f();"


def check_joined(one: str, other: str, *, expected: bool) -> None:
    """Checks whether the `f` of two modules is the same, whoever is asked."""
    first, second = (_linkage(text) for text in (one, other))
    assert first is not None
    assert second is not None
    assert is_joined(first, second) is expected
    assert is_joined(second, first) is expected


def _linkage(text: str) -> Linkage | None:
    declared = Analysis(Document.read(text)).module_symbol("f")
    assert declared is not None
    return linkage_of(declared.symbol)


@pytest.mark.parametrize("other", [STRONG, WEAK, EXTERN, PROTOTYPE])
def test_a_declaration_means_what_another_module_has(other: str) -> None:
    check_joined(EXTERN, other, expected=True)
    check_joined(PROTOTYPE, other, expected=True)


def test_two_definitions_belong_to_two_programs_unless_one_is_weak() -> None:
    check_joined(STRONG, STRONG, expected=False)
    check_joined(STRONG, WEAK, expected=True)
    check_joined(WEAK, WEAK, expected=True)
    check_joined(".common .global .u32 f;", ".common .global .u32 f;", expected=True)
    check_joined(".visible .global .u32 f;", ".visible .global .u32 f;", expected=False)


@pytest.mark.parametrize("text", [".func f() { ret; }", ".entry f() { ret; }", ".global .u32 f;"])
def test_what_other_modules_cannot_see(text: str) -> None:
    assert _linkage(text) is None
    assert linked_at(Analysis(Document.read(text)), Position(0, text.index("f", 6))) is None


def test_the_name_under_the_cursor() -> None:
    text = f"{EXTERN}\n.func g() {{ .reg .b32 %r; call f; mov.b32 %r, %r; }}\n"
    analysis, line = Analysis(Document.read(text)), text.splitlines()[1]
    found = linked_at(analysis, Position(1, line.index("f;")))
    assert found is not None
    assert found[1].symbol.name == "f"
    for other in ("call", "%r", "ret", "g()"):
        assert linked_at(analysis, Position(1, line.find(other))) is None
