"""Operands as written, which are those of the statement's tree."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ptx_ls.document.document import Document
from ptx_ls.document.statements import statements_on
from ptx_ls.syntax.parser import parse
from ptx_ls.syntax.parsing.instruction_parts import of_instruction
from ptx_ls.syntax.record import Shape
from ptx_ls.syntax.written import operands as written_operands

CORPUS = Path(__file__).parents[2] / "corpus"
_SOME_LINES = 400
_OPCODES = st.sampled_from(["add.s32 ", "@p mov ", "@!%p1 call ", "ld.u32\t", "tcgen05.wait::ld "])
_PIECES = st.sampled_from(
    [
        *("%r17", "%tid.x", "%tid .x", "x", "a.b", "$L_1", "_", "_x", "WARP_SZ", "%p1|%p22", "!%p"),
        *("[x+4]", "[%r1+-4]", "[%rd1], ", "{x, _, %r2}", "{-1, %r123}", "(a, b)", "x[3]", "[a].b"),
        *("1", "-40", "0x1F", "0b11", "07", "12U", "0f3F800000", "1.5e3", "1<<30", "(4+5)", "~7"),
        *(",", ", ", " , ", " ", "\t", "\n", ".x", ".b0", "/* y */", '"s"', "%", "$", "+", "-"),
    ]
)


def check_operands(text: str) -> int:
    """Compares the operands of each instruction with its tree; returns how many there were."""
    n_instructions = 0
    document = Document.read(text)
    for line in range(len(document.lines)):
        for statement in statements_on(document, line):
            if isinstance(statement.record, Shape):
                n_instructions += 1
                expected = of_instruction(parse(statement.text).tree)[0]
                found = written_operands.written_operands(statement.record, statement.text)
                assert found == expected
    return n_instructions


@pytest.mark.slow
@pytest.mark.parametrize("path", sorted(CORPUS.rglob("*.ptx"))[::5], ids=lambda path: path.stem)
def test_operands_of_the_corpus(path: Path) -> None:
    lines = path.read_text(encoding="utf-8", errors="replace").splitlines(keepends=True)
    check_operands("".join(lines[:_SOME_LINES]))


@settings(max_examples=300)
@given(_OPCODES, st.lists(_PIECES, max_size=10))
def test_operands_of_any_statement(opcode: str, pieces: list[str]) -> None:
    check_operands(f".entry k() {{\n\t{opcode}{''.join(pieces)};\n}}\n")


def test_plain_statements_need_no_tree(monkeypatch: pytest.MonkeyPatch) -> None:
    text = "ld.v2.u32 {%r10, %r11}, [%rd12 + 0x1F];"
    document = Document.read(f"\t{text}\n")
    (statement,) = statements_on(document, 0)
    assert isinstance(statement.record, Shape)
    expected = of_instruction(parse(text).tree)[0]
    monkeypatch.setattr(written_operands, "of_instruction", None)
    assert written_operands.written_operands(statement.record, text) == expected


def test_each_instruction_is_looked_at() -> None:
    assert check_operands(".entry k() {\nadd.s32 a, b, 40;\n@!p bra L; ld.u32 x, [y+4];\n}\n") == 3
