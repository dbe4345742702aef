"""Partners of braces and levels, as a stack finds them in each function."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from ptx_ls.document.braces import Brace, braces
from ptx_ls.document.chunk import HEADS
from ptx_ls.document.document import Document
from ptx_ls.document.rows import rows_of
from ptx_ls.source.lines import split_lines
from ptx_ls.syntax.reader import Reader
from ptx_ls.syntax.record import Kind, MultiLine, Record
from tests.document.texts import crowded, documents

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from ptx_ls.document.function import Function

_PIECES = (".entry k() {", "{", "{", "}", "}", "ret;", "\n", "\n", " ")
nested = st.lists(st.sampled_from(_PIECES), max_size=30).map("".join)


def structural(records: Sequence[Record]) -> Iterator[tuple[int, int, Kind]]:
    """Heads and braces, each with its row and which of the row's statements it is."""
    previous = None
    for row, read in enumerate(records):
        if isinstance(read, MultiLine) and read is previous:
            continue
        previous = read
        kinds = [it.kind for it in read.records] if isinstance(read, MultiLine) else [read.kind]
        for number, kind in enumerate(kinds):
            if kind in (Kind.OPEN, Kind.CLOSE, *HEADS):
                yield row, number, kind


def check_function(function: Function) -> None:
    records = rows_of(function.leaves()).records
    expected = [
        Brace(row, number, -1 if kind is Kind.CLOSE else 1)
        for row, number, kind in structural(records)
    ]
    opened: list[Brace] = []
    closing: list[Brace] = []
    close = None
    for brace in expected:
        if brace.sign > 0:
            opened.append(brace)
        elif not opened:
            closing.append(brace)
        elif opened.pop() is expected[0] and function.head is not None:
            close = brace.row
    loose = [*closing, *opened]
    found = braces(function)
    assert found.problems == loose
    assert found.is_open is bool(opened)
    assert found.close == close
    for row in range(len(records) + 1):
        counted = [
            brace.sign
            for brace in expected
            if brace.row < row
            and (brace not in loose or (brace is expected[0] and function.head is not None))
        ]
        assert found.level(row) == sum(counted)


@pytest.mark.slow
@settings(max_examples=300)
@given(nested | documents | crowded)
@example("{ } ret; .entry k() { ret; } ret; .entry l() {\n}\n")
@example("a: /* \n */ b: .entry k() {\n} }")
def test_any_text(text: str) -> None:
    document = Document.read(text)
    heads = [kind for *_, kind in structural(Reader().read_all(split_lines(text))) if kind in HEADS]
    assert [function.head for function in document.leaves()] == [None, *heads]
    for function in document.leaves():
        check_function(function)
