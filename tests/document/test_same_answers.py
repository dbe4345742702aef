"""A document says the same of lines, statements and braces as one that is read line by line."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from hypothesis import example, given, settings

from ptx_ls.document.braces import braces
from ptx_ls.document.document import Document
from ptx_ls.document.rows import rows_of
from ptx_ls.document.statements import statement_at, statements_on
from ptx_ls.source import Position
from ptx_ls.syntax.document import Document as LineDocument
from ptx_ls.syntax.reader import Reader
from tests.document.test_editing import crowded
from tests.syntax.test_document import describe, documents

if TYPE_CHECKING:
    from ptx_ls.syntax.statement import Statement


def described(found: Statement | None) -> object:
    """What can be compared of a statement, whoever read it."""
    return found and (describe(found.record), found.start, found.end, found.text)


def check_statements(text: str) -> None:
    document, expected = Document.read(text, Reader()), LineDocument(text)
    for number, line in enumerate(expected.lines):
        found_on, expected_on = (
            [described(it) for it in each if it.start.line <= number <= it.end.line]
            for each in (statements_on(document, number), expected.statements(number))
        )
        assert found_on == expected_on, number
        for column in range(len(line) + 1):
            place = Position(number, column)
            found = expected.statement_at(place)
            assert described(statement_at(document, place)) == described(found), place


def check_rows(text: str) -> None:
    """The rows of all chunks are the lines that were read, whoever shares a line."""
    document, expected = Document.read(text, Reader()), LineDocument(text)
    chunks = [chunk for function in document.leaves() for chunk in function.leaves()]
    rows = rows_of(chunks)
    lines = expected.lines if expected.lines[-1] else expected.lines[:-1]
    assert rows.lines == lines
    assert list(map(describe, rows.records)) == list(map(describe, expected.records[: len(lines)]))


def check_braces(text: str) -> None:
    document, expected = Document.read(text, Reader()), LineDocument(text)
    regions = expected.outline.regions
    assert document.n_leaves == len(regions)
    for number, (function, region) in enumerate(zip(document.leaves(), regions, strict=True)):
        found, first = braces(function), document.start(number).lines
        assert function.head is region.kind
        assert found.is_open is region.is_open
        if region.start != first:  # a run over lines holds the head, and its first line counts
            continue
        assert found.close == (None if region.close is None else region.close - first)
        rows = [(first + each.row, each.sign > 0) for each in found.problems]
        assert rows == [(each.line, each.is_opening) for each in region.problems]
        for row in range(function.extent.lines + 1):
            if row or not region.piece:
                assert found.level(row) == region.level(first + row)


@pytest.mark.slow
@settings(max_examples=300)
@given(documents | crowded)
@example("{ } ret; .entry k() { ret; } ret; .entry l() {\n}\n")
@example("a: /* \n */ b: .entry k() {\n} }")
def test_any_text(text: str) -> None:
    check_statements(text)
    check_rows(text)
    check_braces(text)


def test_a_line_of_many_statements() -> None:
    line = "add.u32 %r1, %r2, 3; " * 600
    check_rows(f".entry k() {{ {line}\n{line} }} .entry l() {{\n}}\n")
