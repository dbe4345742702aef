"""The page that shows what ptx-ls and ptxas say of the same mistakes."""

import re

import pytest

from docs.generators import side_by_side
from docs.generators.side_by_side import Row
from ptx_ls.document.document import Document
from ptx_ls.lint import lint
from ptx_ls.source import Severity
from tests.support.assembling import require_ptxas

ROWS = side_by_side.rows()
VAGUE = re.compile(r"is not allowed here$|is not complete$")


def check_told_better(row: Row) -> None:
    """Fails unless there is one error, which names a piece of a line, and says something of it."""
    document = Document.read(row.path.read_bytes().decode())
    (found,) = (it for it in lint(document) if it.severity is Severity.ERROR)
    assert found.message
    assert not VAGUE.search(found.message)
    start, end = found.range.start, found.range.end
    assert start.line == end.line
    if start != end:
        assert document.lines[start.line][start.column : end.column].strip()


def test_a_hundred_mistakes_of_many_families() -> None:
    assert len({row.name for row in ROWS}) == len(ROWS) == 100
    assert len({row.family for row in ROWS}) >= 12
    assert all(row.message for row in ROWS)


def test_the_page_shows_every_mistake() -> None:
    page = side_by_side.page()
    assert [row.name for row in ROWS] == re.findall(r"^\*\*([\w-]+)\*\*$", page, re.MULTILINE)
    assert page == side_by_side.PAGE.read_text("utf-8"), "run ./dev docs"


@pytest.mark.parametrize("row", ROWS, ids=lambda row: row.name)
def test_one_error_at_a_piece_of_a_line(row: Row) -> None:
    check_told_better(row)


@pytest.mark.slow
@pytest.mark.ptxas
def test_ptxas_says_what_is_recorded() -> None:
    program = require_ptxas()
    assert list(side_by_side.asked(program)) == ROWS
