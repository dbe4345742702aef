"""Markdown as plain text."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ptx_ls.document.document import Document
from ptx_ls.features import markup
from ptx_ls.features.hover.hover import hover
from ptx_ls.features.plain import plain
from ptx_ls.semantics.analysis import Analysis
from ptx_ls.source import Position

CORPUS = Path(__file__).parents[1] / "corpus" / "ptx"


def check_plain(markdown: str, expected: str) -> None:
    """The text without its marks."""
    assert plain(markdown) == expected


@pytest.mark.parametrize(
    ("markdown", "expected"),
    [
        ("`add.s32` **adds** `%r1`", "add.s32 adds %r1"),
        ("a `` `b` `` c", "a `b` c"),
        ("see [9.7.1.1 `add`](https://example.com/add)", "see 9.7.1.1 add"),
        ("### Needs\n\nsm_80", "Needs\n\nsm_80"),
        ("one\n\n---\n\ntwo", "one\n\ntwo"),
        ("2 * 3 * 4, some_name_here, _both_ *kinds*", "2 * 3 * 4, some_name_here, both kinds"),
        ("a\\*b \\| c", "a*b | c"),
        ("![picture](data:image/svg+xml;base64,AAAA)\nbelow", "below"),
        ("- a\n  - b", "- a\n  - b"),
    ],
)
def test_marks(markdown: str, expected: str) -> None:
    check_plain(markdown, expected)


def test_code_keeps_what_looks_like_marks() -> None:
    check_plain(markup.block("d = *a* | `b`;\n# no heading"), "d = *a* | `b`;\n# no heading")


def test_tables_are_columns() -> None:
    table = markup.table(
        ["lane", "holds"],
        [[markup.code("0"), markup.own("`A[0]` | `A[1]`")], [markup.own("**10**"), ""]],
    )
    check_plain(
        f"before\n\n{table}\n\nafter", "before\n\nlane  holds\n0     A[0] | A[1]\n10\n\nafter"
    )


@given(st.text(alphabet="`*_[]()!\\|#-\n ab1", max_size=60))
def test_any_text(text: str) -> None:
    assert "\n\n\n" not in plain(text)


def test_hovers_of_real_ptx_have_no_marks_left() -> None:
    path = min(CORPUS.glob("*.ptx"))
    document = Document.read(path.read_text("utf-8"))
    seen = 0
    for line in range(0, min(len(document.lines), 400), 7):
        for column in range(0, len(document.lines[line]), 5):
            found = hover(Analysis(document), Position(line, column))
            if found is not None:
                text = plain(found.markdown)
                seen += 1
                assert not any(mark in text for mark in ("**", "```", "](http", "| ---"))
    assert seen
