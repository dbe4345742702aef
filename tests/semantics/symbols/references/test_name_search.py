"""Places of names found in text that is kept are those found line by line, after any edits."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ptx_ls.document.document import Document
from ptx_ls.document.editing import edited
from ptx_ls.semantics.analysis import Analysis
from ptx_ls.semantics.symbols.module import region_facts
from ptx_ls.semantics.symbols.references.name_search import candidates, candidates_in
from ptx_ls.semantics.symbols.references.occurrences import confirmed, sought
from ptx_ls.source import Position, Range

if TYPE_CHECKING:
    from collections.abc import Iterator

    from ptx_ls.document.coordinates import FunctionPosition
    from ptx_ls.semantics.symbols.references.name_search import Sought

_PARTS = (
    "\t.reg .b32 a, %r<12>;\n",
    "\t.reg .b32 a<3>, %r1;\n",
    "\tadd.s32 %r1, %r1, a;\n",
    "\tadd.s32 %r10, %r, aa; // a\r",
    "\tmov.b32 a,\n",
    "a1;\r\n",
    "a: bra a;\n",
    "\t{ .reg .b32 a; mov.b32 a, %r1; }\n",
    "{\n",
    "} .func a() { a: ret; }\n",
    "}\n",
    ".section .debug_info { a: .b32 a }\n",
    '\t.pragma "a /* %r1 */"; a::a a.x .a $a\n',
    "/* a */",
)
_edits = st.tuples(
    st.integers(0, 9), st.integers(0, 12), st.integers(0, 2), st.sampled_from(_PARTS)
)


def words(document: Document, wanted: Sought) -> Iterator[Range]:
    """Places by what a word is, and where a range is declared."""
    digits = r"\d{1,9}+" if wanted.is_bank else ""
    word = rf"(?<![\w$%.])(?<!::){re.escape(wanted.name)}{digits}(?![\w$]|::)"
    own = wanted.declared.range
    for first, stop in wanted.spans:
        for number in range(first, min(stop, len(document.lines))):
            for match in re.finditer(word, document.lines[number], re.ASCII):
                yield Range.on_line(number, match.start(), match.end())
        if wanted.is_bank and first <= own.start.line < stop:
            yield own


def check_places(document: Document) -> None:
    """Compares the places of every symbol, and of the registers of a range."""
    analysis = Analysis(document)
    for index in range(document.n_leaves):
        for symbol in region_facts(document.leaf(index)).symbols:
            found = analysis.lookup(symbol.name, Position(*_place(document, index, symbol.start)))
            if found is None:
                continue
            for name in (symbol.name, *([f"{symbol.name}1"] if found.symbol.count else ())):
                wanted = sought(analysis, found, name)
                by_line = set(words(document, wanted))
                assert by_line == {
                    place
                    for first, stop in wanted.spans
                    for place in candidates_in(document.lines[first:stop], first, wanted)
                }
                there = candidates(document, wanted)
                assert there == sorted(set(there) & by_line)
                with pytest.MonkeyPatch.context() as patch:  # each place is looked up
                    patch.setattr(
                        "ptx_ls.semantics.symbols.references.occurrences._is_plain",
                        lambda *_: False,
                    )
                    expected = confirmed(analysis, wanted, sorted(by_line))
                assert confirmed(analysis, wanted, there) == expected


def _place(document: Document, index: int, start: FunctionPosition) -> Position:
    return document.functions[index].position(start)


@pytest.mark.slow
@given(st.lists(st.sampled_from(_PARTS), max_size=12), st.lists(_edits, max_size=4))
def test_places_after_any_edits(parts: list[str], edits: list[tuple[int, int, int, str]]) -> None:
    document = Document.read(
        ".entry k() {\n" + "".join(parts) + "\tret;\n}\n.func l() {\n\tret;\n}\n"
    )
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("ptx_ls.document.cutting.CHUNK_LINES", 2)
        patch.setattr("ptx_ls.document.editing.CHUNK_LINES", 2)
        patch.setattr("ptx_ls.document.editing.MAX_CHUNK_LINES", 3)
        check_places(document)
        for line, column, more, text in edits:
            document = edited(document, Position(line, column), Position(line + more, 0), text)
            check_places(document)
