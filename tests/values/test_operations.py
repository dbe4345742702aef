"""Instructions on abstract values, compared with their executable semantics."""

from __future__ import annotations

import random
from functools import cache
from typing import TYPE_CHECKING, Final

import pytest

from ptx_ls.isa.execution.formats import value_type
from ptx_ls.values import abstract_value
from ptx_ls.values.known_bits import as_signed
from ptx_ls.values.transfer.operations import OPCODES, operation_of
from tests.isa.execution.variants import Case, bits_of, cases

if TYPE_CHECKING:
    from collections.abc import Iterator

    from ptx_ls.values.abstract_value import AbstractValue
    from ptx_ls.values.transfer.operation import Operation

NOT_EXECUTED: Final = {"ld", "ldu", "cvta", "mapa"}
"""Opcodes whose results depend on more than the operands."""
EXECUTED: Final = sorted(OPCODES - NOT_EXECUTED)
N_QUICK_RUNS: Final = 3_000
N_RUNS: Final = 1_000_000
N_PARTS: Final = 20


@cache
def known_cases(opcode: str) -> list[tuple[Case, Operation]]:
    """The variants of an instruction that have an operation."""
    found = []
    for case in cases(opcode):
        names = [row.name for row in case.form.operands if row.role != "write"]
        written = [name for name in case.operands if name in names]
        operation = operation_of(opcode, case.modifiers, len(written))
        if operation is not None and case.program is not None and case.is_legal:
            is_plain = all(row.specs[0].kind not in ("pack", "vec") for row in case.form.operands)
            if is_plain:
                found.append((case, operation))
    return found


def around(bits: int, width: int, chance: random.Random) -> AbstractValue:
    """An abstract value that allows some bits."""
    mask = (1 << width) - 1
    bits &= mask
    found = abstract_value.unknown(width)
    kind = chance.random()
    if kind < 0.25:
        return abstract_value.constant(width, bits)
    distance = 1 << chance.randint(0, width)
    if kind < 0.75:
        low, high = bits - chance.randrange(distance), bits + chance.randrange(distance)
        found = found.meet(abstract_value.from_range(width, low, high))
    if chance.random() < 0.5:
        signed = as_signed(bits, width)
        low, high = signed - chance.randrange(distance), signed + chance.randrange(distance)
        found = found.meet(abstract_value.from_signed(width, low, high))
    if kind > 0.5:
        known = chance.getrandbits(width)
        found = found.meet(abstract_value.from_bits(width, (known & ~bits, known & bits)))
    return found


def check_run(case: Case, operation: Operation, chance: random.Random) -> None:
    """Runs an instruction on random operands, and checks what is known of its results."""
    assert case.program is not None
    given: dict[str, int | None] = {}
    sources: list[AbstractValue] = []
    for row in case.form.operands:
        if row.name not in case.operands:
            continue
        if row.role == "write":
            given[row.name] = None
            if row.pair and row.pair in case.operands:
                given[row.pair] = None
            continue
        bits = bits_of(case.type_of(row.name), chance)
        if chance.random() < 0.2:
            bits = chance.randrange(70)
        type_ = value_type(case.type_of(row.name) or "u32")
        assert type_ is not None
        width = type_.width
        given[row.name] = bits & (1 << width) - 1
        sources.append(around(bits, width, chance))
    outcome = case.program.run(given)
    if outcome is None:
        return
    for number, (name, result) in enumerate(outcome.results.items()):
        type_ = value_type(case.type_of(name))
        assert type_ is not None
        if not isinstance(result, int):
            continue
        width = type_.width
        run = operation.second_result if number else operation.result
        found = run(sources, width)
        assert found.contains(result & (1 << width) - 1), (
            case.opcode, case.modifiers, given, [*map(str, sources)], result, str(found),
        )  # fmt: skip


def all_cases() -> Iterator[tuple[Case, Operation]]:
    for opcode in EXECUTED:
        yield from known_cases(opcode)


def test_all_opcodes_are_executed() -> None:
    assert [opcode for opcode in EXECUTED if not known_cases(opcode)] == []


@pytest.mark.parametrize("opcode", EXECUTED)
def test_no_run_refutes_what_is_known(opcode: str) -> None:
    chance = random.Random(opcode)  # noqa: S311  a repeatable choice
    found = known_cases(opcode)
    for _ in range(N_QUICK_RUNS // len(EXECUTED)):
        check_run(*chance.choice(found), chance)


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(N_PARTS))
def test_no_run_of_many_refutes_what_is_known(seed: int) -> None:
    chance = random.Random(seed)  # noqa: S311  a repeatable choice
    found = [*all_cases()]
    for _ in range(N_RUNS // N_PARTS):
        check_run(*chance.choice(found), chance)
