"""A line that differs from an earlier one in a digit alone is judged by what it says itself."""

from __future__ import annotations

import pytest

from ptx_ls.document.document import Document
from ptx_ls.lint import lint

HEAD = (
    ".version 8.0\n.target sm_80\n.address_size 64\n.entry k()\n{\n"
    "\t.reg .b32 %r<9>;\n\t.reg .pred %p<3>;\nL1:\n"
)


def check_found(lines: list[str], rule: str, line: int) -> None:
    text = HEAD + "".join(f"\t{each}\n" for each in lines) + "\tret;\n}\n"
    first = HEAD.count("\n")
    found = [(one.rule, one.range.start.line - first) for one in lint(Document.read(text))]
    assert found == [(rule, line)]


@pytest.mark.parametrize(
    ("right", "wrong", "rule"),
    [
        ("add.s32 %r2, %r1, 1;", "add.s32 %r2, %r, 1;", "undeclared-register"),
        ("@%p1 bra L1;", "@%p bra L1;", "undeclared-register"),
        ("bra L1;", "bra L;", "undeclared-label"),
        ("{ mov.b32 %r2, %r1; }", "{ mov.b32 %r2, %r; }", "undeclared-register"),
        ("ret; mov.b32 %r2, %r1;", "ret; mov.b32 %r, %r1;", "undeclared-register"),
        ("mov.b32 %r1, 2; @%p1 bra L1;", "mov.b32 %r1, 2; @%p1 bra L;", "undeclared-label"),
    ],
)
def test_a_name_without_its_number(right: str, wrong: str, rule: str) -> None:
    check_found([right, wrong], rule, 1)
    check_found([wrong, right], rule, 0)
