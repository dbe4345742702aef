"""Single changes that make an instruction legal: each does, and little is judged to find them."""

from __future__ import annotations

from collections import Counter
from functools import cache
from itertools import combinations

import pytest

from benchmarks.blame import Mutant, instruction_of, mutants
from ptx_ls import isa
from ptx_ls.isa.checking import operand_check
from ptx_ls.isa.checking.check import complete_forms
from ptx_ls.isa.diagnosis import operand_needs, readings
from ptx_ls.isa.diagnosis.edits import EditKind
from ptx_ls.isa.diagnosis.fitting_edits import Lineup
from ptx_ls.isa.diagnosis.insertion import inserted
from ptx_ls.isa.diagnosis.remedies import Fit, RemedySearch
from ptx_ls.isa.diagnosis.swapped_operands import may_be_legal

MAX_OPERANDS = 150
"""Operands judged to say what is wrong with one instruction."""
MAX_READINGS = 40
"""Forms that a diagnosis reads an instruction as: no opcode has more."""


@cache
def wrong() -> list[Mutant]:
    """Illegal instructions with one mistake each."""
    return mutants(400, seed=2)


def legal_changes(modifiers: tuple[str, ...], search: RemedySearch) -> list[tuple[str, ...]]:
    """The modifiers after each change that makes the instruction legal."""
    found = []
    for remedy in search.remedies(lambda _modifier, _slot: True):
        edit = remedy.edit
        if remedy.fit is not Fit.LEGAL or edit.kind is EditKind.INSERT:
            continue
        before, after = modifiers[: edit.position], modifiers[edit.position + 1 :]
        found += [(*before, *filter(None, [value]), *after) for value in remedy.values]
    return found


def test_every_change_makes_the_instruction_legal() -> None:
    n_changes = 0
    for mutant in wrong():
        statement = mutant.statement
        given = (instruction_of(statement), statement.modifiers, statement.values, mutant.context)
        for changed in legal_changes(statement.modifiers, RemedySearch(*given)):
            n_changes += 1
            assert isa.is_legal(given[0], changed, given[2], given[3]), (statement, changed)
    assert n_changes > len(wrong())


def test_what_is_missing_can_be_inserted_where_it_goes() -> None:
    n_inserted = 0
    for mutant in wrong():
        statement = mutant.statement
        instruction, context = instruction_of(statement), mutant.context
        verdict = isa.diagnose(instruction, statement.modifiers, statement.values, context)
        for violation in verdict.violations:
            if violation.kind is not isa.ViolationKind.MISSING_MODIFIER or not violation.is_mended:
                continue
            for modifier in violation.expected:
                n_inserted += 1
                assert inserted(
                    instruction, statement.modifiers, modifier, statement.values, context
                ), (statement, modifier)
    assert n_inserted


def test_the_change_that_was_made_is_found() -> None:
    for mutant in wrong():
        statement = mutant.statement
        if mutant.kind != "value" or mutant.part is None:
            continue
        given = (instruction_of(statement), statement.modifiers, statement.values, mutant.context)
        changes = RemedySearch(*given).remedies(lambda _modifier, _slot: True)
        verdict = isa.check(*given)
        is_of_operands = any(one.part[0] == "operand" for one in verdict.violations)
        is_found = any(one.edit.position == mutant.index for one in changes)
        assert is_found or is_of_operands, statement


def test_modifiers_of_one_kind_are_lined_up_once(monkeypatch: pytest.MonkeyPatch) -> None:
    counts: Counter[str] = Counter()
    line_up = Lineup

    def counted(*arguments: object) -> object:
        counts["lineups"] += 1
        return line_up(*arguments)  # type: ignore[arg-type]

    monkeypatch.setattr(readings, "Lineup", counted)
    for mutant in wrong():
        if mutant.kind != "value" or mutant.index < 0:
            continue
        statement, made = mutant.statement, []
        for number in range(3):
            modifiers = list(statement.modifiers)
            modifiers[mutant.index] = f".unknown{number}"
            before = counts["lineups"]
            given = instruction_of(statement), modifiers, statement.values, mutant.context
            RemedySearch(*given).remedies(lambda _modifier, _slot: True)
            made.append(counts["lineups"] - before)
        assert made[1:] == [0, 0], statement
    assert counts["lineups"]


def test_no_legal_exchange_of_operands_is_passed_over() -> None:
    n_legal = 0
    for mutant in wrong():
        statement = mutant.statement
        given = (instruction_of(statement), statement.modifiers, statement.values, mutant.context)
        skipped = isa.read(*given).skipped
        takers = complete_forms(given[0], given[1], skipped)
        for first, second in combinations(range(len(given[2])), 2):
            changed = list(given[2])
            changed[first], changed[second] = changed[second], changed[first]
            if isa.is_legal(given[0], given[1], changed, given[3]):
                n_legal += 1
                assert may_be_legal(takers, changed), (statement, first, second)
    assert n_legal


def _diagnosed(mutant: Mutant) -> tuple[isa.Violation, ...]:
    statement = mutant.statement
    return isa.diagnose(
        instruction_of(statement), statement.modifiers, statement.values, mutant.context
    ).violations


def test_little_is_judged_for_a_diagnosis(monkeypatch: pytest.MonkeyPatch) -> None:
    counts: Counter[str] = Counter()
    judge, read = operand_check.check_operand, RemedySearch.__init__

    def counted(*arguments: object) -> object:
        counts["operands"] += 1
        return judge(*arguments)  # type: ignore[arg-type]

    def started(search: RemedySearch, *arguments: object) -> None:
        read(search, *arguments)  # type: ignore[arg-type]
        counts["readings"] += len(search._readings)  # noqa: SLF001  the work that is bounded

    monkeypatch.setattr(operand_needs, "check_operand", counted)
    monkeypatch.setattr(RemedySearch, "__init__", started)
    for mutant in wrong():
        counts.clear()
        statement = mutant.statement
        isa.diagnose(
            instruction_of(statement), statement.modifiers, statement.values, mutant.context
        )
        assert counts["operands"] <= MAX_OPERANDS, (statement, counts)
        assert counts["readings"] <= MAX_READINGS, (statement, counts)
