"""The database against verdicts of ptxas: recorded ones always, live ones where it is installed."""

from __future__ import annotations

import os
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from certify import record
from certify.judging import error_at, judge
from certify.measure import (
    Accepted,
    measure_excluded,
    measure_legal,
    measure_mutations,
    sample_forms,
)
from certify.oracle import CONFIGURATIONS, Configuration, Oracle, configuration_of
from certify.reader import read_statement
from ptx_ls import isa
from ptx_ls.toolchain import ptxas

RECORDED = sorted(record.DIRECTORY.glob("*.tsv"))
LIVE_SAMPLE = 25
SEED = 20
MISS_SHARE = 0.005
LEAST_RECORDED = 10_000


def check_recorded(path: Path) -> tuple[list[str], int, int]:
    """False alarms, misses and rejected statements of one file of recorded verdicts."""
    instruction = isa.database().instruction(path.stem)
    assert instruction is not None
    false_alarms, n_misses, n_rejected = [], 0, 0
    for configuration, is_accepted, text in record.read(path):
        where = configuration_of(configuration)
        violation = error_at(instruction, read_statement(text), where)
        if is_accepted and violation is not None:
            false_alarms.append(f"{text} [{configuration}]: {violation}")
        n_rejected += not is_accepted
        n_misses += not is_accepted and violation is None
    return false_alarms, n_misses, n_rejected


@pytest.mark.slow
def test_recorded_verdicts() -> None:
    found = [check_recorded(path) for path in RECORDED]
    assert [alarm for false_alarms, _, _ in found for alarm in false_alarms] == []
    n_rejected = sum(n_rejected for _, _, n_rejected in found)
    assert sum(n_misses for _, n_misses, _ in found) <= MISS_SHARE * n_rejected


def test_what_is_recorded_is_both_accepted_and_rejected_in_many_places() -> None:
    lines = [line for path in RECORDED for line in record.read(path)]
    assert len(lines) >= LEAST_RECORDED
    assert {is_accepted for _, is_accepted, _ in lines} == {True, False}
    assert len({configuration for configuration, _, _ in lines}) > LEAST_PLACES


LEAST_PLACES = 500


def test_every_opcode_has_recorded_verdicts() -> None:
    assert {path.stem for path in RECORDED} == isa.database().opcodes


@pytest.fixture(scope="module")
def oracle() -> Iterator[Oracle]:
    program = ptxas.find()
    if program is not None:
        found = Oracle(program)
        is_new_enough = found.knows(CONFIGURATIONS[0])
        if is_new_enough:
            yield found
        found.close()
        if is_new_enough:
            return
    reason = f"no ptxas for PTX ISA {CONFIGURATIONS[0].version}: {ptxas.INSTALL_HINT}"
    if os.environ.get("CI") == "true":
        pytest.fail(reason)
    pytest.skip(reason)


@pytest.fixture(scope="module")
def of_every_form(oracle: Oracle) -> tuple[list[Accepted], list[str]]:
    """Statements of every form that ptxas takes, and those of ours that it does not take."""
    taken: list[Accepted] = []
    rejected: list[str] = []
    for opcode in sorted(isa.database().opcodes):
        forms = sample_forms(check_instruction(opcode), 2, 0, SEED)
        legal, accepted = measure_legal(check_instruction(opcode), oracle, forms)
        taken += accepted
        rejected += [example for examples in legal.misses.values() for example in examples]
    return taken, rejected


@pytest.mark.slow
@pytest.mark.ptxas
def test_ptxas_takes_what_every_form_takes(of_every_form: tuple[list[Accepted], list[str]]) -> None:
    assert of_every_form[1] == []


@pytest.mark.ptxas
def test_ptxas_joins_modifiers_to_names_as_we_do(
    oracle: Oracle, of_every_form: tuple[list[Accepted], list[str]]
) -> None:
    split: dict[Configuration, dict[str, bool]] = {}
    for statement, where in {
        (it.opcode, it.form): (it, at) for it, at in of_every_form[0]
    }.values():
        instruction = check_instruction(statement.opcode)
        n_joined = judge(instruction, statement, where).n_joined
        for number, modifier in enumerate(statement.modifiers[: n_joined + 1]):
            apart = (
                *statement.modifiers[:number],
                f" {modifier}",
                *statement.modifiers[number + 1 :],
            )
            text = str(replace(statement, modifiers=apart))
            split.setdefault(where, {})[text] = number >= n_joined
    verdicts = {
        where: dict(zip(texts, oracle.judge(list(texts), where), strict=True))
        for where, texts in split.items()
    }
    wrong = [
        f"{text} [{where}]"
        for where, texts in split.items()
        for text, is_legal in texts.items()
        if is_legal != (verdicts[where][text] is None)
    ]
    assert wrong == []


def check_instruction(opcode: str) -> isa.Instruction:
    instruction = isa.database().instruction(opcode)
    assert instruction is not None
    return instruction


@pytest.mark.slow
@pytest.mark.ptxas
@pytest.mark.parametrize("opcode", ["add", "bar", "cvt", "ld", "mma", "mov", "setp", "st"])
def test_ptxas_agrees(oracle: Oracle, opcode: str) -> None:
    instruction = check_instruction(opcode)
    samples = sample_forms(instruction, LIVE_SAMPLE, LIVE_SAMPLE, SEED)
    legal, accepted = measure_legal(instruction, oracle, samples)
    assert legal.both_accept > 0
    excluded = measure_excluded(instruction, oracle, samples)
    assert dict(excluded.false_alarms) == {}
    mutations, _ = measure_mutations(instruction, oracle, accepted, 150, SEED)
    assert dict(mutations.false_alarms) == {}
