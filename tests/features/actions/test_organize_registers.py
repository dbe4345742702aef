"""Declarations of registers, merged and sorted without a change of what names mean."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ptx_ls.document.document import Document
from ptx_ls.features.actions.organize_registers import TITLE, organized
from ptx_ls.semantics.analysis import Analysis
from tests.support.actions import (
    changed,
    check_action,
    check_kept,
    check_not_offered,
)

HEAD = ".version 8.0\n.target sm_90\n.address_size 64\n.entry k()\n"
CORPUS = Path(__file__).parents[2] / "corpus" / "handwritten"
FILES = sorted(CORPUS.glob("*.ptx"))


def organize(text: str) -> str:
    """The text with all of its declarations sorted."""
    return changed(text, organized(Analysis(Document.read(text))))


def check(before: str, after: str) -> None:
    """A body with its first block sorted, from wherever in the block; sorting it again is idle."""
    for number, line in enumerate(before.splitlines()):
        if line.lstrip().startswith(".reg"):
            lines = before.splitlines(keepends=True)
            lines[number] = lines[number].replace(".reg", "<|>.reg", 1)
            check_action(f"{HEAD}{{\n{''.join(lines)}}}\n", TITLE, f"{HEAD}{{\n{after}}}\n")
    assert organize(f"{HEAD}{{\n{before}}}\n") == f"{HEAD}{{\n{after}}}\n"
    assert organize(f"{HEAD}{{\n{after}}}\n") == f"{HEAD}{{\n{after}}}\n"


def test_merging_and_sorting() -> None:
    check(
        "\t.reg .f32 \t%f<9>;\n\t.reg .b32 b;\n\t.reg .pred %p<2>;\n\t.reg .b32 %r<5>, a;\n"
        "\t.reg .b32 c10, c9;\n\t.reg .v2 .b32 v;\n",
        "\t.reg .pred %p<2>;\n\t.reg .b32 %r<5>, a, b, c9, c10;\n"
        "\t.reg .f32 %f<9>;\n\t.reg .v2 .b32 v;\n",
    )


def test_comments_stay_with_what_they_are_about() -> None:
    check(
        ".reg .b32 b;\n// the sum\n.reg .b32 a;\n.reg .b16 s; // short\n.reg .b32 c;\n",
        ".reg .b16 s; // short\n.reg .b32 b, c;\n// the sum\n.reg .b32 a;\n",
    )


def test_a_blank_line_parts_blocks() -> None:
    text = f"{HEAD}{{\n.reg .b32 b;\n.reg .b32 a;\n\n.reg .b32 d;\n// c\n\n.reg .b32 c;\n}}\n"
    assert organize(text) == text.replace("b;\n.reg .b32 a", "a, b")


def test_long_lines_are_wrapped() -> None:
    names = [f"a_very_long_name_of_a_register_{number}" for number in range(5)]
    check(
        "".join(f".reg .b32 {name};\n" for name in names),
        f".reg .b32 {names[0]}, {names[1]};\n.reg .b32 {names[2]}, {names[3]};\n"
        f".reg .b32 {names[4]};\n",
    )


def test_nothing_crosses_an_instruction() -> None:
    text = (
        f"{HEAD}{{\n.reg .b32 b;\n.reg .b32 a;\nmov.u32 a, 1;\n"
        "{ .reg .b32 a; mov.u32 a, 2; }\n.reg .b32 d;\n.reg .b32 c;\n}\n"
    )
    after = text.replace("b;\n.reg .b32 a", "a, b").replace("d;\n.reg .b32 c", "c, d")
    assert organize(text) == after


@pytest.mark.parametrize(
    "body",
    [
        "<|>.reg .b32 a;\n",
        "<|>.reg .b32 a, b;\n.reg .b64 c;\n",
        "<|>.reg .b32 a; .reg .b16 b;\n",
        "<|>.reg .b32 b;\n.reg .b32 a /* why\n*/;\n",
        ".reg .b32 b;\n.reg .b32 a;\n<|>mov.u32 a, b;\n",
        "<|>.reg .b32 %r<5>;\n.reg .b32 %r<9>;\n",
    ],
)
def test_what_stays(body: str) -> None:
    check_not_offered(f"{HEAD}{{\n{body}}}\n", TITLE)


@pytest.mark.slow
@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_real_files(path: Path) -> None:
    text = path.read_bytes().decode("utf-8", "replace")
    once = organize(text)
    assert organize(once) == once
    check_kept(text, once)


WORDS = [".reg .b32 a;", ".reg .b16 b, %r<3>;", "// c", "\n", "\r\n", "/*", "*/", "{", "}", ".reg"]


@settings(max_examples=100)
@given(st.lists(st.sampled_from(WORDS), max_size=25).map(" ".join))
def test_any_text(body: str) -> None:
    once = organize(HEAD + "{" + body)
    assert sorted(organize(once).split()) == sorted(once.split())
