"""Plain statements that share a line are read as if each had the line to itself."""

from __future__ import annotations

from unittest.mock import patch

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from ptx_ls.document.document import Document
from ptx_ls.syntax.boundaries import begins_statement
from ptx_ls.syntax.plain import statements
from ptx_ls.syntax.record import MultiLine

_PLAIN = [
    "ret;",
    "add.s32 %r1, %r2, 3;",
    "\tadd.s32 %r12,%r3,4 ;",
    "@!%p1 bra.uni L7;",
    ".reg .b32 %r<9>;",
    ".shared .align 4 .b8 s[16];",
    "ld.global.v2.u32 {%r1,%r2}, [%rd1+8];",
    "call.uni (%r1), f, (%r2);",
    "mov.f32 %f1, 0f3F800000;",
]
_OTHER = [
    ";",
    " ;; ",
    "{",
    "}",
    "L7:",
    "add.s32 %r1 %r2;",
    "add.s32 %r1, %r2, 3",
    "// end; ret;\n",
    "/* ret; */",
    '.pragma "ret;";',
    '"ret;',
    ".loc 1 2 3",
    ".section .debug { .b8 1 }",
    "mov .u32 %r1, 08;",
    "\n",
    ".func f() {",
    ".global .b8 v[] = {1, 2;",
    "\f",
    "é;",
]


def check_same(line: str) -> None:
    """Statements and problems are those that the tokens of the text show."""
    found = Document.read(line)
    with patch.object(statements, "_MAX_MEAN_LENGTH", 0):
        expected = Document.read(line)
    assert _read(found) == _read(expected)


def _read(document: Document) -> list[object]:
    """The reading of each line."""
    found: list[object] = []
    for record in document.records:
        if isinstance(record, MultiLine):
            pieces = [(repr(it.record), it.start, it.end) for it in record.pieces]
            found.append((pieces, record.problems, record.looks_ahead))
        else:
            found.append((repr(record), record.problems))
    return found


@given(st.lists(st.sampled_from(_PLAIN + _OTHER), max_size=30), st.sampled_from(["", " ", "  "]))
@example(_PLAIN * 40, " ")
@example([*_PLAIN, "add.s32 %r1 %r2;", *_PLAIN], "")
def test_any_line(parts: list[str], between: str) -> None:
    check_same(between.join(parts))


@pytest.mark.parametrize("other", _OTHER)
@pytest.mark.parametrize("n_plain", [1, 2, 30])
def test_something_else_among_them(other: str, n_plain: int) -> None:
    line = " ".join(_PLAIN * n_plain)
    check_same(f"{line} {other} {line}")


@pytest.mark.parametrize("other", ["", *_OTHER])
def test_no_token_of_them_is_looked_at(other: str) -> None:
    before = [f"add.s32 %r{number}, %r2, {number};" for number in range(2_000)]

    def n_tokens(line: str) -> int:
        with patch("ptx_ls.syntax.statements.begins_statement", wraps=begins_statement) as tokens:
            Document.read(line + other)
        return tokens.call_count

    assert n_tokens("".join(before)) == n_tokens("".join(before[:20]))
