"""Recorded verdicts of ptxas: `tests/isa/verdicts/<opcode>.tsv`, so that tests run without it.

A line holds the configuration, `+` or `-` for what ptxas says, and the statement.
"""

from __future__ import annotations

import random
from collections.abc import Iterator, Sequence
from pathlib import Path

from certify.measure import Measure
from certify.oracle import Configuration
from certify.statements import Statement

DIRECTORY = Path(__file__).parent.parent / "tests" / "isa" / "verdicts"
PER_OPCODE = 120


def write(
    opcode: str,
    accepted: Sequence[tuple[Statement, Configuration]],
    mutations: Measure,
    seed: int,
) -> None:
    """Writes a sample of verdicts on one opcode."""
    lines = {(str(configuration), "+", str(statement)) for statement, configuration in accepted} | {
        (configuration, "+" if is_accepted else "-", text)
        for configuration, text, is_accepted in mutations.verdicts
    }
    chance = random.Random(seed)  # noqa: S311  not for secrets
    sample = chance.sample(sorted(lines), min(PER_OPCODE, len(lines)))
    DIRECTORY.mkdir(parents=True, exist_ok=True)
    content = "".join("\t".join(line) + "\n" for line in sorted(sample))
    (DIRECTORY / f"{opcode}.tsv").write_text(content, encoding="utf-8")


def read(path: Path) -> Iterator[tuple[str, bool, str]]:
    """Configuration, verdict of ptxas and statement of each line."""
    for line in path.read_text(encoding="utf-8").splitlines():
        configuration, sign, statement = line.split("\t")
        yield configuration, sign == "+", statement
