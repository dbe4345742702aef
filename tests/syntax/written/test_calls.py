"""Calls as written."""

from __future__ import annotations

import pytest

from ptx_ls.syntax.written.calls import call_in, items_of


def check_call(text: str, name: str, results: list[str], arguments: list[str], table: str) -> None:
    """Checks the parts of a call, each of which is in the text where it says."""
    call = call_in(text)
    assert call is not None
    assert (call.name.text, call.targets.text if call.targets else "") == (name, table)
    assert text[call.name.start : call.name.end] == name
    for parts, expected in ((call.results, results), (call.arguments, arguments)):
        items = list(items_of(parts))
        assert [item.text for item in items] == expected
        assert [text[item.start : item.end] for item in items] == expected


@pytest.mark.parametrize(
    ("text", "name", "results", "arguments", "table"),
    [
        ("call f;", "f", [], [], ""),
        ("call.uni (r), f, (a, 1);", "f", ["r"], ["a", "1"], ""),
        ("@%p1 call (r, s), %rd1, ( a ), list;", "%rd1", ["r", "s"], ["a"], "list"),
        ("call f, ();", "f", [], [], ""),
        ("call (_), f, (a), p;", "f", ["_"], ["a"], "p"),
    ],
)
def test_parts(text: str, name: str, results: list[str], arguments: list[str], table: str) -> None:
    check_call(text, name, results, arguments, table)


def test_comments_and_line_markers_are_blank() -> None:
    call = call_in('call (r /* no */),\n# 1 "x.cu"\n f, (a);')
    assert call is not None
    assert [item.text for item in items_of(call.results)] == ["r"]


def test_other_statements_are_not_calls() -> None:
    assert call_in("mov.u32 %r1, %r2;") is None
    assert call_in("call (r), ;") is None
