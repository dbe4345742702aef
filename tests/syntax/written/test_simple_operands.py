"""The operands of simple lines are those that their tokens give; other lines have none."""

from __future__ import annotations

import pytest

from ptx_ls.document.document import Document
from ptx_ls.syntax.record import Shape
from ptx_ls.syntax.written.operands import written_operands
from ptx_ls.syntax.written.simple_operands import simple_operands


def check_operands(line: str, expected: list[str]) -> None:
    """Compares the operands of a line with those that are expected, and with its tokens."""
    (chunk,) = Document.read(line).leaf(0).leaves()
    (record,) = chunk.records
    assert isinstance(record, Shape)
    found = simple_operands(record, line)
    assert found == expected
    if found:
        assert found == [each.text for each in written_operands(record, line.strip())]


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        ("    add.s32 %r1, %r2, -4;", ["%r1", "%r2", "-4"]),
        ("\t@!%p1 setp.lt.u32 \t%p2, %r1,%r2 ;\n", ["%p2", "%r1", "%r2"]),
        ("mov.u32 %r1, 0x10;", ["%r1", "0x10"]),
        ("mov.u64 %rd1, a+4;", ["%rd1", "a+4"]),
        ("add.s32 %r1, %r2, /* 3 */ 4;", []),
        ("ld.global.u32 %r1, [%rd1];", []),
        ("mov.b64 {%r1, %r2}, %rd1;", []),
        ("setp.lt.u32 %p1|%p2, %r1, %r2;", []),
        ("ret;", []),
    ],
)
def test_operands_of_a_line(line: str, expected: list[str]) -> None:
    check_operands(line, expected)
