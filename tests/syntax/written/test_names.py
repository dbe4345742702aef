"""The names of an instruction, which are those of its tree however they are found."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ptx_ls.document.document import Document
from ptx_ls.semantics.symbols.region_text import region_text
from ptx_ls.syntax.parser import parse
from ptx_ls.syntax.parsing.instruction_parts import of_instruction
from ptx_ls.syntax.record import Shape
from ptx_ls.syntax.written.names import (
    identifiers_of,
    names_of,
    offsets_of_name,
    spans_of_name,
)

CORPUS = Path(__file__).parents[2] / "corpus"
_SOME_LINES = 400
_PIECES = st.sampled_from(
    [
        *("add.s32", "call", "bra", "@p", "@!%p1", "mov", "tex.2d.v4.f32.s32", "ld.u32", "\\ call"),
        *("%r1", "%tid.x", "%tid .x", "x", "a.b", "$L_1", "_", "_x", "WARP_SZ", "%p1|%p2", "!%p"),
        *("[x+4]", "{x, _, %r2}", "(a, b)", "1", "0x1F", "0f3F800000", "1.5e3", "-%r1", "x[3]"),
        *(
            ",",
            ", ",
            " ",
            "\t",
            "\n",
            "\r",
            ".x",
            ".b0",
            "/* y */",
            "// z\n",
            "%",
            "$",
            "a\N{ACUTE ACCENT}b",
        ),
    ]
)


def check_names(text: str) -> int:
    """Compares the names of each instruction with its tree; returns how many there were."""
    document = Document.read(text)
    n_instructions = 0
    for index in range(document.n_leaves):
        for found in region_text(document.leaf(index)).statements():
            parsed = parse(found.text)
            if isinstance(found.record, Shape) and parsed.problem is None:
                n_instructions += 1
                expected = tuple(of_instruction(parsed.tree)[1])
                assert identifiers_of(found.record, found.text) == expected
                assert names_of(found.record, found.text) == [one.full for one in expected]
    return n_instructions


@pytest.mark.slow
@pytest.mark.parametrize("path", sorted(CORPUS.rglob("*.ptx"))[::5], ids=lambda path: path.stem)
def test_names_of_the_corpus(path: Path) -> None:
    lines = path.read_text(encoding="utf-8", errors="replace").splitlines(keepends=True)
    check_names("".join(lines[:_SOME_LINES]))


@given(st.lists(_PIECES, max_size=12))
def test_names_of_any_statement(pieces: list[str]) -> None:
    check_names(f".entry k() {{\n{''.join(pieces)};\n}}\n")


def test_each_instruction_is_looked_at() -> None:
    assert check_names(".entry k() { add.s32 a, b, %tid.x;\n@!p bra L; ld.u32 x, [y+4]; }\n") == 3


@pytest.mark.parametrize(
    ("text", "offsets"),
    [
        ("a", [0]),
        ("a, aa, %a, a1, a.x", [0, 15]),
        ("x.a a::b b::a a$ $a _a", []),
        ("[a+4]{a}", [1, 6]),
    ],
)
def test_places_of_a_name(text: str, offsets: list[int]) -> None:
    assert list(offsets_of_name(text, "a")) == offsets


def test_names_that_begin_alike() -> None:
    assert list(spans_of_name("%r1, %r, %rd2, %%r", "%r")) == [(0, 3), (5, 7), (9, 13)]
    assert list(spans_of_name("a.b1", "a.b")) == [(0, 4)]
