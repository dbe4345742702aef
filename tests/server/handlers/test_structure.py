"""Outline and folding on the wire."""

from __future__ import annotations

from typing import Any

import pytest

from tests.server.client import URI, Client, Message

pytestmark = pytest.mark.slow

TEXT = (
    ".version 8.0\n.target sm_80\n// one\n// two\n"
    ".visible .entry _Z3addPi(\n\t.param .u64 p\n)\n{\n"
    "\t.reg .b32 %r<9>;\n\t/*😀*/ .shared .b32 tile;\nloop:\n\tbra loop;\n}\n"
)
DOCUMENT = {"textDocument": {"uri": URI}}


def check_folds(able: Message, *expected: Message) -> None:
    """The ranges to fold for a client with these capabilities."""
    with Client() as client:
        client.initialize({"textDocument": {"foldingRange": able}})
        client.open(TEXT)
        assert client.request("textDocument/foldingRange", DOCUMENT) == list(expected)


def symbols(able: Message) -> list[Any]:
    """The outline for a client with these capabilities."""
    with Client() as client:
        client.initialize({"textDocument": {"documentSymbol": able}})
        client.open(TEXT)
        found: list[Any] = client.request("textDocument/documentSymbol", DOCUMENT)
        return found


def test_folds_within_lines() -> None:
    check_folds(
        {},
        {"startLine": 2, "startCharacter": 6, "endLine": 3, "endCharacter": 6, "kind": "comment"},
        {"startLine": 4, "startCharacter": 25, "endLine": 6, "endCharacter": 0},
        {"startLine": 7, "startCharacter": 1, "endLine": 12, "endCharacter": 0},
        {"startLine": 10, "startCharacter": 5, "endLine": 11, "endCharacter": 10},
    )


def test_folds_of_whole_lines_leave_what_closes_them() -> None:
    able = {"lineFoldingOnly": True, "foldingRange": {"collapsedText": True}}
    check_folds(
        able,
        {"startLine": 2, "endLine": 3, "kind": "comment", "collapsedText": "// one ... (2 lines)"},
        {"startLine": 4, "endLine": 5, "collapsedText": ".visible .entry _Z3addPi(...)"},
        {"startLine": 7, "endLine": 11, "collapsedText": "{...}"},
        {"startLine": 10, "endLine": 11, "collapsedText": "loop: ..."},
    )


def test_editors_can_fold_debug_data_at_the_start() -> None:
    text = (
        ".entry k()\n{\n\t.loc 1 2 3\n\t.loc 1 3 3\n\tret;\n}\n.section .debug_str\n{\n.b8 65\n}\n"
    )
    with Client() as client:
        client.initialize({"textDocument": {"foldingRange": {"lineFoldingOnly": True}}})
        client.open(text)
        found = client.request("textDocument/foldingRange", {"textDocument": {"uri": URI}})
    kinds = {it["startLine"]: it.get("kind") for it in found}
    assert kinds == {1: None, 2: "imports", 7: "imports"}


def test_no_more_folds_than_the_client_takes() -> None:
    check_folds({"lineFoldingOnly": True, "rangeLimit": 1}, {"startLine": 7, "endLine": 11})


def test_a_tree_of_symbols() -> None:
    (kernel,) = symbols({"hierarchicalDocumentSymbolSupport": True})
    assert kernel["name"] == "add(int*)"
    assert kernel["detail"] == ".entry _Z3addPi"
    assert kernel["range"]["end"] == {"line": 12, "character": 1}
    assert [child["name"] for child in kernel["children"]] == ["p", "registers", "tile", "loop"]
    assert kernel["children"][2]["selectionRange"]["start"] == {"line": 9, "character": 21}


def test_symbols_in_a_row() -> None:
    found = symbols({})
    assert [(it["name"], it.get("containerName")) for it in found] == [
        ("add(int*)", None),
        ("p", "add(int*)"),
        ("%r<9>", "add(int*)"),
        ("tile", "add(int*)"),
        ("loop", "add(int*)"),
    ]
    assert {it["location"]["uri"] for it in found} == {URI}


def test_a_document_that_is_not_open() -> None:
    with Client() as client:
        client.initialize()
        assert client.request("textDocument/documentSymbol", DOCUMENT) is None
        assert client.request("textDocument/foldingRange", DOCUMENT) is None
