"""Formatting while the user types."""

from __future__ import annotations

from hypothesis import given, settings
from hypothesis import strategies as st

from ptx_ls.document.document import Document
from ptx_ls.document.editing import edited
from ptx_ls.features.format_on_type import TRIGGERS, format_on_type
from ptx_ls.formatting import FormatStyle
from ptx_ls.formatting.items import words
from ptx_ls.source import Position
from tests.formatting.test_any_text import TEXTS, applied, texts
from tests.support.fixture import parse_fixture

HEADER = ".version 8.0\n"


def check_typed(before: str, after: str) -> None:
    """Types the character before the cursor, last, and compares what is there then.

    Both texts come after a header, without which nothing is laid out.
    """
    fixture = parse_fixture(HEADER + before)
    lines = fixture.text.split("\n")
    line, column = fixture.cursor.line, fixture.cursor.column
    character = lines[line][column - 1] if column else "\n"
    start = Position(line, column - 1) if column else Position(line - 1, len(lines[line - 1]))
    document = Document.read(fixture.text)
    document = edited(document, start, fixture.cursor, "")
    document = edited(document, start, start, character)
    found = format_on_type(document, fixture.cursor, character, FormatStyle())
    assert applied(document, found) == parse_fixture(HEADER + after).text


def in_function(statements: str) -> str:
    return f".func f()\n{{\n{statements}    ret;\n}}\n"


def check_statements(before: str, after: str) -> None:
    check_typed(in_function(before), in_function(after))


def test_a_finished_statement() -> None:
    check_statements(
        "  add.s32 %r1,%r2 , 1;<|>\n  ret;\n",
        "    add.s32             %r1, %r2, 1;\n  ret;\n",
    )
    check_statements("L: ret;<|>\n", "L: ret;\n")  # two statements: that would move the cursor


def test_a_comment_finds_its_column() -> None:
    check_statements(
        "    ret;                                // a\n    mov.u32 %r1, 1;<|> // b\n",
        "    ret;                                // a\n"
        "    mov.u32             %r1, 1;         // b\n",
    )


def test_a_closing_brace() -> None:
    check_statements("    {\n        ret;\n        }<|>\n", "    {\n        ret;\n    }\n")
    check_typed(".func f()\n{\n    ret;\n    }<|>\n", ".func f()\n{\n    ret;\n}\n")


def test_a_new_line_is_indented() -> None:
    check_statements("    ret;\n<|>\n", "    ret;\n    \n")
    check_statements("    {\n<|>\n    }\n", "    {\n        \n    }\n")
    check_statements("L:\n<|>\n", "L:\n    \n")
    check_typed(".func f()\n{\n    ret;\n}\n<|>", ".func f()\n{\n    ret;\n}\n")
    check_typed(".target sm_80\n<|>\n", ".target sm_80\n\n")


def test_a_new_line_finishes_the_one_above() -> None:
    check_statements("ret;\n<|>\n", "    ret;\n    \n")
    check_statements("  .loc 1  2 3\n<|>\n", "    .loc 1 2 3\n    \n")


def test_a_line_that_stayed_empty_keeps_no_white_space() -> None:
    check_statements("    ret;\n    \n<|>\n", "    ret;\n\n    \n")
    check_typed("/* one\n   \n<|>", "/* one\n   \n")


def test_the_last_line_gets_no_end() -> None:
    check_typed(".global .u32  v;<|>", ".global .u32 v;")
    check_typed(".func f()\n{\n  ret;\n  }<|>", ".func f()\n{\n  ret;\n}")


def test_a_new_line_in_a_statement() -> None:
    check_statements("    add.s32 %r1,\n<|>\n", "    add.s32 %r1,\n        \n")
    check_typed(".entry k(\n<|>\n", ".entry k(\n    \n")


def test_text_behind_the_cursor_goes_with_it() -> None:
    check_statements(
        "    ret;\n<|>mov.u32 %r1, 1;\n", "    ret;\n    mov.u32             %r1, 1;\n"
    )


def test_without_a_header_nothing_is_laid_out() -> None:
    document = Document.read("f();\n  g( ) ;")
    assert not format_on_type(document, Position(1, 8), ";", FormatStyle())


def test_what_is_broken_stays() -> None:
    check_statements("  add.s32 %r1,, 1;<|>\n", "  add.s32 %r1,, 1;\n")


def test_comments_stay() -> None:
    check_typed("/* one\n   two\n<|>", "/* one\n   two\n")
    check_typed("/* one;<|>\n   two\n", "/* one;\n   two\n")


@settings(max_examples=150)
@given(
    st.one_of(texts, st.sampled_from(TEXTS)),
    st.integers(0, 60),
    st.integers(0, 40),
    st.sampled_from(TRIGGERS),
)
def test_any_text(text: str, line: int, column: int, typed: str) -> None:
    document = Document.read(text)
    position = document.clamped(Position(line, column))
    document = edited(document, position, position, typed)
    found = format_on_type(document, Position(line, column), typed, FormatStyle())
    assert len(found) <= 2
    assert words(applied(document, found)) == words(document.text)
