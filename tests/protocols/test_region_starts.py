"""Regions that may overlap are found like those that do, one by one."""

from __future__ import annotations

import random

import pytest

from ptx_ls.protocols.memory.region_index import SortedSpans
from ptx_ls.protocols.memory.region_starts import MASK, RegionStarts, starts_of

N_RUNS = 100


def random_starts(chance: random.Random) -> RegionStarts:
    plain = tuple(chance.randrange(64) * 4 for _ in range(8))
    offset = chance.choice((-16, -400, 0, 64, 1000, MASK - 100))
    return starts_of(plain, offset, frozenset())


def covered(starts: RegionStarts, n_bytes: int) -> set[int]:
    return {each + byte for each in starts.numbers for byte in range(n_bytes)}


@pytest.mark.parametrize("seed", range(N_RUNS))
def test_regions_meet_if_they_have_common_bytes(seed: int) -> None:
    chance = random.Random(seed)  # noqa: S311
    one, other = random_starts(chance), random_starts(chance)
    sizes = chance.choice((1, 4, 16)), chance.choice((2, 8, 32))
    overlaps = bool(covered(one, sizes[0]) & covered(other, sizes[1]))
    assert one.meets(sizes[0], other, sizes[1]) == overlaps
    assert one.may_meet(sizes[0], other, sizes[1]) or not overlaps
    assert (min(one.numbers), max(one.numbers)) == (one.lowest, one.highest)


@pytest.mark.parametrize("seed", range(N_RUNS))
def test_spans_that_meet_a_span(seed: int) -> None:
    chance = random.Random(seed)  # noqa: S311
    firsts = [chance.randrange(200) for _ in range(20)]
    spans = [(first, first + chance.randint(1, 50), place) for place, first in enumerate(firsts)]
    first = chance.randrange(200)
    end = first + chance.randint(1, 50)
    expected = {place for own, own_end, place in spans if own < end and first < own_end}
    assert SortedSpans(spans).meeting(first, end) == expected
