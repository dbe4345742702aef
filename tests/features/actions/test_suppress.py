"""Comments that keep a rule quiet where it stands."""

from __future__ import annotations

import pytest

from ptx_ls.document.document import Document
from ptx_ls.features.actions.suppress import suppression
from ptx_ls.lint import lint
from ptx_ls.semantics.analysis import Analysis
from tests.support.actions import changed
from tests.support.lint import module

LONG = "add.u32 %r1, %r2, " + "%x" + "x" * 80 + ";"
NOTE = "// ptx-ls: ignore[{}]"


def check_suppressed(statements: str, expected: str) -> None:
    """The first diagnostic is told no more, and nothing else is told for it."""
    text = module(statements)
    document = Document.read(text)
    found = lint(document)
    after = changed(text, [suppression(Analysis(document), found[0])])
    assert after == module(expected)
    assert [it.message for it in lint(Document.read(after))] == [it.message for it in found[1:]]


@pytest.mark.parametrize(
    ("before", "after"),
    [
        (
            "  add.u32 %r1, %r2, %q;\n",
            f"  add.u32 %r1, %r2, %q; {NOTE.format('undeclared-register')}\n",
        ),
        (
            "  add.u32 %r1, %r2, %q; // x\r\n",
            f"  add.u32 %r1, %r2, %q; // x {NOTE.format('undeclared-register')}\r\n",
        ),
        (f"  {LONG}\r\n", f"  {NOTE.format('undeclared-register')}\r\n  {LONG}\r\n"),
        (
            f"{NOTE.format('x')}\nadd.u32 %r1, %r2, %q;\n",
            f"{NOTE.format('x, undeclared-register')}\nadd.u32 %r1, %r2, %q;\n",
        ),
        (
            f"add.u32 %r1, %r2, %q; {NOTE.format('x')}\n",
            f"add.u32 %r1, %r2, %q; {NOTE.format('x, undeclared-register')}\n",
        ),
    ],
)
def test_one_rule(before: str, after: str) -> None:
    check_suppressed(before, after)
