"""Mutants of one slot: the blamed slot is the one that was changed."""

from __future__ import annotations

from collections import Counter

import pytest

from benchmarks.blame import Outcome, judged, mutants

COUNT = 500
SHARE = 0.97
LEAST_RIGHT = 0.8
"""The others may as well be mended elsewhere: see `benchmarks.blame`."""


def test_the_changed_slot_is_blamed() -> None:
    made = mutants(COUNT, seed=1)
    outcomes = [(judged(mutant), mutant) for mutant in made]
    counts = Counter(outcome for outcome, _ in outcomes)
    wrong = [str(mutant.statement) for outcome, mutant in outcomes if outcome is Outcome.WRONG]
    assert len(wrong) <= (1 - SHARE) * COUNT, wrong
    assert counts[Outcome.RIGHT] >= LEAST_RIGHT * COUNT, counts


def test_mutants_of_every_kind() -> None:
    kinds = Counter(mutant.kind for mutant in mutants(COUNT, seed=1))
    assert set(kinds) == {"value", "missing", "extra", "operand"}
    assert min(kinds.values()) >= COUNT // 20


@pytest.mark.slow
def test_the_same_seed_gives_the_same_mutants() -> None:
    assert mutants(20, seed=3) == mutants(20, seed=3)
    assert mutants(20, seed=3) != mutants(20, seed=4)
