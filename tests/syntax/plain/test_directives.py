"""Directives that are recognized without a tree have no syntax error."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ptx_ls.syntax.parser import problem_of
from ptx_ls.syntax.plain.directives import is_plain_directive

WORDS = [
    *(".version", ".target", ".address_size", ".file", ".section", ".debug_info", ".debug_str"),
    *("8.5", "64", "32", "0", "7", "08", "sm_90a", "debug", "WARP_SZ", ",", '"a.cu"', '"', "{"),
    *("\n", "\t", "x", "9", "//", ";", "."),
]


@pytest.mark.parametrize(
    "text",
    [
        ".version 8.5",
        ".version\t9.0",
        ".target sm_90a",
        ".target sm_75, texmode_independent , debug",
        ".address_size 64",
        '.file\t1 "/tmp/a b.cu"',
        '.file 2 "c.cu", 1700000000, 42',
        ".section\t.debug_info\n\t{",
        ".section .debug_abbrev {",
    ],
)
def test_directives_of_compilers(text: str) -> None:
    assert is_plain_directive(text)
    assert problem_of(text) is None


@settings(max_examples=1000)
@given(
    st.sampled_from(WORDS[:5]),
    st.lists(st.sampled_from(WORDS), max_size=6),
    st.sampled_from(["", " ", "\t"]),
)
def test_any_words(first: str, others: list[str], between: str) -> None:
    text = between.join([first, " ", *others])
    if is_plain_directive(text):
        assert problem_of(text) is None
