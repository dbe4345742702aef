"""The values of constant expressions, with the types that decide them, as in ptxas."""

from __future__ import annotations

import os
import re
from pathlib import Path

import pytest

from ptx_ls.document.coordinates import FUNCTION_START
from ptx_ls.semantics.constants.expressions import ExpressionToken, evaluate
from ptx_ls.toolchain import ptxas

_TOKEN = re.compile(r"\.[us]64|\w+|<<|>>|<=|>=|==|!=|&&|\|\||\S")
_HALF = 0x7FFF_FFFF_FFFF_FFFF
VALUES = {
    "-7 / 2": -3,
    "-7U / 2": _HALF - 3,
    "-1 / 2U": _HALF,
    "-7 % 3": 0,
    "7 % -3": 7,
    "(5 % 3) - 3 < 0": 0,
    "~1": -2,
    "~1 > 0": 1,
    "(~1) >> 1": _HALF,
    "(~0) / 2": _HALF,
    "(.s64)~5 >> 1": -3,
    "!5": 0,
    "(!0U) - 2 < 0": 1,
    "-1 < 1U": 0,
    "-1 == 0xffffffffffffffff": 1,
    "(1U == 1) - 2 < 0": 1,
    "(1U < 2) - 3 < 0": 1,
    "(1U && 1) - 2 < 0": 1,
    "1 << 65": 2,
    "-8 >> 1": -4,
    "-8 >> 65": -4,
    "(-1 >> 1U) < 0": 1,
    "(1 << 1U) - 3 < 0": 1,
    "(1U << 1) - 3 < 0": 0,
    "(-1 | 0U) / 2": _HALF,
    "(-5 & -1) / 2": -2,
    "(1 ? -1 : 0U) / 2": 0,
    "(1 ? 1U : -1) - 2 < 0": 0,
    "(0 ? ~0 : -1) < 0": 1,
    "2 + 3 << 1": 10,
    "1 | 2 ^ 3 & 4 == 4": 3,
    "0x8000000000000000 >> 63": 1,
    "WARP_SZ - 33 < 0": 1,
}


def check_value(text: str) -> float | None:
    """The value of an expression, which has no errors."""
    here = FUNCTION_START
    tokens = [ExpressionToken(found, here, here) for found in _TOKEN.findall(text)]
    value, faults = evaluate(tokens)
    assert faults == []
    return value.number


@pytest.mark.parametrize(("text", "expected"), VALUES.items())
def test_value(text: str, expected: int) -> None:
    assert check_value(text) == expected


@pytest.mark.ptxas
def test_ptxas_computes_the_same(tmp_path: Path) -> None:
    """An expression with another value would be a division by zero, which ptxas rejects."""
    program = ptxas.find()
    if program is None:
        if os.environ.get("CI") == "true":
            pytest.fail("no ptxas")
        pytest.skip(f"no ptxas: {ptxas.INSTALL_HINT}")
    source = tmp_path / "values.ptx"

    def errors(values: dict[str, int]) -> list[str]:
        lines = [
            f".global .u64 value{number} = 1 / (({text}) == ({expected}));\n"
            for number, (text, expected) in enumerate(values.items())
        ]
        source.write_text(".version 8.5\n.target sm_90\n.address_size 64\n" + "".join(lines))
        messages = ptxas.run(program, source, "sm_90").messages
        return [each.text for each in messages if each.is_error]

    assert errors(VALUES) == []
    assert errors({"1 + 1": 3}) != []
