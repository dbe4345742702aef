"""A long line of statements is laid out as a short one is, and no unit takes its tokens at once."""

from __future__ import annotations

from unittest.mock import patch

from hypothesis import given, settings
from hypothesis import strategies as st

from ptx_ls.formatting import FormatStyle, items, long_line
from ptx_ls.formatting.formatter import formatted

STATEMENTS = [
    *("add.s32 %r1, %r2, 3;", "@%p1 bra L;", "@!%p12 exit;", "add .s32 %r1,%r2,3;", "{", "}", "L:"),
    *(".reg .b32 %r<5>, x;", "ret;", ".loc 1 2 3", ".b8 1,2", ".shared .b32 x[4];", '.pragma "x";'),
    *("add.s32 %r1,%r2, %r3;", "mov.b64 {%r1,%r2}, %rd1;", "st.global.v2.u32 [%rd1+8],{%r1,-2};"),
    *("ts: .branchtargets a, b;", ".func f();", ".func f() {", "bar.sync 0;"),
    "mov.u32 %r1, -1 + 2;",
    "wgmma.x {" + ", ".join(["%f1"] * 40) + "}, %rd1, 1, 1;",
]


def check_long_line(statements: list[str], style: FormatStyle) -> None:
    """Fails unless a line gives the same text whether it is taken for a long one or not."""
    text = ".version 8.5\n.entry k() {\n" + " ".join(statements) + "\n}\n"
    with patch.object(long_line, "_MIN_LENGTH", 0):
        found = formatted(text, style)
    with patch.object(long_line, "_MIN_LENGTH", 1 << 30):
        assert found == formatted(text, style)


@settings(max_examples=200)
@given(st.lists(st.sampled_from(STATEMENTS), max_size=8), st.sampled_from([0, 20, 40]))
def test_any_statements(statements: list[str], operand_column: int) -> None:
    check_long_line(statements, FormatStyle(operand_column=operand_column))


def test_a_comment_stays_with_its_statement() -> None:
    check_long_line(["ret; /* why */ bar.sync 0;", "// end"], FormatStyle())


def test_usual_instructions_are_not_read_token_by_token() -> None:
    def n_read(n_statements: int) -> int:
        line = "".join(f"add.u32 %r{n},%r2, {n};@%p1 bra L;" for n in range(n_statements))
        with patch.object(items, "read", wraps=items.read) as read:
            formatted(f".version 8.5\n.entry k() {{\n{line}\n}}\n", FormatStyle())
        return read.call_count

    assert n_read(2_000) == n_read(1_000)
