"""Declarations that expressions read are those that the grammar reads, with the same symbols."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ptx_ls.document.coordinates import FunctionPosition
from ptx_ls.document.document import Document
from ptx_ls.lint import lint
from ptx_ls.semantics.symbols.declaration_reader import of_declaration
from ptx_ls.syntax.parser import parse
from ptx_ls.syntax.plain.declarations import plain_declaration

_HEADER = ".version 8.5\n.target sm_90\n.address_size 64\n.global .u32 known;\n"
_COMMENT = " /**/"
"""With it, a declaration is read by the grammar and means the same."""
WORDS = ".global .const .reg .shared .local .param .extern .visible .weak .common .align 4 8 0 010"
WORDS += " .v2 .v4 .b8 .u32 .s64 .f32 .f16x2 .pred .texref .b64 a b1 %r known WARP_SZ add ="
WORDS += " 1 -1 0x10 -0xF 0f3F800000 1.5 1e3 99999999999999999999 1U generic"
MARKS = ["[", "]", "[2]", "[3]", "[]", "{", "}", "{1, 2}", "{{1}, {2, 3}}", ",", ", ", ";", "+ 4"]
MARKS += ["(", ")", "<4>", "<", ">", "-", "\n", "\r\n", "\t", " \f", "// c\n", ".x", "= {1, 2, 3}"]
PARTS = st.sampled_from([*(f"{word} " for word in WORDS.split()), *MARKS])
NAMED = st.builds(
    "{} {}{} {} {};".format,
    st.sampled_from(
        [".global", ".const", ".visible .global", ".shared .align 4", ".reg", ".param"]
    ),
    st.sampled_from(["", ".v2 ", ".v4 "]),
    st.sampled_from([".b8", ".u32", ".s64", ".f32", ".f64", ".f16", ".pred", ".texref"]),
    st.sampled_from(["a", "a, b", "%r<3>", "a[2]", "a[2][2]", "a[0]", "a[]", "a[2][]", "a[\n2]"]),
    st.lists(PARTS, max_size=4).map("".join),
)
TEXTS = st.one_of(st.lists(PARTS, max_size=12).map(lambda parts: "".join(parts) + ";"), NAMED)


def check_plain(text: str, *, is_plain: bool) -> None:
    """Compares what a declaration is with what the grammar makes of it."""
    assert (plain_declaration(text) is not None) is is_plain
    if is_plain:
        assert parse(text).problem is None
        with_tree = text + _COMMENT
        assert plain_declaration(with_tree) is None
        start = FunctionPosition((3, 4))
        assert list(of_declaration(text, start)) == list(of_declaration(with_tree, start))
        plain, other = (lint(Document.read(_HEADER + it + "\n")) for it in (text, with_tree))
        assert [(it.range, it.message) for it in plain] == [(it.range, it.message) for it in other]


@pytest.mark.parametrize(
    "text",
    [
        ".global .u32 a;",
        ".visible .global .align 4 .b8 a[3] = {1, 2, 0xFF};",
        ".global .u32 a[2][2] = {\n\t{1, 2},\r\n\t{3}\n};",
        ".global .u32 a[2] = {1, 2, 3};",
        ".global .u32 a[2][2] = {{1, 2, 3}};",
        ".global .u32 a[2] = {{1}};",
        ".global .u32 a = {1};",
        ".global .u32 a[1] = 1;",
        ".global .f32 a = 1;",
        ".global .u32 a = 0f3F800000;",
        ".global .u64 a = known + 4, b[] = {a, missing};",
        ".global .v4 .f32 a[2];",
        ".global .v2 .u32 a = {1, 2};",
        ".reg .b32 %r<5>, a;",
        "  .extern .shared .align 16 .b8 a[]\n;",
    ],
)
def test_plain_declarations(text: str) -> None:
    check_plain(text, is_plain=True)


@pytest.mark.parametrize(
    "text",
    [
        ".global .u32 a",
        ".global .u32 a b;",
        ".global .u32 a[2;",
        ".global .u32 a = {1, };",
        ".global .u32 a = {};",
        ".global .u32 a = 010;",
        ".global .u32 a = 99999999999999999999;",
        ".global .u32 a = 1 2;",
        ".global .u32 a; .global .u32 b;",
        ".global .u64 a = generic(b);",
        ".global .u64 a /* b */;",
        ".reg .b32 WARP_SZ;",
        ".b32 a;",
        "add.u32 a, b, 1;",
    ],
)
def test_what_is_left_to_the_grammar(text: str) -> None:
    check_plain(text, is_plain=False)


@given(TEXTS)
def test_any_declaration(text: str) -> None:
    check_plain(text, is_plain=plain_declaration(text) is not None)
