"""Statements are found by their places, and rows are the lines that were read."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import pytest
from hypothesis import example, given, settings

from ptx_ls.document.document import Document
from ptx_ls.document.rows import rows_of
from ptx_ls.document.statements import statement_at, statements_on
from ptx_ls.source import Position
from ptx_ls.source.lines import content_length, split_lines
from ptx_ls.syntax.offsets import slice_lines
from ptx_ls.syntax.reader import Reader
from ptx_ls.syntax.record import MultiLine
from ptx_ls.syntax.statement import piece_of
from tests.document.texts import crowded, describe, documents

if TYPE_CHECKING:
    from collections.abc import Iterator

    from ptx_ls.syntax.statement import Statement


class Found(NamedTuple):
    """The parts of a statement that can be compared, however it was read."""

    record: object
    start: Position
    end: Position
    text: str


def found(statement: Statement | None) -> Found | None:
    if statement is None:
        return None
    record = describe(statement.record)
    return Found(record, statement.start, statement.end, statement.text)


def statements(lines: list[str]) -> Iterator[Found]:
    """The statements of lines in order."""
    previous = None
    for row, read in enumerate(Reader().read_all(lines)):
        if isinstance(read, MultiLine):
            pieces = read.pieces if read is not previous else ()
        else:
            alone = piece_of(read, lines[row])
            pieces = () if alone is None else (alone,)
        previous = read
        for piece in pieces:
            start, end = (Position(row + place[0], place[1]) for place in (piece.start, piece.end))
            yield Found(describe(piece.record), start, end, slice_lines(lines, start, end))


def check_statements(text: str) -> None:
    document, lines = Document.read(text), split_lines(text)
    expected = list(statements(lines))
    for number, line in enumerate(lines):
        on_line = [found(it) for it in statements_on(document, number)]
        on_line = [it for it in on_line if it and it.start.line <= number <= it.end.line]
        assert on_line == [it for it in expected if it.start.line <= number <= it.end.line]
        for column in range(len(line) + 1):
            place = Position(number, min(column, content_length(line)))
            at = [it for it in expected if it.start <= place <= it.end]
            assert found(statement_at(document, Position(number, column))) == (
                at[-1] if at else None
            )


def check_rows(text: str) -> None:
    """The rows of all chunks are the lines that were read, whoever shares a line."""
    lines = split_lines(text)
    records = Reader().read_all(lines)
    rows = rows_of(chunk for it in Document.read(text).leaves() for chunk in it.leaves())
    n_lines = len(lines) if lines[-1] else len(lines) - 1
    assert rows.lines == lines[:n_lines]
    assert list(map(describe, rows.records)) == list(map(describe, records[:n_lines]))


@pytest.mark.slow
@settings(max_examples=300)
@given(documents | crowded)
@example("{ } ret; .entry k() { ret; } ret; .entry l() {\n}\n")
@example("a: /* \n */ b: .entry k() {\n} }")
def test_any_text(text: str) -> None:
    check_statements(text)
    check_rows(text)


def test_a_line_of_many_statements() -> None:
    line = "add.u32 %r1, %r2, 3; " * 600
    check_rows(f".entry k() {{ {line}\n{line} }} .entry l() {{\n}}\n")
