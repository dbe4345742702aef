"""Instructions on known numbers give the same results as on abstract values."""

from __future__ import annotations

import random
from typing import Final

import pytest

from ptx_ls.values.abstract_value import constant
from ptx_ls.values.transfer.exact import exact_operation
from ptx_ls.values.transfer.operations import operation_of

INSTRUCTIONS: Final = (
    ("add", ".u32"),
    ("sub", ".s64"),
    ("mul", ".lo", ".s32"),
    ("mad", ".lo", ".u32"),
    ("and", ".b32"),
    ("or", ".b64"),
    ("xor", ".b16"),
    ("mov", ".b32"),
    ("selp", ".b32"),
    ("shl", ".b32"),
    ("shl", ".b64"),
    ("shr", ".u32"),
    ("shr", ".b64"),
)
OTHERS: Final = (
    ("add", ".sat", ".s32"),
    ("mul", ".wide", ".u32"),
    ("mul", ".hi", ".u32"),
    ("shr", ".s32"),
    ("add", ".f32"),
    ("and", ".pred", ".b32"),
    ("mov",),
)
N_RUNS: Final = 200


def check_results(name: str, *modifiers: str) -> None:
    exact = exact_operation(name, modifiers)
    operation = next(
        each for each in (operation_of(name, modifiers, n) for n in (1, 2, 3)) if each is not None
    )
    width, chance = operation.widths[0], random.Random(name)  # noqa: S311
    assert exact is not None
    for _ in range(N_RUNS):
        sources = [chance.getrandbits(chance.randint(1, own)) for own in operation.widths]
        known = [constant(own, each) for own, each in zip(operation.widths, sources, strict=True)]
        result = operation.result(known, width).constant
        assert result == exact(*sources) & (1 << width) - 1, sources


@pytest.mark.parametrize("instruction", INSTRUCTIONS, ids="".join)
def test_result_is_that_of_abstract_values(instruction: tuple[str, ...]) -> None:
    check_results(*instruction)


@pytest.mark.parametrize("instruction", OTHERS, ids="".join)
def test_other_instructions_are_not_known(instruction: tuple[str, ...]) -> None:
    assert exact_operation(instruction[0], instruction[1:]) is None


@pytest.mark.parametrize("amount", [31, 32, 33, 200, 1 << 31])
def test_large_shift_gives_zero(amount: int) -> None:
    for name in ("shl", "shr"):
        exact = exact_operation(name, (".b32",))
        assert exact is not None
        assert exact(1 << 31, amount) & 0xFFFF_FFFF == (name == "shr" and amount == 31)
