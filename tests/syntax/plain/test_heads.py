"""Heads of functions over several lines: read by expression as the cutter reads them."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ptx_ls.source.lines import split_lines
from ptx_ls.syntax.plain import runs
from ptx_ls.syntax.reader import Reader
from ptx_ls.syntax.record import MultiLine

CORPUS = Path(__file__).parents[2] / "corpus"
PARTS = [
    ".visible ",
    ".weak\n",
    ".entry ",
    ".func ",
    "k",
    "(",
    ")",
    "\n",
    "\r\n",
    " ",
    "\v",
    ".param .b64 p",
    ".param .align 8 .b8 q[16]",
    ".reg .b32 %r1",
    ",\n",
    "\n.maxntid 128, 1, 1",
    "\n.minnctapersm 2\n",
    "{",
    "}",
    ";",
    "// note\n",
    "/* { */",
    "ret;",
]


def check_heads(text: str) -> int:
    """Compares what begins on each line with the cutter's reading; how many heads were plain."""
    lines = split_lines(text)
    plain = 0
    for line in range(len(lines)):
        if runs.read_head(lines, line) is None:
            continue
        quick, stop = Reader().read(lines, line)
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(runs, "find_head", lambda *_: None)
            slow, slow_stop = Reader().read(lines, line)
        assert stop == slow_stop
        assert isinstance(quick, MultiLine)
        assert isinstance(slow, MultiLine)
        assert [tuple(piece) for piece in quick.pieces] == [tuple(piece) for piece in slow.pieces]
        assert (quick.problems, quick.looks_ahead) == (slow.problems, slow.looks_ahead)
        plain += 1
    return plain


@pytest.mark.parametrize(
    ("text", "count"),
    [
        (".entry k(\n  .param .b64 p\n)\n{\n", 1),
        (".visible .entry k(\n  .param .b64 p\n)\n.maxntid 128\n{ // body\n", 1),
        (".func (.param .b32 r) f\n(.param .b32 a)\n;\n", 1),
        (".func f\n(.param .b32 a); .func g;\n", 0),  # more text is on the last line
        (".entry k\n(.param .b32 a // note\n)\n{\n", 0),
        (".entry k\n.reg .b32 %r1;\n", 0),
    ],
)
def test_plain_heads(text: str, count: int) -> None:
    assert check_heads(text) == count


@pytest.mark.slow
@pytest.mark.parametrize("path", sorted(CORPUS.rglob("*.ptx")), ids=lambda path: path.stem)
def test_heads_of_the_corpus(path: Path) -> None:
    check_heads(path.read_text("utf-8", "surrogateescape"))


@given(st.lists(st.sampled_from(PARTS), max_size=14).map("".join))
def test_heads_of_any_text(text: str) -> None:
    check_heads(text)
