"""Edits between two versions of a text."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ptx_ls.lint.fixes.apply import applied
from ptx_ls.lint.fixes.text_changes import text_changes
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
    assert check_changes(old, old.replace("\n500\n", "\n").replace("\n9000\n", "\n")) != []
