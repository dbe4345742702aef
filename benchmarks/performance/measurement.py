"""Runs contenders in turns, and collects what each run measured."""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from statistics import median
from typing import Generic, NamedTuple, TypeVar

from benchmarks.figures import quantile

S = TypeVar("S")
OURS = "ptx-ls"
MAX_ROUNDS = 100
_MIDDLE = 0.5


class Sample(NamedTuple):
    """A value in the unit of its figure; for times of a server also its CPU time in ms.

    `note` says what in particular has this value, if that differs.
    """

    value: float
    cpu: float | None = None
    note: str = ""


Samples = Mapping[str, Sequence[Sample]]
"""The measurements of a run, by the names of the figures."""


@dataclass(frozen=True, slots=True)
class Goal:
    """A figure, and the limit that it should not exceed.

    Attributes:
        figure: its name in what a run returns.
        title: what it is, for readers.
        unit: the unit of samples.
        limit: the limit for `statistic`; of its ratio to that of the peer `relative_to`, if given.
        share: the share of samples that the statistic covers: 0.5 is the median.
        relative_to: the name of a peer, or "".
    """

    figure: str
    title: str
    unit: str
    limit: float
    share: float = _MIDDLE
    relative_to: str = ""


@dataclass(frozen=True, slots=True)
class Peer:
    """Another program in the same situation. `run` raises `RuntimeError` if it is missing."""

    name: str
    run: Callable[[], Samples]
    max_rounds: int = MAX_ROUNDS


@dataclass(frozen=True, slots=True)
class Situation(Generic[S]):
    """An action of a user, measured for each subject: a version of ptx-ls.

    Attributes:
        name: by which it is chosen on the command line.
        goals: the figures.
        run: measures them once. Raises `RuntimeError` if an input is missing, or ptx-ls fails.
        peers: programs that run in turn with the subjects.
        n_rounds: how often each runs.
        is_warmed: whether a round before these fills caches, and does not count.
    """

    name: str
    goals: tuple[Goal, ...]
    run: Callable[[S], Samples]
    peers: tuple[Peer, ...] = ()
    n_rounds: int = 1
    is_warmed: bool = False


@dataclass(slots=True)
class Row:
    """A figure with the samples of all contenders: first ours, then another version, then peers.

    `missing` has those that could not run, with reasons; `load` is the load average.
    """

    goal: Goal
    load: float
    samples: dict[str, list[Sample]] = field(default_factory=dict)
    missing: dict[str, str] = field(default_factory=dict)

    def statistic(self, name: str = OURS) -> float | None:
        """Returns the statistic of a contender's samples, in their unit."""
        values = [it.value for it in self.samples.get(name, [])]
        if not values:
            return None
        is_median = self.goal.share == _MIDDLE
        return median(values) if is_median else quantile(values, self.goal.share)

    @property
    def measured(self) -> float | None:
        """The value that is compared with the limit; None if it could not be measured."""
        ours = self.statistic()
        if ours is None or not self.goal.relative_to:
            return ours
        theirs = self.statistic(self.goal.relative_to)
        return ours / theirs if theirs else None

    @property
    def is_met(self) -> bool:
        """Whether the figure was measured and meets its goal."""
        return self.measured is not None and self.measured <= self.goal.limit


def measured(
    situation: Situation[S], subjects: Mapping[str, S], max_rounds: int = MAX_ROUNDS
) -> list[Row]:
    """Returns the rows of a situation, measured for each subject and each peer in turns."""
    contenders: dict[str, Callable[[], Samples]] = {
        name: _bound(situation.run, subject) for name, subject in subjects.items()
    }
    limits = {peer.name: peer.max_rounds + situation.is_warmed for peer in situation.peers}
    contenders |= {peer.name: peer.run for peer in situation.peers}
    found: dict[str, dict[str, list[Sample]]] = {name: {} for name in contenders}
    missing: dict[str, str] = {}
    load = 0.0
    for number in range(min(situation.n_rounds, max_rounds) + situation.is_warmed):
        for name, run in contenders.items():
            if name in missing or number >= limits.get(name, number + 1):
                continue
            try:
                samples = run()
            except RuntimeError as error:
                missing[name] = str(error)
                continue
            load = max(load, os.getloadavg()[0])
            if number or not situation.is_warmed:
                for figure, each in samples.items():
                    found[name].setdefault(figure, []).extend(each)
    return [_row(goal, found, missing, load) for goal in situation.goals]


def _bound(run: Callable[[S], Samples], subject: S) -> Callable[[], Samples]:
    return lambda: run(subject)


def _row(
    goal: Goal,
    found: Mapping[str, Mapping[str, list[Sample]]],
    missing: Mapping[str, str],
    load: float,
) -> Row:
    samples = {name: each[goal.figure] for name, each in found.items() if goal.figure in each}
    return Row(goal, load, samples, dict(missing))
