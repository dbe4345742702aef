"""Descriptions of what an operand may be are joined without repetitions."""

import pytest

from ptx_ls.handbook.wording.alternatives import alternatives


@pytest.mark.parametrize(
    ("texts", "expected"),
    [
        (["register", "register", ""], "a register"),
        (
            ["register of type `.u64`", "register of type `.u32`"],
            "a register of type `.u64` or `.u32`",
        ),
        (
            ["register of type `.b8` in braces", "register of type `.b16`"],
            "a register of type `.b8` in braces, or a register of type `.b16`",
        ),
        (
            ["register or constant of type `.u16`", "register of type `.u32`"],
            "a register or constant of type `.u16`, or a register of type `.u32`",
        ),
        (
            [
                "1 (`.1d`) or 2 (`.2d`) registers of type `.s32` in braces",
                "register of type `.s32`",
                "4 registers of type `.s32` in braces",
            ],
            (
                "1 (`.1d`) or 2 (`.2d`) registers of type `.s32` in braces (4 are always allowed), "
                "or a register of type `.s32`"
            ),
        ),
        (
            ["register, or registers in braces", "register, or `_`"],
            "a register, or registers in braces; or `_`",
        ),
        (
            ["name of a variable", "address in `.global`"],
            "the name of a variable, or an address in `.global`",
        ),
        (
            ["2 registers in braces", "2 registers in braces (`_` skips an element)"],
            "2 registers in braces (`_` skips an element)",
        ),
        (["constant 0", "constant from 2 to 4"], "the constant 0, or a constant from 2 to 4"),
    ],
)
def test_alternatives(texts: list[str], expected: str) -> None:
    assert alternatives(texts) == expected
