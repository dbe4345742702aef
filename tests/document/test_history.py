"""An edit that restores a former version of a document returns that version with its facts."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ptx_ls.document.document import Document
from ptx_ls.document.history import History
from ptx_ls.source import Position
from tests.document.test_editing import check_same, offset
from tests.document.texts import documents, edits

KERNEL = ".entry k()\n{\n" + "\tadd.u32 %r1, %r2, %r3;\n" * 1000 + "}\n"


def check_edit(history: History, start: Position, end: Position, text: str) -> Document:
    """Edits a document; checks its text, and returns the version before."""
    before = history.document
    first, last = (offset(before, before.clamped(place)) for place in (start, end))
    expected = before.text[:first] + text + before.text[max(first, last) :]
    history.edit(start, end, text)
    check_same(history.document, expected)
    return before


def stop_of(start: Position, text: str) -> Position:
    """Returns where a text ends that is inserted at a position."""
    *lines, last = text.split("\n")
    return Position(start.line + len(lines), len(last) + (0 if lines else start.column))


def check_undone(history: History, start: Position, end: Position, text: str) -> None:
    """Edits a document, undoes this, and checks that the version before is there again."""
    lines = history.document.lines[start.line : end.line + 1]
    lines[-1] = lines[-1][: end.column]
    before = check_edit(history, start, end, text)
    check_edit(history, start, stop_of(start, text), "".join(lines)[start.column :])
    assert history.document is before


@pytest.mark.parametrize("text", ["/*", "x", "\n", "\n\tret;\n", "{", '"', ""])
def test_an_undo_restores_the_version(text: str) -> None:
    check_undone(History(Document.read(KERNEL)), Position(500, 0), Position(500, 0), text)
    check_undone(History(Document.read(KERNEL)), Position(500, 1), Position(501, 3), text)
    check_undone(History(Document.read(KERNEL)), Position(1, 0), Position(1, 1), text)


def test_typed_characters_are_undone_together() -> None:
    history = History(Document.read(KERNEL))
    before = history.document
    for column, typed in enumerate("/*x"):
        check_edit(history, Position(9, column), Position(9, column), typed)
    check_edit(history, Position(9, 0), Position(9, 3), "")
    assert history.document is before


def test_a_deletion_step_by_step_restores_each_version() -> None:
    history = History(Document.read(KERNEL))
    versions = [
        check_edit(history, Position(9, column), Position(9, column), typed)
        for column, typed in enumerate("abc")
    ]
    for column in (2, 1, 0):
        check_edit(history, Position(9, column), Position(9, column + 1), "")
        assert history.document is versions[column]


def test_a_redo_restores_the_version() -> None:
    history = History(Document.read(KERNEL))
    check_edit(history, Position(9, 0), Position(9, 0), "/*")
    edited = check_edit(history, Position(9, 0), Position(9, 2), "")
    check_edit(history, Position(9, 0), Position(9, 0), "/*")
    assert history.document is edited


def test_an_edit_elsewhere_moves_the_place() -> None:
    history = History(Document.read(KERNEL))
    check_edit(history, Position(9, 0), Position(9, 0), "a")
    check_edit(history, Position(5, 0), Position(5, 0), "\n\n")
    before = check_edit(history, Position(11, 0), Position(11, 1), "")
    assert history.document is not before
    check_edit(history, Position(5, 0), Position(7, 0), "")


def test_a_different_text_is_another_version() -> None:
    history = History(Document.read(KERNEL))
    before = check_edit(history, Position(9, 1), Position(9, 4), "")
    check_edit(history, Position(9, 1), Position(9, 1), "sub")
    assert history.document is not before
    before = check_edit(history, Position(9, 1), Position(9, 4), "\n\n\n")
    check_edit(history, Position(9, 1), Position(12, 0), "su")
    assert history.document is not before


@settings(max_examples=300, deadline=None)
@given(documents, edits, st.lists(st.integers(0, 3), min_size=8, max_size=8))
def test_any_edits_with_undos(
    text: str, changes: list[tuple[int, int, int, int, str]], n_undone: list[int]
) -> None:
    """Makes edits, and takes some of them back after each."""
    history = History(Document.read(text))
    undos: list[tuple[Position, Position, str]] = []
    for (line, column, more, end_column, new), n_steps in zip(changes, n_undone, strict=False):
        document = history.document
        start = document.clamped(Position(line, column))
        end = max(start, document.clamped(Position(line + more, end_column)))
        lines = document.lines[start.line : end.line + 1]
        lines[-1] = lines[-1][: end.column]
        undos.append((start, stop_of(start, new), "".join(lines)[start.column :]))
        check_edit(history, start, end, new)
        for _ in range(min(n_steps, len(undos))):
            check_edit(history, *undos.pop())
