"""Lines of millions of characters: text that is not a statement is not read to its end."""

from __future__ import annotations

import os
import subprocess
from pathlib import Path

import pytest

from ptx_ls.document.document import Document
from ptx_ls.document.editing import edited
from ptx_ls.document.statements import statement_at, statements_on
from ptx_ls.features.tokens.statement_tokens import comments, statement_tokens
from ptx_ls.lint import LintSession
from ptx_ls.source import Position
from ptx_ls.syntax.record import Kind
from ptx_ls.syntax.tokens import MAX_STATEMENT_LENGTH
from tests.support.assembling import require_ptxas

_HEADER = ".version 8.5\n.target sm_90\n.address_size 64\n"


def check_long(line: str, *kinds: Kind) -> Document:
    """The line is read as statements of these kinds, and what is around it stays."""
    document = Document.read(f"{_HEADER}{line}\n.visible .global .u32 after;\n")
    assert [it.record.kind for it in statements_on(document, 3)] == list(kinds)
    assert document.records[4].kind is Kind.DECLARATION
    assert [it.text for it in statements_on(document, 4)] == [".visible .global .u32 after;"]
    assert "".join(document.lines).split("\n")[3] == line
    return document


def messages(document: Document) -> list[str]:
    """The findings of the linter in a document."""
    session = LintSession(document)
    while (work := session.pending()) is not None:
        work.run(lambda: False)
    return [found.message for found in session.diagnostics()]


def test_words_without_an_end() -> None:
    document = check_long("x y z " * MAX_STATEMENT_LENGTH, Kind.BROKEN)
    assert messages(document) == messages(check_long("x y z " * 9, Kind.BROKEN)) != []
    (statement,) = statements_on(document, 3)
    assert len(statement.text) < MAX_STATEMENT_LENGTH + 10
    assert statement_at(document, Position(3, 3 * MAX_STATEMENT_LENGTH)) is None


def test_it_ends_where_the_next_statement_may_begin() -> None:
    check_long("x y " * MAX_STATEMENT_LENGTH + "; ret;", Kind.BROKEN, Kind.INSTRUCTION)


def test_an_edit_within() -> None:
    document = check_long("x y z " * MAX_STATEMENT_LENGTH, Kind.BROKEN)
    place = Position(3, 5 * MAX_STATEMENT_LENGTH)
    document = edited(document, place, place, "; ret;")
    fresh = Document.read(document.text)
    assert list(map(repr, document.records)) == list(map(repr, fresh.records))
    found = [it.record.kind for it in statements_on(document, 3)]
    assert found[:2] == [Kind.BROKEN, Kind.INSTRUCTION]


def test_data_is_read_to_its_end() -> None:
    count = MAX_STATEMENT_LENGTH
    line = f".visible .global .b8 data[{count}] = {{{', '.join(['1'] * count)}}};"
    assert messages(check_long(line, Kind.DECLARATION)) == []


def test_statements_are_read_to_the_last() -> None:
    document = Document.read("ret; " * MAX_STATEMENT_LENGTH)
    assert len(list(statements_on(document, 0))) == MAX_STATEMENT_LENGTH


def test_the_beginning_is_coloured() -> None:
    text = "add.s32 " + "%r1, " * MAX_STATEMENT_LENGTH + ";"
    found = list(statement_tokens(Kind.BROKEN, text))
    assert MAX_STATEMENT_LENGTH - 10 < found[-1].start < MAX_STATEMENT_LENGTH
    assert comments(" " * MAX_STATEMENT_LENGTH + "// far") == []


def test_comments_after_a_comment_that_is_not_closed() -> None:
    assert comments("ret; // a") == [(5, 9)]
    assert comments("/* ret; // a") == []
    assert comments("/* \0 */ ret; // a") == [(13, 17)]


@pytest.mark.slow
@pytest.mark.parametrize(
    "instruction",
    [
        f"add.u32 %r1, {' ' * MAX_STATEMENT_LENGTH} %r2, 1;",
        f"add.u32 %r1, /*{'a' * MAX_STATEMENT_LENGTH}*/ %r2, 1;",
        f"add.u32 %r1, %r2, {'1 + ' * MAX_STATEMENT_LENGTH}1;",
        f"add.u32 %r1, %r2, {'1+' * MAX_STATEMENT_LENGTH}1;",
    ],
)
def test_what_ptxas_accepts_is_no_error(instruction: str, tmp_path: Path) -> None:
    head = f"{_HEADER}.entry k()\n{{\n.reg .b32 %r<3>;\nmov.u32 %r2, 1;\n"
    text = f"{head}{instruction}\nadd.u32 %r1, %r2;\nret;\n}}\n"
    (told,) = messages(Document.read(text))  # and the next instruction is checked
    assert told.startswith("`add.u32` takes 3 operands, found 2")
    program = require_ptxas()
    path = tmp_path / "long.ptx"
    path.write_text(text.replace("add.u32 %r1, %r2;", "add.u32 %r1, %r2, 1;"), encoding="utf-8")
    command = [str(program), "-arch=sm_90", "-o", os.devnull, str(path)]
    assert subprocess.run(command, check=False, capture_output=True).returncode == 0
