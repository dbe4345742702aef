"""Instructions executed by their pseudo-code, against a reference written from the manual."""

import random
from collections.abc import Sequence

import pytest

from ptx_ls.isa.execution.formats import value_type
from tests.isa.execution.reference import Unspecified, expected
from tests.isa.execution.variants import Case, bits_of, cases, executable_opcodes

_WARP = frozenset({"activemask", "match", "redux", "shfl", "vote"})
"""Instructions of whole warps; see test_warp.py."""
_N_EXECUTIONS = 800
"""How often an opcode is executed, over all its combinations of modifiers..."""
_MIN_EXECUTIONS, _MAX_EXECUTIONS = 2, 60
"""... but each combination at least, and at most, so often."""
_APPROXIMATE = frozenset({"cos", "ex2", "lg2", "rsqrt", "sin", "tanh"})
"""Opcodes of which the manual gives no more than bounds of their error."""


def check_case(case: Case, chance: random.Random, count: int) -> int:
    """Executes a case `count` times; returns how often its result was compared."""
    assert case.program is not None
    compared = 0
    for _ in range(count):
        operands = {name: bits_of(case.type_of(name), chance) for name in case.sources}
        operands["CC.CF"] = chance.getrandbits(1)
        outcome = case.program.run(operands, carry=bool(operands["CC.CF"]))
        try:
            wanted = expected(case, operands)
        except Unspecified:
            assert outcome is None or not outcome.is_exact
            continue
        assert outcome is not None, (case[0], case.modifiers, operands)
        compared += 1
        found = {**outcome.results, "CC.CF": int(outcome.carry)}
        for name, bits in wanted.items():
            if name in found:
                note = case.opcode, case.modifiers, case.selectors, _hex(operands), name
                _check_bits(found[name], bits, case, name, note)
    return compared


def _check_bits(
    found: int | Sequence[int], bits: object, case: Case, name: str, note: object
) -> None:
    assert isinstance(found, int), note
    if isinstance(bits, int):
        assert hex(found) == hex(bits), note
        return
    type_ = value_type(case.type_of(name))
    assert type_ is not None
    parts = bits if isinstance(bits, list) else [bits]
    for place, part in enumerate(parts):
        own = found >> place * type_.stride & (1 << type_.bits) - 1
        if part is None:
            assert _is_nan(own, type_.element), note
        else:
            assert hex(own) == hex(part), note


def _is_nan(bits: int, name: str) -> bool:
    exponent = {"f16": 5, "bf16": 8, "f32": 8, "f64": 11, "tf32": 8, "e4m3": 4, "e5m2": 5}[name]
    width = {"f64": 64, "f32": 32, "tf32": 32, "e4m3": 8, "e5m2": 8}.get(name, 16)
    mantissa = width - 1 - exponent
    return (
        bits >> mantissa & (1 << exponent) - 1 == (1 << exponent) - 1
        and bits << exponent + 1 & (1 << width) - 1 != 0
    )


def _hex(operands: dict[str, int]) -> dict[str, str]:
    return {name: hex(bits) for name, bits in operands.items()}


@pytest.mark.slow
@pytest.mark.parametrize("opcode", [it for it in executable_opcodes() if it not in _WARP])
def test_pseudo_code_computes_what_the_manual_says(opcode: str) -> None:
    chance = random.Random(opcode)  # noqa: S311  the same numbers each time
    known = [case for case in cases(opcode) if case.program is not None and not _is_vector(case)]
    count = min(max(_N_EXECUTIONS // len(known), _MIN_EXECUTIONS), _MAX_EXECUTIONS)
    compared = sum(check_case(case, chance, count) for case in known)
    assert compared > 0 or opcode in _APPROXIMATE


def _is_vector(case: Case) -> bool:
    """Whether registers are in braces; test_mov.py has these."""
    return case.opcode == "mov" and case.form.id in ("pack", "unpack", "vector")
