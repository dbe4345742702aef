"""A document after any edits equals one read from the whole text."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from ptx_ls.document.document import Document
from ptx_ls.document.editing import edited
from ptx_ls.document.statements import statements_on
from ptx_ls.source import Position
from ptx_ls.source.lines import split_lines
from ptx_ls.syntax.reader import Reader
from ptx_ls.syntax.record import Kind, MultiLine, Record
from ptx_ls.syntax.record_lines import run_start
from tests.document.texts import crowded, describe, documents, edits

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


def check_same(document: Document, text: str) -> None:
    """Checks lines, records, statements and functions."""
    assert document.text == text
    lines = split_lines(text)
    records = Reader().read_all(lines)
    assert list(document.lines) == lines
    n_read = len(lines) if lines[-1] else len(lines) - 1
    assert list(map(describe, document.records[:n_read])) == list(map(describe, records[:n_read]))
    starts = [run_start(records, line) for line in range(n_read)]
    assert [document.run_at(line).start for line in range(n_read)] == starts
    own = [one for one in described(document) if not isinstance(one[1], Kind)]
    assert own == sorted(statements(records, (0, 0), lines), key=repr)
    assert described(document) == described(Document.read(text))
    for function in document.leaves():
        assert all(chunk.head is None for chunk in function.leaves(1))
    for number in range(1, document.n_leaves):
        assert document.leaf(number).head is not None


def offset(document: Document, position: Position) -> int:
    """How many characters are before a position."""
    return sum(len(line) for line in document.lines[: position.line]) + position.column


def check_edits(document: Document, changes: list[tuple[int, int, int, int, str]]) -> Document:
    """Makes edits one after the other; checks each version, and returns the last one."""
    for line, column, more, end_column, new in changes:
        start = document.clamped(Position(line, column))
        end = max(start, document.clamped(Position(line + more, end_column)))
        before = document.text
        expected = before[: offset(document, start)] + new + before[offset(document, end) :]
        changed = edited(document, start, end, new)
        assert document.text == before
        document = changed
        check_same(document, expected)
    return document


@pytest.mark.slow
@pytest.mark.parametrize(("lines", "size"), [(256, 384), (2, 3)])
@settings(max_examples=300, deadline=None)
@given(documents | crowded, edits, st.sampled_from([(50, 4096), (0, 1)]))
@example("ret; ret; ret; ret;", [(0, 0, 0, 0, "#")], (50, 4096))  # a preprocessor's line now
@example(".version 8.5é ; 😀", [(0, 0, 0, 1, "")], (50, 4096))  # one chunk is a broken statement
def test_edited_document_equals_one_read_from_scratch(
    lines: int,
    size: int,
    text: str,
    changes: list[tuple[int, int, int, int, str]],
    blocks: tuple[int, int],
) -> None:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("ptx_ls.document.cutting.CHUNK_LINES", lines)
        patch.setattr("ptx_ls.document.editing.CHUNK_LINES", lines)
        patch.setattr("ptx_ls.document.editing.MAX_CHUNK_LINES", size)
        patch.setattr("ptx_ls.document.editing._MAX_SINGLE_LINES", blocks[0])
        patch.setattr("ptx_ls.syntax.long_tokens._LINES_OF_STEP", blocks[1])
        document = Document.read(text)
        check_same(document, text)
        check_edits(document, changes)


@settings(max_examples=200, deadline=None)
@given(st.text(alphabet=st.sampled_from('ar.%;{}()[]/*"\n\r\t ,:@!#0x1é😀$_-+<>='), max_size=80))
def test_any_text_is_read_and_kept(text: str) -> None:
    document = Document.read(text)
    check_same(document, text)
    for line in range(document.n_lines):
        for statement in statements_on(document, line):
            assert statement.parsed.tree.get_code() == statement.text


def test_a_long_comment_is_opened_and_closed() -> None:
    text = ".entry k()\n{\n" + "add.s32 %r1, %r1, 1;\nL:\n" * 200 + "}\n.entry l()\n{\n}\n"
    document = Document.read(text)
    document = check_edits(document, [(2, 0, 0, 0, "/*"), (300, 1, 0, 1, "*/"), (2, 0, 0, 2, "")])
    document = check_edits(document, [(300, 1, 0, 3, ""), (1, 1, 0, 1, "/*"), (1, 1, 0, 3, "")])
    assert document.text == text


@pytest.mark.parametrize("text", ["", "\n", "\r", "\ufeff.version 8.5\n"])
def test_small_documents(text: str) -> None:
    check_same(Document.read(text), text)
