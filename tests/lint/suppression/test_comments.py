"""Reading comments for ptx-ls, in any text."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ptx_ls.document.document import Document
from ptx_ls.document.editing import edited
from ptx_ls.lint import LintSession
from ptx_ls.lint.suppression.comments import suppression_comments
from ptx_ls.lint.suppression.forms import CommentFault
from ptx_ls.source import Position
from ptx_ls.source.lines import split_lines

PARTS = st.sampled_from(
    [
        *("// ptx-ls: ignore", "// ptx-ls: ignore[operand-width] why", "// ptx-ls: ignore-file"),
        *("/* ptx-ls: ignore-function[a, b] */", "// ptx-ls: ignore-start[", "ptx-ls: ignore-end"),
        *("// ptx-ls: ignore-end", "//", "/*", "*/", "[", "]", ",", '"', "\n", "\r", "\r\n", "\0"),
        *(
            ".version 8.0\n.target sm_90\n",
            ".entry k() {",
            "}",
            "add.u32 %r1, %x, 1;",
            "é😀",
            "# 1",
        ),
        *(".section .debug_str {", ".b8 1", "bad.x;", ".reg .b32 %r<3>;", " ", ";", "\t"),
    ]
)
TEXTS = st.lists(PARTS, max_size=25).map("".join)


def check_comments(text: str, *expected: tuple[int, str, tuple[str, ...], str]) -> None:
    """Fails unless a text has exactly these comments: row, form, names and reason of each."""
    lines = split_lines(text)
    found = list(suppression_comments(lines))
    assert [(it.row, it.word.name, it.names, it.reason) for it in found] == list(expected)
    for each in found:
        comment = lines[each.row][each.start : each.end]
        assert comment.startswith(("// ptx-ls:", "/* ptx-ls:", "//ptx-ls:"))
        for name, start, end in each.listed or ():
            assert lines[each.row][start:end] == name


def test_forms() -> None:
    check_comments(
        "a; // ptx-ls: ignore\nb; //ptx-ls:ignore-file [x,y] because\r\n"
        "/* ptx-ls: ignore-start[z] */",
        (0, "ignore", ("*",), ""),
        (1, "ignore-file", ("x", "y"), "because"),
        (2, "ignore-start", ("z",), ""),
    )


def test_a_reason_ends_where_another_comment_begins() -> None:
    text = "// ptx-ls: ignore[a] see https://example.org/x // note // ptx-ls: ignore why\t//end"
    check_comments(
        text,
        (0, "ignore", ("a",), "see https://example.org/x"),
        (0, "ignore", ("*",), "why"),
    )
    check_comments("// ptx-ls: ignore // note", (0, "ignore", ("*",), ""))


def test_several_in_one_comment() -> None:
    check_comments(
        "// why // ptx-ls: ignore[a] one // ptx-ls: ignore-function: two",
        (0, "ignore", ("a",), "one"),
        (0, "ignore-function", ("*",), "two"),
    )
    text = "/* ptx-ls: ignore[a] // ptx-ls: ignore */"
    check_comments(text, (0, "ignore", ("a",), "// ptx-ls: ignore"))


@pytest.mark.parametrize(
    "text",
    [
        '.pragma "// ptx-ls: ignore";',
        '# 1 "// ptx-ls: ignore"',
        "/* one\n// ptx-ls: ignore\n*/",
        "/* ptx-ls: ignore\n*/",
        "/* see ptx-ls: ignore */",
        "// see ptx-ls: ignore",
        "// ptx-ls ignore",
    ],
)
def test_other_texts(text: str) -> None:
    check_comments(text)


@pytest.mark.parametrize(
    ("text", "fault"),
    [
        ("// ptx-ls:", CommentFault.FORM),
        ("// ptx-ls: ignored[a]", CommentFault.FORM),
        ("// ptx-ls: ignore[a", CommentFault.BRACKET),
        ("// ptx-ls: ignore[a // ptx-ls: ignore", CommentFault.BRACKET),
        ("// ptx-ls: ignore[]", CommentFault.EMPTY),
        ("// ptx-ls: ignore[,]", CommentFault.EMPTY),
    ],
)
def test_faults(text: str, fault: CommentFault) -> None:
    first = next(suppression_comments(split_lines(text)))
    assert (first.fault, first.names) == (fault, ())


def checked(document: Document) -> LintSession:
    """Returns a session in which a document has been checked."""
    session = LintSession(document)
    while (work := session.pending()) is not None:
        work.run(lambda: False)
    return session


@given(TEXTS)
def test_any_text(text: str) -> None:
    """Comments are where they say."""
    lines = split_lines(text)
    for each in suppression_comments(lines):
        assert "ptx-ls:" in lines[each.row][each.start : each.end]


@given(TEXTS, TEXTS, st.integers(0, 30), st.integers(0, 30))
def test_any_edit(text: str, new: str, first: int, second: int) -> None:
    """After an edit, everything is as in the text read from scratch."""
    document = Document.read(text)
    session = checked(document)
    lines = [document.clamped(Position(at // 4, at % 4 * 7)) for at in sorted((first, second))]
    session.document = edited(document, min(lines), max(lines), new)
    while (work := session.pending()) is not None:
        work.run(lambda: False)
    fresh = checked(Document.read(session.document.text))
    assert session.diagnostics() == fresh.diagnostics()
    assert session.suppressed() == fresh.suppressed()
