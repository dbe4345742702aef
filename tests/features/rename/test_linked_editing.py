"""Linked editing: which places of a name change together."""

from __future__ import annotations

from ptx_ls.document.document import Document
from ptx_ls.features.rename.linked_editing import linked
from ptx_ls.semantics.analysis import Analysis
from tests.support.fixture import parse_fixture


def check_linked(marked: str, *expected: tuple[int, int]) -> None:
    """Lines and columns of the places that are linked to the one at `<|>`."""
    fixture = parse_fixture(marked)
    found = linked(Analysis(Document.read(fixture.text)), fixture.cursor)
    assert [tuple(place.start) for place in found] == list(expected)


def test_local_names() -> None:
    check_linked(
        ".entry k() {\nbra <|>L;\nL: bra L; // L\n}\n.entry l() { L: }", (1, 4), (2, 0), (2, 7)
    )
    check_linked(".entry k() {\n.reg .b32 <|>a;\nmov.u32 a, a;\n}\n", (1, 10), (2, 8), (2, 11))
    check_linked(".entry k(.param .u32 <|>p) {\nld.param.u32 a, [p];\n}", (0, 21), (1, 17))
    check_linked(".entry k() {\n.shared .u32 s;\nmov.u32 a, <|>s;\n}", (1, 13), (2, 11))


def test_names_that_are_not_linked() -> None:
    check_linked(".entry k() {\n.reg .b32 %r<9>;\nmov.u32 <|>%r1, %r1;\n}\n")
    check_linked(".entry k() {\n.reg .b32 <|>%r<9>;\nmov.u32 %r1, %r1;\n}\n")
    check_linked(".global .u32 <|>v;\n")
    check_linked(".entry <|>k() {}\n")
    check_linked(".entry k() { mov.u32 %r1, %ti<|>d.x; }\n")
    check_linked(".entry k() { <|> }\n")


def test_too_many_to_follow() -> None:
    uses = "bra L;\n" * 600
    check_linked(f".entry k() {{\n<|>L:\n{uses}}}\n")
