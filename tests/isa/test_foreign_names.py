"""Names of other languages and machines lead to instructions and types that PTX has."""

import pytest

from ptx_ls import isa
from ptx_ls.isa.foreign_names import instruction_named, type_named

INSTRUCTIONS = {
    "atomicAdd": "atom.add.u32",
    "__syncthreads": "bar.sync",
    "LDG": "ld.global",
    "LDGSTS": "cp.async",
    "goto": "bra",
    "add": None,
    "nothing": None,
}
TYPES = {
    ".int": ".s32",
    ".int32": ".s32",
    ".uint8_t": ".u8",
    ".i64": ".s64",
    ".float": ".f32",
    ".fp16": ".f16",
    ".double": ".f64",
    ".float8": None,
    ".i7": None,
    ".f32": None,
}


def check_instruction(word: str, expected: str | None) -> None:
    """Checks the instruction for a name, and that PTX has its opcode."""
    found = instruction_named(word)
    assert found == expected
    if found is not None:
        assert isa.database().instruction(found.partition(".")[0]) is not None


def check_type(word: str, expected: str | None) -> None:
    """Checks the type for a name."""
    assert type_named(word) == expected


@pytest.mark.parametrize(("word", "expected"), INSTRUCTIONS.items())
def test_instructions(word: str, expected: str | None) -> None:
    check_instruction(word, expected)


def test_modifiers_that_are_written_are_not_repeated() -> None:
    assert instruction_named("iadd", (".s32",)) == "add"
    assert instruction_named("LDG", (".E",)) == "ld.global"


@pytest.mark.parametrize(("word", "expected"), TYPES.items())
def test_types(word: str, expected: str | None) -> None:
    check_type(word, expected)
