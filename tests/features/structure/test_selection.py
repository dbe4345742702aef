"""Growing selections, by the text that each of them holds."""

from __future__ import annotations

from itertools import pairwise

import pytest

from ptx_ls.document.document import Document
from ptx_ls.features.structure import selection
from ptx_ls.features.structure.selection import selections
from ptx_ls.semantics.analysis import Analysis
from ptx_ls.source import Range
from tests.support.fixture import parse_fixture


def check_selections(marked: str, *expected: str) -> None:
    """The first ranges around `<|>`, then the whole file."""
    fixture = parse_fixture(marked)
    document = Document.read(fixture.text)
    found = selections(Analysis(document), fixture.cursor)
    shown = [_text(document, place) for place in found]
    assert shown[: len(expected)] == list(expected)
    assert shown[-1] == document.text
    for inner, outer in pairwise(found):
        assert outer.start <= inner.start <= inner.end <= outer.end
        assert inner != outer


def _text(document: Document, place: Range) -> str:
    (line, column), (last, end) = place
    if line == last:
        return document.lines[line][column:end]
    middle = document.lines[line + 1 : last]
    return "".join([document.lines[line][column:], *middle, document.lines[last][:end]])


def test_parts_of_an_instruction() -> None:
    check_selections(
        ".entry k() {\n  @%p ld.global.v2.u32 {%r1, %<|>r2}, [%rd1+4];\n}\n",
        "%r2",
        "%r1, %r2",
        "{%r1, %r2}",
        "{%r1, %r2}, [%rd1+4]",
        "@%p ld.global.v2.u32 {%r1, %r2}, [%rd1+4];",
        "\n  @%p ld.global.v2.u32 {%r1, %r2}, [%rd1+4];\n",
        "{\n  @%p ld.global.v2.u32 {%r1, %r2}, [%rd1+4];\n}",
        ".entry k() {\n  @%p ld.global.v2.u32 {%r1, %r2}, [%rd1+4];\n}",
    )
    check_selections(
        ".entry k() {\nld.gl<|>obal.u32 %r1, [a+4];\n}\n",
        ".global",
        "ld.global.u32",
        "ld.global.u32 %r1, [a+4];",
    )
    check_selections(".entry k() {\nld.u32 %r1, [a+<|>4];\n}\n", "4", "a+4", "[a+4]", "%r1, [a+4]")
    check_selections(
        ".entry k() {\n@%p ld.u32 %r1, [a+<|>4\n}\n",
        "4",
        "a+4",
        "%r1, [a+4",
        "@%p ld.u32 %r1, [a+4",
    )
    check_selections(".entry k() {\nsetp.eq.u32 %p|<|>%q, %r1, 2;\n}\n", "%q", "%p|%q")


def test_blocks_and_loops() -> None:
    check_selections(
        ".entry k()\n{\n  mov.u32 %r1, 1;\nL:\n  add.u32 %r1, %r1, <|>1;\n"
        "  @%p bra M;\n  sub.u32 %r1, %r1, 1;\nM:\n  @%q bra L;\n  ret;\n}\n",
        "1",
        "%r1, %r1, 1",
        "add.u32 %r1, %r1, 1;",
        "L:\n  add.u32 %r1, %r1, 1;\n  @%p bra M;",
        "L:\n  add.u32 %r1, %r1, 1;\n  @%p bra M;\n  sub.u32 %r1, %r1, 1;\nM:\n  @%q bra L;",
    )


def test_scopes() -> None:
    check_selections(
        ".entry k() { mov.u32 %r1, 1; { .reg .b32 <|>t; { ret; } } }\n",
        "t",
        ".reg .b32 t;",
        " .reg .b32 t; { ret; } ",
        "{ .reg .b32 t; { ret; } }",
    )


def test_outside_of_functions() -> None:
    check_selections("// a\n.global .u32 <|>v;\n.version 8.5\n", "v", ".global .u32 v;")
    check_selections("// <|>a\n")


def test_blocks_of_a_huge_function_are_left_out(monkeypatch: pytest.MonkeyPatch) -> None:
    head, body = ".visible .entry k(.param .u32 a)\n", "\nret;\nL:\nbra L; // }\n"
    whole = (body, f"{{{body}}}", f"{head}{{{body}}}")
    text = f"{head}{{{body}}}\n".replace("bra ", "bra <|>")
    check_selections(text, "L", "bra L;", "L:\nbra L;", *whole)
    monkeypatch.setattr(selection, "_MAX_FUNCTION_LINES", 5)
    check_selections(text, "L", "bra L;", *whole)
