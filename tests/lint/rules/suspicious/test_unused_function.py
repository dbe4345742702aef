"""Tests of the rule unused-function."""

from __future__ import annotations

from ptx_ls.document.document import Document
from ptx_ls.document.editing import edited
from ptx_ls.lint import lint
from ptx_ls.source import Position
from tests.support.lint import check_rule

RULE = "unused-function"


def test_unused() -> None:
    check_rule(
        RULE,
        """
    .func orphan() { ret; }  // orphan
    //    ^^^^^^ unused-function: function `orphan` is never used, and is not visible to other
    .visible .entry kernel() { ret; }
    """,
    )


def test_quiet() -> None:
    check_rule(
        RULE,
        """
    .func later();
    .func called() { ret; }
    .visible .func seen() { ret; }
    .weak .func merged() { ret; }
    .func addressed() { ret; }
    .global .u64 table[1] = { addressed };
    .func listed() { ret; }
    .visible .entry kernel()
    {
        .reg .b64 %rd<2>;
        call called;
        call later;
        targets: .calltargets listed;
        call %rd1, targets;
        ret;
    }
    .func later() { ret; }
    .entry not_visible() { ret; }
    """,
    )


def test_an_edit_of_another_function() -> None:
    text = ".version 8.0\n.target sm_90\n.func f() { ret; }\n.visible .entry k() {\nret;\n}\n"
    document = Document.read(text)
    assert names(document) == ["unused-function"]
    calling = edited(document, Position(4, 0), Position(4, 0), "call f;\n")
    assert names(calling) == []
    again = edited(calling, Position(4, 0), Position(5, 0), "")
    assert names(again) == ["unused-function"]


def names(document: Document) -> list[str]:
    """Returns the rules that report something."""
    return [one.rule for one in lint(document)]
