"""The article before a word of PTX fits the way in which it is read aloud."""

import pytest

from ptx_ls.isa import database
from ptx_ls.isa.articles import with_indefinite


@pytest.mark.parametrize(
    "expected",
    [
        "an `.f32` value",
        "an `.s8` value",
        "an `.e4m3x2` pair",
        "a `.u32` register",
        "a `.bf16` value",
        "a `.tf32` matrix",
        "a `.ue8m0` scale",
        "a `.pred` register",
        "a `.shared` variable",
        "an `.align` directive",
        "an address",
        "a number",
        "an 8-bit float",
        "an 11-bit field",
        "a 16-bit float",
        "a 180-byte array",
    ],
)
def test_article(expected: str) -> None:
    assert with_indefinite(expected.partition(" ")[2]) == expected


def test_letters_decide_about_types() -> None:
    an = {name[1] for name in database().types if with_indefinite(name).startswith("an ")}
    assert an == {"e", "f", "s"}
