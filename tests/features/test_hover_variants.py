"""Hovers on every variant in the corpus speak of that variant: nothing of a template is left."""

from __future__ import annotations

import re

import pytest

from ptx_ls.features.hover import hover
from ptx_ls.isa import database, split_modifiers
from ptx_ls.source import Position
from tests.features.test_hover_corpus import analysis_of, shapes

BLOCK = re.compile(r"```ptx\n(\S+).*?```", re.DOTALL)
CODE = re.compile(r"```c\n(.*?)```", re.DOTALL)
SHAPE = re.compile(r"\.m\d+n\d+k\d+")
ALIKE = 12
"""Every so many spellings are looked at, in a test that runs often."""


def check_variant(spelling: str) -> None:
    """Checks what is shown of one spelling in the corpus."""
    path, line, column = shapes()[spelling]
    found = hover(analysis_of(path), Position(line, column))
    assert found is not None
    text, where = found.markdown, f"{path.name}:{line + 1} {spelling}\n{found.markdown}"
    opcode, written = split_modifiers(spelling)
    instruction = database().instruction(opcode)
    assert instruction is not None
    head = BLOCK.search(text)
    assert head is not None, where
    shown = split_modifiers(re.sub(r"\{[^{}]*\}", "", head[1]).rstrip(";"))
    assert shown[0] == opcode, where
    assert sorted(set(shown[1])) == sorted(set(written)), where
    code = CODE.search(text)
    slots = {slot.name for form in instruction.forms for slot in form.slots}
    for name in slots if code is not None else ():
        assert (
            code is None
            or not re.search(rf"(?<![\w)\]}}.%])\.{re.escape(name)}(?![\w:])", code[1])
            or f".{name}" in written
        ), (name, where)
    assert code is None or not re.search(r"(?<![\w%$])-?\d+\[\d+:\d+\]|lanes of -?\d", code[1]), (
        where
    )
    assert opcode != "wgmma" or "lane / 32" not in text, where
    for pitfall in re.findall(r"^- ⚠ (.*)", text, re.MULTILINE):
        for shape in SHAPE.findall(pitfall) if pitfall.startswith("`.") else ():
            assert shape in written, where


@pytest.mark.slow
def test_every_variant() -> None:
    for spelling in sorted(shapes()):
        check_variant(spelling)


def test_some_variants() -> None:
    for spelling in sorted(shapes())[::ALIKE]:
        check_variant(spelling)
