"""Comments are what the tokens take for white space, and nothing else is lost or moves."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ptx_ls.syntax.comments import blanked, without_comments
from ptx_ls.syntax.tokens import TOKEN

_PARTS = ("//", "/*", "*/", "*", "/", '"', "#", "a", " ", "\n", "\r\n", "\r", ";", "é", "% ")


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("a // b\nc", "a  \nc"),
        ("a/* b\n*/c/**/d", "a c d"),
        ("a // b \r c\r\nd", "a  \r\nd"),
        ("a /* // */ b", "a   b"),
        ("a /* never closed\n;", "a  "),
        ('.pragma "a//b"; // "c', '.pragma "a//b";  '),
        ('# 1 "a/*b"\nc', '# 1 "a/*b"\nc'),
    ],
)
def test_a_blank_for_each_comment(text: str, expected: str) -> None:
    assert without_comments(text) == expected
    assert without_comments(blanked(text)) == blanked(text)


@given(st.lists(st.sampled_from(_PARTS)).map("".join))
def test_comments_are_those_of_the_tokens(text: str) -> None:
    expected = ""
    for match in TOKEN.finditer(text):
        is_open = match[0] == "/*"
        found = text[match.start() :] if is_open else match[0]
        if found.startswith(("//", "/*")):
            found = "".join(letter if letter in "\r\n" else " " for letter in found)
        expected += found
        if is_open:
            break
    assert blanked(text) == expected
