"""Clocks of warps, compared with the transitive closure of what they wait for."""

from __future__ import annotations

import random

import pytest

from ptx_ls.protocols.execution.clocks import Clock, Clocks

N_WARPS = 4


def check_knowledge(seed: int) -> None:
    """Compares random releases and acquires with a graph of acts, searched each time."""
    chance, clocks = random.Random(seed), Clocks()  # noqa: S311  a sample, no secret
    before: dict[tuple[int, int], set[tuple[int, int]]] = {}
    messages: list[tuple[Clock, tuple[int, int]]] = []
    known: dict[int, set[tuple[int, int]]] = {warp: set() for warp in range(N_WARPS)}
    for _ in range(40):
        warp = chance.randrange(N_WARPS)
        if messages and chance.random() < 0.5:
            clock, act = chance.choice(messages)
            clocks.acquire(warp, clock)
            known[warp] |= {act, *before[act]}
        else:
            act = warp, clocks.now(warp)
            clock = {}
            clocks.release(warp, clock)
            before[act] = set(known[warp]) | {it for it in before if it[0] == warp}
            messages.append((clock, act))
        for act in before:
            for each in range(N_WARPS):
                expected = act[0] == each or act in known[each]
                assert clocks.knows(each, act) is expected


@pytest.mark.parametrize("seed", range(10))
def test_knowledge(seed: int) -> None:
    check_knowledge(seed)
