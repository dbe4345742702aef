"""A document after any edits equals one read from the whole text."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from ptx_ls.document.document import Document
from ptx_ls.document.editing import edited
from ptx_ls.source import Position
from ptx_ls.syntax.document import Document as LineDocument
from ptx_ls.syntax.reader import Reader
from ptx_ls.syntax.record import Kind, MultiLine, Record
from tests.syntax.test_document import LINES, documents, edits

if TYPE_CHECKING:
    from collections.abc import Iterator


def statements(
    records: list[Record], start: tuple[int, int], lines: list[str]
) -> Iterator[tuple[object, ...]]:
    """Statements and problems, with their positions in the document."""
    previous: Record | None = None

    def at(row: int, place: tuple[int, int]) -> tuple[int, int]:
        line, column = row + place[0], place[1]
        return line + start[0], column + start[1] if not line else column

    for row, read in enumerate(records):
        if isinstance(read, MultiLine):
            if read is not previous:
                for piece in read.pieces:
                    kind = repr(piece.record).replace("RUN", "")
                    yield at(row, piece.start), kind
                for problem in read.problems:
                    yield at(row, problem.start), at(row, problem.end), problem.found
        elif read.kind.name not in ("BLANK", "COMMENT"):
            column = len(lines[row]) - len(lines[row].lstrip(" \t\f\x1a"))
            name = repr(read).replace(repr(read.problems), "()") if read.problems else repr(read)
            yield at(row, (0, column)), name
            for problem in read.problems:
                yield at(row, problem.start), at(row, problem.end), problem.found
        previous = read


def described(document: Document) -> list[tuple[object, ...]]:
    found: list[tuple[object, ...]] = []
    for number, function in enumerate(document.leaves()):
        origin = document.start(number)
        if function.head is not None:
            found.append((origin, function.head))
        for index, chunk in enumerate(function.leaves()):
            start = origin.plus(function.start(index))
            found += statements(list(chunk.records), start, chunk.lines)
    return sorted(found, key=repr)


texts = st.lists(st.tuples(st.sampled_from(LINES), st.sampled_from(["\n", "\n", "\r\n", " ", ""])))
crowded = texts.map(lambda lines: "".join(line + end for line, end in lines))
"""Texts with several statements on a line."""


def check_same(document: Document, text: str) -> None:
    assert document.text == text
    fresh = Document.read(text, Reader())
    assert described(document) == described(fresh)
    by_line = LineDocument(text)
    assert list(document.lines()) == by_line.lines
    own = [one for one in described(document) if not isinstance(one[1], Kind)]
    assert own == sorted(statements(by_line.records, (0, 0), by_line.lines), key=repr)
    for function in document.leaves():
        assert all(chunk.head is None for chunk in function.leaves(1))
    for number in range(1, document.n_leaves):
        assert document.leaf(number).head is not None


def check_edits(text: str, changes: list[tuple[int, int, int, int, str]]) -> None:
    reader = Reader()
    document = Document.read(text, reader)
    check_same(document, text)
    for line, column, more, end_column, new in changes:
        start = document.clamped(Position(line, column))
        end = max(start, document.clamped(Position(line + more, end_column)))
        lines = LineDocument(text)
        lines.edit(start, end, new)
        text = lines.text
        document = edited(document, start, end, new, reader)
        check_same(document, text)


@pytest.mark.slow
@pytest.mark.parametrize(("lines", "size"), [(256, 384), (2, 3)])
@settings(max_examples=300, deadline=None)
@given(documents | crowded, edits)
@example("ret; ret; ret; ret;", [(0, 0, 0, 0, "#")])  # one line of a preprocessor now
def test_edited_document_equals_one_read_from_scratch(
    lines: int, size: int, text: str, changes: list[tuple[int, int, int, int, str]]
) -> None:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("ptx_ls.document.cutting.CHUNK_LINES", lines)
        patch.setattr("ptx_ls.document.editing.CHUNK_LINES", lines)
        patch.setattr("ptx_ls.document.editing.MAX_CHUNK_LINES", size)
        check_edits(text, changes)
