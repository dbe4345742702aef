from __future__ import annotations

import io

import pytest
from hypothesis import given
from hypothesis import strategies as st
from rich.cells import cell_len

from ptx_ls.cli import console
from ptx_ls.cli.reports.tables import table

LONG = "some words that are too long for one line"
ROWS = [("name", "count", "text"), ("a", "10", LONG), ("long", "2", "")]


class Terminal(io.StringIO):
    def isatty(self) -> bool:
        return True


def check_table(stream: io.StringIO, *expected: str) -> None:
    assert table(ROWS, stream).splitlines() == list(expected)


def test_a_pipe() -> None:
    check_table(
        io.StringIO(),
        "name  count  text",
        "a     10     some words that are too long for one line",
        "long  2",
    )


def test_a_narrow_terminal(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(console, "width", lambda _: 45)
    check_table(
        Terminal(),
        "name  count  text",
        "a     10     some words that are too long for",
        "             one line",
        "long  2",
    )


def test_a_terminal_without_room_for_the_last_column(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(console, "width", lambda _: 40)
    check_table(
        Terminal(),
        "name  count",
        "    text",
        "a     10",
        "    some words that are too long for one",
        "    line",
        "long  2",
    )


def test_no_rows() -> None:
    assert table([], io.StringIO()) == ""
    assert table([], Terminal()) == ""


texts = st.text("ab `éж中", max_size=90)


@given(st.lists(st.tuples(texts.map(lambda text: text[:9]), texts), max_size=5))
def test_any_text_fits_a_terminal(rows: list[tuple[str, str]]) -> None:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(console, "width", lambda _: 60)
        lines = table(rows, Terminal()).splitlines()
    assert all(cell_len(line) <= 60 for line in lines)
