"""Measures how CPU time and memory of one command grow with one series."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from benchmarks.growth.sampling import Sample, Sampler
    from benchmarks.growth.series import Series

MAX_EXPONENT = 1.1
MAX_MEMORY = 10
"""The goal for memory: bytes per byte of text."""
MAX_SECONDS = 1.0
"""The goal for CPU time: seconds per 100 kB of text."""
_SIZE = 4_000
"""Bytes of the smallest text that is compared with one of four times its size."""
_MAX_SIZE = 256_000
_FACTOR = 4
_ENOUGH = 0.06
"""No larger text is measured if one takes more CPU seconds than this."""
_NOISE = 0.3
_TOO_LITTLE = 0.02
"""CPU seconds below which a difference is noise."""


class Growth(NamedTuple):
    """How the cost of one command grows with one series.

    Attributes:
        size: bytes of the largest text.
        exponent: that of CPU time, between the largest text and one of a quarter of its size.
        seconds: CPU seconds per 100 kB of the largest text.
        memory: bytes of memory for each byte by which it is longer than the other text.
        is_ended: whether a run was ended for taking too much time or memory.
    """

    size: int
    exponent: float
    seconds: float
    memory: float
    is_ended: bool = False

    @property
    def is_clear(self) -> bool:
        """Whether a goal is missed by more than a busy machine can explain."""
        return (
            self.exponent > MAX_EXPONENT + _NOISE
            or self.seconds > MAX_SECONDS * (1 + _NOISE)
            or self.memory > MAX_MEMORY
        )

    @property
    def is_met(self) -> bool:
        """Whether all goals are met."""
        return (
            not self.is_ended
            and self.exponent <= MAX_EXPONENT
            and self.seconds <= MAX_SECONDS
            and self.memory <= MAX_MEMORY
        )


def growth(sampler: Sampler, command: str, series: Series) -> Growth:
    """Runs a command on larger and larger texts until one takes a while, and compares the last two.

    If a goal is missed by a little, measures again and takes the shorter of the two runs, because
    the other one waited for the machine.
    """
    texts, runs = [series.make(1)], [sampler.sample(command, series.make(1))]
    size = _SIZE
    while True:
        texts.append(series.of_size(size))
        runs.append(sampler.sample(command, texts[-1]))
        nothing, last = runs[0], runs[-1]
        if nothing is None or last is None:
            return Growth(len(texts[-1].encode()), math.inf, math.inf, math.inf, is_ended=True)
        is_enough = last.cpu - nothing.cpu > _ENOUGH and size > _SIZE
        if is_enough or size == _MAX_SIZE:
            break
        size *= _FACTOR
    compared = [texts[0], *texts[-2:]]
    sizes = [len(text.encode()) for text in compared]
    best = [run for run in (runs[0], *runs[-2:]) if run is not None]
    found = _of(best, sizes)
    if not (found.is_met or found.is_clear):
        again = [run for text in compared if (run := sampler.sample(command, text)) is not None]
        found = _of(list(map(_least, best, again)), sizes)
    return found


def _least(one: Sample, other: Sample) -> Sample:
    return type(one)(min(one.cpu, other.cpu), min(one.memory, other.memory))


def _of(runs: list[Sample], sizes: list[int]) -> Growth:
    """Returns the growth that three runs show; the first is on a text of one repetition."""
    nothing, quarter, whole = runs
    size, cpu = sizes[-1] - sizes[0], whole.cpu - nothing.cpu
    exponent = 1.0
    if cpu > _TOO_LITTLE:
        before = max(quarter.cpu - nothing.cpu, _TOO_LITTLE / 4)
        exponent = math.log(cpu / before) / math.log(size / (sizes[1] - sizes[0]))
    seconds = cpu / size * 100_000
    memory = (whole.memory - quarter.memory) / (sizes[-1] - sizes[1])
    return Growth(sizes[-1], exponent, seconds, memory)
