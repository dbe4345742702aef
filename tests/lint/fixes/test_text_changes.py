"""Edits between two versions of a text."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ptx_ls.lint.fixes.apply import applied
from ptx_ls.lint.fixes.text_changes import LineChange, line_changes, text_changes
from ptx_ls.source.lines import split_lines

texts = st.lists(st.sampled_from(["a", "b", "ab", "\n", "\r\n", "\r", "é", "😀"])).map("".join)


def check_changes(old: str, new: str) -> list[str]:
    """The new texts of the edits, which make the one of the other and touch nothing equal."""
    edits = text_changes(old, new)
    assert applied(split_lines(old), edits) == new
    return [edit.new_text for edit in edits]


@given(texts, texts)
def test_any_texts(old: str, new: str) -> None:
    check_changes(old, new)


@pytest.mark.parametrize(
    ("old", "new", "texts"),
    [
        ("one\ntwo\nthree\n", "one\ntwo\nthree\n", []),
        ("one\ntwo\nthree\n", "ore\ntwo\ntree\n", ["r", ""]),
        ("one\ntwo\nthree\n", "one\nthree\n", [""]),
        ("one\nthree\n", "one\ntwo\nthree\nfour\n", ["two\n", "four\n"]),
    ],
)
def test_what_is_equal_stays(old: str, new: str, texts: list[str]) -> None:
    assert check_changes(old, new) == texts


def test_many_lines() -> None:
    old = "".join(f"{number}\n" for number in range(10_000))
    new = old.replace("\n500\n", "\n").replace("\n9000\n", "\n")
    assert check_changes(old, new) == ["", ""]
    assert line_changes(old, new) == [LineChange(500, 501, []), LineChange(9000, 9001, [])]


def test_many_equal_lines() -> None:
    lines = ["ret;\n"] * 10_000
    new = [*lines[:500], "exit;\n", *lines[501:]]
    assert line_changes("".join(lines), "".join(new)) == [LineChange(500, 501, ["exit;\n"])]
    assert line_changes("".join(lines), "".join(lines[1:])) == [LineChange(9999, 10_000, [])]


def test_a_removed_line_and_an_added_one() -> None:
    old = "".join(f"{number}\n" for number in range(100))
    new = old.replace("\n9\n", "\n").replace("\n90\n", "\n90\n91\n")
    assert line_changes(old, new) == [LineChange(9, 10, []), LineChange(91, 91, ["91\n"])]
