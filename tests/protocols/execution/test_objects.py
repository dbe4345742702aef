"""mbarrier objects, compared with a reference that lists what each phase gets."""

from __future__ import annotations

import random
from typing import cast

import pytest

from ptx_ls.protocols.execution.kernel_steps import KernelStep
from ptx_ls.protocols.execution.objects import MbarrierState

STEP = cast("KernelStep", object())


def check_object(changes: list[tuple[int, int]], count: int) -> MbarrierState:
    """Compares the phases after each change: arrivals and bytes, announced or complete."""
    state = MbarrierState(STEP, count, (0, 1))
    phase, arrivals, n_bytes = 0, 0, 0
    for arrived, moved in changes:
        state.change(STEP, arrived, moved)
        arrivals, n_bytes = arrivals + arrived, n_bytes + moved
        if arrivals == count and n_bytes == 0:
            phase, arrivals = phase + 1, 0
        assert state.phase == phase
        assert [state.is_complete(parity) for parity in (0, 1)] == [phase % 2 == 1, phase % 2 == 0]
    return state


@pytest.mark.parametrize("seed", range(20))
def test_phases(seed: int) -> None:
    chance = random.Random(seed)  # noqa: S311  a sample, no secret
    count, changes, pending = chance.randrange(1, 4), list[tuple[int, int]](), list[int]()
    for _ in range(12):
        moves = [(1, 0)] * count
        for number in range(count):
            if chance.random() < 0.5:
                pending.append(16 * chance.randrange(1, 4))
                moves[number] = 1, pending[-1]
        changes += moves
        changes += [(0, -each) for each in pending]
        pending.clear()
    state = check_object(changes, count)
    assert state.phase == 12
    assert state.surplus is None


def test_bytes_before_they_are_announced() -> None:
    assert check_object([(0, -16), (1, 16)], 1).phase == 1


def test_too_many_arrivals() -> None:
    state = MbarrierState(STEP, 1, (0, 1))
    state.add(STEP, arrivals=2)
    assert state.surplus is STEP


@pytest.mark.parametrize(("n_copies", "phases"), [(1, [1, 1]), (2, [0, 1])])
def test_copies_of_unknown_sizes(n_copies: int, phases: list[int]) -> None:
    # The first copy brings all bytes, unless an earlier run shows that a phase needs two.
    state = MbarrierState(STEP, 1, (0, 1), n_copies)
    state.change(STEP, arrivals=1, n_bytes=64)
    found = []
    for _ in range(2):
        state.n_unsized += 1
        state.settle()
        found.append(state.phase)
    assert found == phases
    assert state.fewest_unsized == n_copies
