"""The lists of a document as they are sent, made of its parts, are those of its whole text."""

from __future__ import annotations

import json
from collections.abc import Iterable
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from lsprotocol import types

from ptx_ls.features.hints.code_lenses import LensKind, lenses
from ptx_ls.features.structure.document_symbols import DocumentSymbol, document_symbols
from ptx_ls.features.structure.folding import folds
from ptx_ls.server.documents.open_documents import OpenDocument
from ptx_ls.server.handlers import code_lenses, folding, links, symbols
from ptx_ls.server.protocol.encoding import Encoded
from ptx_ls.source import Range
from ptx_ls.source.columns import ColumnUnit
from tests.server.client import URI
from tests.support.answers import links_of

CORPUS = Path(__file__).parents[2] / "corpus"
TEXTS = [
    path.read_bytes().decode("utf-8", "replace")[:4000]
    for path in sorted([*CORPUS.glob("handwritten/*.ptx"), *CORPUS.glob("rejected/*.ptx")])[::9]
]
TYPED = (
    *("1", "\n", "}", "{", ";", "é%d", "/*", "*/", "\r", ".loc 1 2 3\n", '.file 1 "%s.cu"\n'),
    *(".func f() { ret; }", "L:\n", "\t.reg .b32 %x<9>;\n", "#include <a>\n", ".entry k()\n{\n"),
)


def opened(text: str) -> OpenDocument:
    return OpenDocument(types.TextDocumentItem(URI, "ptx", 0, text), ColumnUnit.UTF_32)


def items(encoded: Encoded) -> list[Any]:
    found: list[Any] = json.loads(encoded.text)
    return found


def area(found: Range) -> Any:  # noqa: ANN401
    return {
        name: {"line": place.line, "character": place.column}
        for name, place in (("start", found.start), ("end", found.end))
    }


def trees(found: Iterable[DocumentSymbol]) -> list[Any]:
    """Symbols without their kinds, as they are expected in an answer."""
    return [
        {
            "name": it.name,
            "range": area(it.range),
            "selectionRange": area(it.selection),
            **({"detail": it.detail} if it.detail else {}),
            **({"children": trees(it.children)} if it.children else {}),
        }
        for it in found
    ]


def without_kinds(found: list[Any]) -> list[Any]:
    for each in found:
        del each["kind"]
        without_kinds(each.get("children", []))
    return found


def names(found: Iterable[DocumentSymbol]) -> list[str]:
    return [name for it in found for name in (it.name, *names(it.children))]


def check_answers(text: OpenDocument) -> None:
    """Compares what is sent with what the features find in the whole document."""
    document = text.document
    outline = document_symbols(document).symbols
    assert without_kinds(items(symbols.listed(text, ""))) == trees(outline)
    in_a_row = [it["name"] for it in items(symbols.listed(text, URI))]
    assert in_a_row == [it for it in names(outline) if it not in ("{ }", "registers")]
    for wanted in ([], [LensKind.REFERENCES], list(LensKind)):
        expected = [(area(it.range), it.kind.value) for it in lenses(document, wanted).found]
        shown = items(code_lenses.listed(text, wanted))
        assert [(it["range"], it["data"]["kind"]) for it in shown] == expected
    sources = items(links.listed(text))
    data = [(area(it.range), it.name, it.line, it.column) for it in links_of(document)]
    found = [
        (it["range"], *(it["data"][name] for name in ("name", "line", "column"))) for it in sources
    ]
    assert found == data
    check_folds(text, None)
    check_folds(text, 3)


def check_folds(text: OpenDocument, limit: int | None) -> None:
    """The folds that are sent are the largest, and in the order of the text."""
    able = types.FoldingRangeClientCapabilities(line_folding_only=True, range_limit=limit)
    found = folds(text.document)
    if limit is not None and len(found) > limit:
        found = sorted(found, key=lambda fold: fold.first - fold.last)[:limit]
        found.sort(key=lambda fold: (fold.first, -fold.last))
    shown = [(fold.first, fold.last - fold.keeps_last) for fold in found]
    sent = [(it["startLine"], it["endLine"]) for it in items(folding.listed(text, able))]
    assert sent == [(first, last) for first, last in shown if first < last]


@settings(max_examples=50)
@given(
    st.sampled_from(TEXTS),
    st.lists(
        st.tuples(
            st.integers(0, 200), st.integers(0, 20), st.integers(0, 2), st.sampled_from(TYPED)
        ),
        max_size=3,
    ),
)
def test_any_edits(text: str, edits: list[tuple[int, int, int, str]]) -> None:
    present = opened(text)
    check_answers(present)
    for version, (line, column, n_lines, typed) in enumerate(edits):
        start, end = types.Position(line, column), types.Position(line + n_lines, column)
        change = types.TextDocumentContentChangePartial(range=types.Range(start, end), text=typed)
        present.edit(version, [change])
        check_answers(present)


def many(n_functions: int, body: str) -> str:
    header = '.version 8.0\n.target sm_80\n.file 1 "a.cu"\n'
    head = ".func f{}(.param .b32 p){}"
    return header + "".join(
        head.format(number, " { ret; }" if number % 7 == 3 else f"\n{{\n{body}}}\n")
        for number in range(n_functions)
    )


@pytest.mark.slow
@pytest.mark.parametrize(
    ("body", "line", "typed"),
    [
        ("L1:\nL2:\nL3:\nret;\n", 5000, "new:\n"),
        (".loc 1 2 3\n" * 9, 3, ".loc 1 1 1\n"),
        (".loc 1 2 3\n", 2, '.file 1 "b.cu"\n'),
    ],
)
def test_limits_of_a_document_that_has_more(body: str, line: int, typed: str) -> None:
    present = opened(many(2500, body))
    check_answers(present)
    place = types.Position(line, 0)
    change = types.TextDocumentContentChangePartial(range=types.Range(place, place), text=typed)
    present.edit(1, [change])
    check_answers(present)


def test_more_links_than_an_editor_can_use() -> None:
    present = opened('.file 1 "a.cu"\n' + "\t.loc 1 2 3\n" * 6000 + '.file 2 "b.cu"\n')
    found = items(links.listed(present))
    assert len(found) == 5000
    assert found[-1]["data"]["name"] == "b.cu"
