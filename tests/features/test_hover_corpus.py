"""Hovers on every distinct instruction of the corpus, and on each of its modifiers."""

from __future__ import annotations

import re
from functools import cache
from pathlib import Path

import pytest

from ptx_ls.document.document import Document
from ptx_ls.features.hover.hover import hover
from ptx_ls.isa import database
from ptx_ls.semantics.analysis import Analysis
from ptx_ls.source import Position

CORPUS = Path(__file__).parents[1] / "corpus"
FILES = sorted((*CORPUS.glob("ptx/*.ptx"), *CORPUS.glob("handwritten/*.ptx")))
INSTRUCTION = re.compile(r"^\s*(?:@!?[%\w$]+\s+)?([a-z]\w*)((?:\.[\w:]+)*)(?=[\s;])")
LINES = 32
"""The copy of a box of a tensor to several blocks has the most."""


@cache
def shapes() -> dict[str, tuple[Path, int, int]]:
    """Each spelling of an opcode with modifiers, and one place of it."""
    found: dict[str, tuple[Path, int, int]] = {}
    opcodes = database().opcodes
    for path in FILES:
        lines = path.read_text("utf-8", errors="replace").split("\n")
        for number, line in enumerate(lines):
            match = INSTRUCTION.match(line)
            if match is not None and match[1] in opcodes:
                spelling = match[1] + match[2]
                found.setdefault(spelling, (path, number, match.start(1)))
    return found


@cache
def analysis_of(path: Path) -> Analysis:
    return Analysis(Document.read(path.read_text("utf-8", errors="replace")))


@cache
def parts_of_names(opcode: str) -> frozenset[str]:
    """Returns the modifiers in the names of instructions of an opcode: `.async` of `cp.async`."""
    instruction = database().instruction(opcode)
    assert instruction is not None
    return frozenset(
        f".{slot.name}"
        for form in instruction.forms
        for slot in form.slots[: form.row.head]
        if not slot.optional
    )


def check_hover(spelling: str) -> None:
    path, line, column = shapes()[spelling]
    analysis = analysis_of(path)
    found = hover(analysis, Position(line, column))
    assert found is not None, (path.name, line + 1)
    text = found.markdown
    where = f"{path.name}:{line + 1} {spelling}\n{text}"
    opcode, *modifiers = re.split(r"\.(?=[\w:])", spelling)
    assert re.search(rf"\*\*`{re.escape(spelling)}`\*\*: [A-Z`][^\n]*\.\n", text), where
    assert re.search("```(c|text)\n", text), where
    link = f"[More about `{opcode}`](https://ptx-ls.readthedocs.io/isa/{opcode}) · [PTX ISA]("
    assert link in text
    assert text.count("\n") < LINES, where
    for number, modifier in enumerate(modifiers):
        check_modifier(spelling, number, f".{modifier}")


def check_modifier(spelling: str, number: int, modifier: str) -> None:
    """Fails unless the hover on a modifier says something about it, and shows the grammar.

    A part of the name of an instruction has the hover of the instruction.
    """
    path, line, column = shapes()[spelling]
    dot = [*re.finditer(r"\.(?=[\w:])", spelling)][number]
    found = hover(analysis_of(path), Position(line, column + dot.start() + 1))
    opcode = spelling.partition(".")[0]
    assert found is not None, (spelling, modifier)
    if f"**`{spelling}`**: " in found.markdown:
        assert modifier in parts_of_names(opcode), (spelling, modifier)
        return
    assert re.match(rf"\*\*`{re.escape(modifier)}`\*\*: \S.{{3,}}", found.markdown), spelling
    assert f"\n\nModifier of `{opcode}`" in found.markdown, spelling
    assert f"```ptx\n{opcode}" in found.markdown, (spelling, found.markdown)


@pytest.mark.slow
def test_every_instruction_is_explained() -> None:
    assert len(shapes()) > 1000
    for spelling in sorted(shapes(), key=lambda each: shapes()[each]):
        check_hover(spelling)


@pytest.mark.parametrize("opcode", ["ld", "cvt", "mma", "atom", "cp", "wgmma", "tcgen05", "tex"])
def test_every_modifier_is_explained(opcode: str) -> None:
    spellings = [each for each in shapes() if each.split(".")[0] == opcode]
    for spelling in spellings[:15]:
        for number, modifier in enumerate(re.findall(r"\.[\w:]+", spelling)):
            check_modifier(spelling, number, modifier)
