"""Where the words of an instruction are."""

from __future__ import annotations

import pytest

from ptx_ls.syntax.tokens import OPERATOR, tokenize
from ptx_ls.syntax.written.word_spans import word_spans


def check_words(text: str, *expected: str) -> None:
    assert [text[start:stop] for start, stop in word_spans(text)] == list(expected)


def test_an_opcode_and_its_modifiers_are_words_of_their_own() -> None:
    check_words(
        "ld.shared::cta.v2.u32 {%r1, _}, [%rd2+0x10];",
        *("ld", ".shared::cta", ".v2", ".u32", "%r1", "%rd2", "0x10"),
    )


def test_components_and_fractions() -> None:
    check_words("mov.f32 $f, %v.x;", "mov", ".f32", "$f", "%v", ".x")
    check_words("add.f32 _a, 1.5, 0f3F800000;", "add", ".f32", "_a", "1.5", "0f3F800000")


@pytest.mark.parametrize("text", ["@!%p1 bra $L__BB0_2;", "setp.lt.s32 %p|%q, -1, %tid.x;"])
def test_joined_words_are_the_tokens_but_operators(text: str) -> None:
    tokens = [token.string for token in tokenize(text) if token.type is not OPERATOR]
    assert "".join(text[start:stop] for start, stop in word_spans(text)) == "".join(tokens)
