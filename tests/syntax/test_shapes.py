"""The shape of an instruction, found in its text and found in its tokens."""

from __future__ import annotations

from hypothesis import assume, example, given, settings
from hypothesis import strategies as st

from ptx_ls.syntax.normalize import canonical_statement
from ptx_ls.syntax.parser import parse
from ptx_ls.syntax.parsing.instruction_parts import of_instruction
from ptx_ls.syntax.reader import INSTRUCTION
from ptx_ls.syntax.shapes import Shapes, is_final

_GUARDS = ["", "@%p1 ", "@! %p1 ", "@!!%p1 ", "@p ", "@%p.x ", "@%% "]
_OPCODES = ["add.s32", "call", "tcgen05.wait", "tex.2d.v4", "a", "ret"]
_WORDS = [
    *(
        "%r1",
        "a",
        "x.y",
        "foo::bar",
        ".b32",
        ".x",
        "::ld",
        ",",
        ", ",
        " ",
        "\t",
        "_",
        "$",
        "WARP_SZ",
    ),
    *("[", "]", "{", "}", "(", ")", "+", "-", "!", "~", "|", "||", "<<", "<", "==", "?", ":", "::"),
    *(
        "@",
        "\\",
        "#",
        "%",
        "&",
        "*",
        "^",
        ".",
        "'",
        "é",
        "1",
        "0x1F",
        "08",
        "1.5",
        ".5",
        "7U",
        "0f3f800000",
        "9a",
    ),
    "123456789012345678901",
]


def check_same_as_by_tokens(text: str) -> None:
    """A statement has the names that its tokens have; an error that is final is one of these."""
    match = INSTRUCTION(text)
    assume(match is not None)
    assert match is not None
    shapes = Shapes()
    key = shapes.key(*match.groups())
    found = shapes.intern(key)
    by_tokens = shapes.intern(canonical_statement(text))
    if found is not None:
        assert by_tokens is not None
        assert len(found.identifiers) == len(of_instruction(parse(text).tree)[1])
    elif is_final(key):
        assert by_tokens is None


@settings(max_examples=500)
@given(st.sampled_from(_GUARDS), st.sampled_from(_OPCODES), st.lists(st.sampled_from(_WORDS)))
@example("", "mul", [" ", ".lo.u32", " %r1, ", "%r2, ", "%r3"])
@example("", "mov.u32", [" ", "%r1, %tid", " .x"])
@example("", "add.s32", ["%", ".5"])
@example("", "add.s32", ["%r1", "1.5", "$"])
@example("", "mov.b32", ["%r1, ", "0x1F", ".5"])
def test_any_instruction(guard: str, opcode: str, words: list[str]) -> None:
    check_same_as_by_tokens(f"{guard}{opcode} {''.join(words)};")
