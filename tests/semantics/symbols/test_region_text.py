"""Statements of some lines of a region."""

from __future__ import annotations

import pytest

from ptx_ls.document.document import Document
from ptx_ls.semantics.symbols.region_text import region_text

_TEXT = "ret;\nadd.s32\n%r1,\n%r2, 3; exit;\nret;\n"


def check_statements(lines: range, *expected: str) -> None:
    """The statements that some lines hold, or a part of."""
    text = region_text(Document.read(_TEXT).leaf(0))
    found = list(text.statements(lines))
    assert [" ".join(it.text.split()) for it in found] == list(expected)
    whole = list(text.statements())
    assert all(it in whole for it in found)


def test_statements_of_lines() -> None:
    check_statements(range(5), "ret;", "add.s32 %r1, %r2, 3;", "exit;", "ret;")
    check_statements(range(1), "ret;")
    check_statements(range(4, 5), "ret;")


def test_lines_in_the_midst_of_a_statement() -> None:
    check_statements(range(2, 3), "add.s32 %r1, %r2, 3;", "exit;")
    check_statements(range(3, 5), "add.s32 %r1, %r2, 3;", "exit;", "ret;")


@pytest.mark.parametrize(
    "text", [".section .debug_str {\n", ".entry k() {\n}\n", ".func f() { } .func g() { }\n"]
)
def test_nothing_stands_before_a_head_on_the_first_line(text: str) -> None:
    document = Document.read(text)
    regions = [region_text(document.leaf(index)) for index in range(document.n_leaves)]
    assert not regions[0].records
    assert not list(regions[0].statements())
    assert list(regions[1].statements())


@pytest.mark.parametrize("n_lines", [1, 5_000])
def test_flags_of_lines(n_lines: int) -> None:
    lines = ["add.u32 %r1, %r2, 3;\n", "$L1:\n", "add.u32\n%r1, %r2, 3;\n"] * n_lines
    check_flags(Document.read("".join(lines)))


def check_flags(document: Document) -> None:
    """The flags of lines are those of their records."""
    text = region_text(document.leaf(0))
    numbers = {record: number % 256 for number, record in enumerate({*text.records})}
    assert [*text.flags(numbers.__getitem__)] == [numbers[record] for record in text.records]
