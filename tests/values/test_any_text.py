"""No text makes a question about values fail."""

from __future__ import annotations

import random
from pathlib import Path
from typing import Final

import pytest

from ptx_ls.document.document import Document
from ptx_ls.semantics.symbols.module_facts import module_facts
from ptx_ls.syntax.register_events import READS, WRITES
from ptx_ls.values.function_values import FunctionValues, function_values

CORPUS: Final = Path(__file__).parents[1] / "corpus"
TEXTS: Final = [
    path.read_text(encoding="utf-8")
    for path in sorted((CORPUS / "handwritten").rglob("*.ptx"))
    if path.stat().st_size < 8_000
]
PIECES: Final = (
    *("{", "}", ";", ",", "[", "]", "@", "!", "|", "%", "+", "-8", "%r1", "%rd1", "%p1", "%tid.x"),
    *("@%p1 ", "mov.b64 %rd1, {%r1, %r1};", "mov.u32 %r1, %r1;", "add.s32 %r1, %r1", "bra $L;"),
    *("shl.b32 %r1, %r1, %r1;", "0xFFFFFFFFFFFFFFFFFF", "sm", "sm+99999999999999999999", "_"),
    *(".reg .b32 %r1;", ".reg .v4 .b32 %v1;", "%v1.x", "cvt.u32.u64 %r1, %rd1;", "\n", "//", "/*"),
    *("mul.wide.u32 %r1, %r1, %r1;", "selp.b32 %r1, %r1, 1, %p1;", "prmt.b32 %r1,%r1,%r1,99;"),
    *("setp.lt.s32 %p1|%p1, %r1, %r1;", "bfe.u32 %r1, %r1, 300, 300;", "(", ")", "WARP_SZ", "0f0"),
)
N_QUICK_TEXTS: Final = 40
N_TEXTS: Final = 4_000


def check_questions(values: FunctionValues) -> None:
    """Asks everything about a function."""
    for use, way in enumerate(values.flow.uses.ways):
        if way & READS:
            value = values.read(use)
            if value.affine is not None:
                found = values.flow.statement(use)
                assert str(value.affine)
                values.bounds(value.affine.index, found)
                values.attained(value.affine.index, found, in_full_blocks=True)
                for term, _ in value.affine.terms:
                    values.term_value(term)
        if way & WRITES:
            values.written(use)
    for found in values.flow.text.statements():
        values.guard(found)
        for number in range(4):
            values.operand(found, number)
            values.element(found, number, number)
            values.address(found, number)
            values.address_form(found, number)


def broken(text: str, chance: random.Random) -> str:
    """A text in which some pieces are removed, repeated or inserted."""
    for _ in range(chance.randint(1, 8)):
        place = chance.randrange(len(text) + 1)
        stop = min(len(text), place + chance.choice([0, 1, 3, 20, 200]))
        middle = chance.choice([*PIECES, text[place:stop] * 2, ""])
        text = text[:place] + middle + text[stop:]
    return text


def check_text(seed: int) -> None:
    chance = random.Random(seed)  # noqa: S311  a repeatable choice
    document = Document.read(broken(chance.choice(TEXTS), chance))
    module = module_facts(document)
    for function in document.leaves():
        check_questions(function_values(function, module))


@pytest.mark.parametrize("seed", range(N_QUICK_TEXTS))
def test_broken_texts(seed: int) -> None:
    check_text(seed)


@pytest.mark.slow
def test_many_broken_texts() -> None:
    for seed in range(1_000, 1_000 + N_TEXTS):
        check_text(seed)


@pytest.mark.slow
@pytest.mark.parametrize("path", sorted(CORPUS.rglob("*.ptx")), ids=lambda path: path.name)
def test_corpus(path: Path) -> None:
    document = Document.read(path.read_text(encoding="utf-8"))
    module = module_facts(document)
    for function in document.leaves():
        values = function_values(function, module)
        if len(values.flow.text.lines) < 1_000:
            check_questions(values)
