"""A sample of mutants with the verdicts of ptxas, for tests that have no ptxas."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path

from benchmarks.accuracy.comparison import Outcome
from benchmarks.accuracy.source import Source

HEADER = "# base\toperator\toffset\tbefore\tafter\tverdict and lines of ptxas"


@dataclass(frozen=True, slots=True)
class Recorded:
    """A mutant: `before` at `offset` of a base became `after`. `lines` are those ptxas names."""

    base: str
    operator: str
    offset: int
    before: str
    after: str
    is_accepted: bool
    lines: tuple[int, ...]

    def text(self, source: Source) -> str:
        """Returns the module; raises ValueError if the base has changed."""
        end = self.offset + len(self.before)
        if source.text[self.offset : end] != self.before:
            raise ValueError(f"{self.base} has changed: record the sample again")
        return source.text[: self.offset] + self.after + source.text[end:]


def write(outcomes: Iterable[Outcome], path: Path) -> int:
    """Records the outcomes with a verdict of ptxas; returns how many."""
    rows = [HEADER]
    for outcome in outcomes:
        mutant, verdict = outcome.mutant, outcome.verdict
        if verdict.is_known:
            said = ["accepted" if verdict.accepts else "rejected", *map(str, verdict.lines)]
            written = json.dumps(mutant.before), json.dumps(mutant.after), " ".join(said)
            rows.append("\t".join((mutant.base, mutant.operator, str(mutant.offset), *written)))
    path.write_text("\n".join(rows) + "\n", encoding="utf-8")
    return len(rows) - 1


def read(path: Path) -> Iterator[Recorded]:
    """Yields the mutants of a record."""
    for line in path.read_text("utf-8").splitlines():
        if line.startswith("#"):
            continue
        base, operator, offset, before, after, said = line.split("\t")
        verdict, *lines = said.split()
        yield Recorded(
            base,
            operator,
            int(offset),
            json.loads(before),
            json.loads(after),
            verdict == "accepted",
            tuple(map(int, lines)),
        )
