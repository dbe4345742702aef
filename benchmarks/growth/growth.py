"""How CPU time and memory of one command grow with one series."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from benchmarks.growth.sampling import Sample, Sampler
    from benchmarks.growth.series import Series

MAX_EXPONENT = 1.1
MAX_MEMORY = 10
"""Bytes of memory for each byte of text."""
MAX_SECONDS = 1.0
"""CPU seconds for each 100 kB of text."""
_SIZE = 32_000
"""Bytes of the larger text; the smaller one has a quarter of that."""
_FACTOR = 10
"""How much larger the texts are of what takes no time else."""
_N_TRIES = 2
_NOISE = 0.3
_TOO_LITTLE = 0.02
"""CPU seconds below which a difference is noise."""


class Growth(NamedTuple):
    """How one command grows with one series.

    Attributes:
        size: bytes of the larger text.
        exponent: of the CPU time, between the larger text and one of a quarter of its size.
        seconds: CPU seconds for each 100 kB of the larger text.
        memory: bytes for each byte that the larger text has more than the other.
        is_ended: whether a run was ended because it took too much.
    """

    size: int
    exponent: float
    seconds: float
    memory: float
    is_ended: bool = False

    @property
    def is_clear(self) -> bool:
        """Whether a goal is missed by more than what a busy machine explains."""
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
    """Runs a command on texts of two sizes, and on one of next to nothing.

    What misses a goal by little is measured again: of several runs the shortest counts, for the
    others waited for the machine.
    """
    found = _measured(sampler, command, series, _SIZE)
    if found.seconds * _SIZE / 100_000 < _TOO_LITTLE:
        found = _measured(sampler, command, series, _FACTOR * _SIZE)
    return found


def _measured(sampler: Sampler, command: str, series: Series, size: int) -> Growth:
    texts = [series.make(1), series.of_size(size // 4), series.of_size(size)]
    sizes = [len(text.encode()) for text in texts]
    best: list[Sample] = []
    for _ in range(_N_TRIES):
        runs = [run for text in texts if (run := sampler.sample(command, text)) is not None]
        if len(runs) < len(texts):
            return Growth(sizes[-1], math.inf, math.inf, math.inf, is_ended=True)
        best = list(map(_least, best, runs)) if best else runs
        found = _of(best, sizes)
        if found.is_met or found.is_clear:
            break
    return found


def _least(one: Sample, other: Sample) -> Sample:
    return type(one)(min(one.cpu, other.cpu), min(one.memory, other.memory))


def _of(runs: list[Sample], sizes: list[int]) -> Growth:
    """The growth that runs on texts of these sizes show; the first one has next to nothing."""
    nothing, quarter, whole = runs
    size, cpu = sizes[-1] - sizes[0], whole.cpu - nothing.cpu
    exponent = 1.0
    if cpu > _TOO_LITTLE:
        before = max(quarter.cpu - nothing.cpu, _TOO_LITTLE / 4)
        exponent = math.log(cpu / before) / math.log(size / (sizes[1] - sizes[0]))
    seconds = cpu / size * 100_000
    memory = (whole.memory - quarter.memory) / (sizes[-1] - sizes[1])
    return Growth(sizes[-1], exponent, seconds, memory)
