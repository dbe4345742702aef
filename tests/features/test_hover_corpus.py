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
LINES = 64
"""A matrix instruction with thirteen modifiers, ten operands and six fragments has so many."""


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


def check_hover(spelling: str) -> None:
    path, line, column = shapes()[spelling]
    analysis = analysis_of(path)
    found = hover(analysis, Position(line, column))
    assert found is not None, (path.name, line + 1)
    text = found.markdown
    where = f"{path.name}:{line + 1} {spelling}\n{text}"
    opcode, *modifiers = re.split(r"\.(?=[\w:])", spelling)
    assert text.startswith(f"```ptx\n{opcode}"), where
    instruction = database().instruction(opcode)
    assert instruction is not None
    assert f"**{instruction.summary}**" in text, where
    assert "[PTX ISA](" in text, where
    assert re.search(r"^(?!\| |- |\[|```|\*\*)\S.{20,}", text, re.MULTILINE), where
    assert text.count("\n") < LINES, where
    for modifier in modifiers:
        assert re.search(rf"^- `\.{re.escape(modifier)}`: \S", text, re.MULTILINE), where
    assert not re.search(r"^\|.*\|\s*\|$", text, re.MULTILINE), where


@pytest.mark.slow
def test_every_instruction_is_explained() -> None:
    assert len(shapes()) > 1000
    for spelling in sorted(shapes(), key=lambda each: shapes()[each]):
        check_hover(spelling)


@pytest.mark.parametrize("opcode", ["ld", "cvt", "mma", "atom", "cp", "wgmma", "tcgen05", "tex"])
def test_every_modifier_is_explained(opcode: str) -> None:
    spellings = [each for each in shapes() if each.split(".")[0] == opcode]
    for spelling in spellings[:15]:
        path, line, column = shapes()[spelling]
        analysis = analysis_of(path)
        for dot in re.finditer(r"\.[\w:]+", spelling):
            found = hover(analysis, Position(line, column + dot.start() + 1))
            assert found is not None, (spelling, dot[0])
            head, _, rest = found.markdown.partition("\n\n")
            assert head.startswith(f"`{dot[0]}`: modifier of `{opcode}`"), spelling
            assert len(rest) > 5, (spelling, dot[0])
