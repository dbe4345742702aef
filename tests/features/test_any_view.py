"""Views of a whole document: for any text, nothing raises, and every place exists."""

from __future__ import annotations

from pathlib import Path

from hypothesis import given, settings
from hypothesis import strategies as st

from ptx_ls.document.document import Document
from ptx_ls.document.editing import edited
from ptx_ls.features.hints import inlay_hints
from ptx_ls.features.hints.code_lenses import LensKind, lenses, name_text, resources_text
from ptx_ls.features.hints.hint import HintKind
from ptx_ls.features.hints.inlay_hints import hints
from ptx_ls.features.structure.document_symbols import DocumentSymbol, document_symbols
from ptx_ls.features.structure.folding import folds
from ptx_ls.features.synchronization.outline import outlines
from ptx_ls.features.synchronization.outline_text import as_text
from ptx_ls.features.synchronization.timeline_svg import svg
from ptx_ls.semantics.analysis import Analysis
from ptx_ls.source import Position, Range
from tests.support.answers import links_of

CORPUS = Path(__file__).parents[1] / "corpus"
TEXTS = [
    path.read_bytes().decode("utf-8", "replace")
    for path in sorted([*CORPUS.glob("handwritten/*.ptx"), *CORPUS.glob("rejected/*.ptx")])
]
TOKENS = [
    *".entry .func .reg .b32 .param .shared .pragma .loc .file .section #include .maxntid".split(),
    *'{ } ( ) [ ] < > , ; : @ ! | . + - % " // /* */ = _ 1 08 0f3F800000 0x1F 0x'.split(),
    *"%r1 %r<5> %tid.x %p k L: bra add.u32 setp.eq.s32 mov _Z1fv é 😀".split(),
    *("\n", "\r", "\r\n", "\t", "\0"),
]
any_text = st.one_of(
    st.lists(st.sampled_from(TOKENS), max_size=40).map(" ".join),
    st.lists(st.sampled_from(TOKENS), max_size=40).map("".join),
    st.text(max_size=80),
)


def check_view(document: Document) -> None:
    """Asks for everything that is shown of a document."""
    analysis = Analysis(document)
    for fold in folds(document):
        assert 0 <= fold.first < fold.last < len(document.lines)
    for symbol in document_symbols(document).symbols:
        check_symbol(document, symbol)
    for lens in lenses(document, list(LensKind)).found:
        check_place(document, lens.range)
        name_text(analysis, lens.range.start)
        resources_text(analysis, lens.range.start)
    for outline in outlines(document):
        as_text(outline, "any.ptx")
        if outline.rows:
            svg(outline)
    for link in links_of(document):
        check_place(document, link.range)
    for hint in hints(analysis, 0, len(document.lines), list(HintKind)):
        assert document.clamped(hint.position) == hint.position
        inlay_hints.resolve(hint.data)


def check_symbol(document: Document, symbol: DocumentSymbol) -> None:
    """Checks the places of a symbol and of those in it."""
    check_place(document, symbol.range)
    check_place(document, symbol.selection)
    for child in symbol.children:
        check_symbol(document, child)


def check_place(document: Document, area: Range) -> None:
    """Checks that a range is in the document."""
    assert area.start <= area.end
    assert document.clamped(area.start) == area.start
    assert document.clamped(area.end) == area.end


@settings(max_examples=100)
@given(any_text, st.integers(0, 6), st.integers(0, 40), st.sampled_from(TOKENS))
def test_any_text(text: str, line: int, column: int, typed: str) -> None:
    document = Document.read(text)
    check_view(document)
    document = edited(document, Position(line, column), Position(line, column), typed)
    check_view(document)


@settings(max_examples=40)
@given(st.sampled_from(TEXTS), st.integers(0, 10**6), st.integers(0, 80), st.sampled_from(TOKENS))
def test_parts_of_real_files(text: str, start: int, line: int, typed: str) -> None:
    start %= len(text)
    document = Document.read(text[:300] + text[start : start + 2000])
    check_view(document)
    document = edited(document, Position(line, 2), Position(line, 4), typed)
    check_view(document)


def test_scopes_within_scopes() -> None:
    text = ".func f() {" + "{ .reg .b32 r;" * 2000
    check_view(Document.read(text))
    check_view(Document.read(text + "}" * 2001))
