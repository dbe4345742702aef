"""Recorded verdicts of ptxas: `tests/isa/verdicts/<opcode>.tsv`, so that tests run without it.

A line holds the configuration, `+` or `-` for what ptxas says, and the statement.
"""

from __future__ import annotations

import random
from collections.abc import Iterable, Iterator
from pathlib import Path

DIRECTORY = Path(__file__).parent.parent / "tests" / "isa" / "verdicts"
PER_OPCODE = 90
CELLS_PER_OPCODE = 60

Verdict = tuple[str, str, bool]
"""Configuration, statement, and whether ptxas accepts it there."""


def write(
    opcode: str,
    verdicts: Iterable[Verdict],
    cells: Iterable[Verdict],
    seed: int,
    directory: Path = DIRECTORY,
) -> None:
    """Writes a sample of verdicts on one opcode, and one of cells of the grid.

    Half of the cells are accepted ones and half rejected ones, as far as there are.
    """
    chance = random.Random(seed)  # noqa: S311  not for secrets
    lines = set(_sample(chance, verdicts, PER_OPCODE))
    by_sign: dict[bool, list[Verdict]] = {True: [], False: []}
    for cell in cells:
        by_sign[cell[2]].append(cell)
    for group in by_sign.values():
        lines.update(_sample(chance, group, CELLS_PER_OPCODE // 2))
    directory.mkdir(parents=True, exist_ok=True)
    content = "".join(f"{where}\t{sign}\t{text}\n" for where, sign, text in sorted(lines))
    (directory / f"{opcode}.tsv").write_text(content, encoding="utf-8")


def _sample(
    chance: random.Random, verdicts: Iterable[Verdict], count: int
) -> Iterator[tuple[str, str, str]]:
    """Some of the verdicts, as written in a line."""
    pool = sorted(set(verdicts))
    for where, text, is_accepted in chance.sample(pool, min(count, len(pool))):
        yield where, "+" if is_accepted else "-", text


def read(path: Path) -> Iterator[tuple[str, bool, str]]:
    """Configuration, verdict of ptxas and statement of each line."""
    for line in path.read_text(encoding="utf-8").splitlines():
        configuration, sign, statement = line.split("\t")
        yield configuration, sign == "+", statement
