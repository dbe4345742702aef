"""Asks an older ptxas about the recorded verdicts, and explains every difference."""

from __future__ import annotations

import re
import tomllib
from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from typing import Any

from certify import record
from certify.exceptions import NamedException, find_exception
from certify.judging import judge
from certify.oracle import CRASH, Configuration, Oracle, configuration_of
from certify.reader import read_statement
from ptx_ls import isa
from ptx_ls.isa import ViolationKind

FILE = Path(__file__).with_name("older.toml")
_TARGETS = ("sm_90a", "sm_90", "sm_80", "sm_70", "sm_60")


@dataclass(frozen=True, slots=True)
class Difference:
    """A statement on which two programs disagree."""

    statement: str
    configuration: Configuration
    older: str | None
    """The error of the older one; None when it accepts the statement."""
    newer: str | None

    def __str__(self) -> str:
        if self.older is not None:
            return f"{self.statement}  [{self.configuration}]  only older: {self.older}"
        return f"{self.statement}  [{self.configuration}]  only newer: {self.newer}"


@dataclass
class Comparison:
    """The outcome for one older program."""

    compared: int = 0
    agreed: int = 0
    version_facts: list[Difference] = field(default_factory=list)
    explained: dict[str, list[Difference]] = field(default_factory=lambda: defaultdict(list))
    """By reason."""
    unexplained: list[Difference] = field(default_factory=list)

    def summary(self, program: str) -> dict[str, Any]:
        """The recorded verdicts."""
        reasons = Counter({reason: len(found) for reason, found in self.explained.items()})
        return {
            "program": program,
            "compared": self.compared,
            "agreed": self.agreed,
            "version_facts": len(self.version_facts),
            "explained": sum(reasons.values()),
            "unexplained": len(self.unexplained),
            "reasons": [f"{count:,}: {reason}" for reason, count in reasons.most_common()],
        }


@cache
def read_explanations(path: Path = FILE) -> tuple[NamedException, ...]:
    """Reads the explanations of differences between programs."""
    with path.open("rb") as file:
        entries = tomllib.load(file).get("explanation", [])
    return tuple(
        NamedException(
            entry.get("opcode", ""), entry.get("statement", ""), entry.get("error", ""),
            entry["reason"],
        )
        for entry in entries
    )  # fmt: skip


def recorded() -> list[tuple[Configuration, str]]:
    """Every recorded statement with its configuration."""
    return [
        (configuration_of(where), text)
        for path in sorted(record.DIRECTORY.glob("*.tsv"))
        for where, _, text in record.read(path)
    ]


def compare(older: Oracle, newer: Oracle, cells: Iterable[tuple[Configuration, str]]) -> Comparison:
    """Asks both programs about every statement, where the older one knows version and target."""
    groups: dict[Configuration, dict[str, None]] = defaultdict(dict)
    places: dict[Configuration, Configuration | None] = {}
    for configuration, text in cells:
        if configuration not in places:
            places[configuration] = _place(older, configuration)
        place = places[configuration]
        if place is not None:
            groups[place].setdefault(text)
    comparison = Comparison()
    for configuration, texts in groups.items():
        answers = zip(
            texts,
            older.judge(list(texts), configuration),
            newer.judge(list(texts), configuration),
            strict=True,
        )
        for text, old, new in answers:
            if CRASH not in (old, new):
                _count(comparison, Difference(text, configuration, old, new))
    return comparison


def _place(older: Oracle, configuration: Configuration) -> Configuration | None:
    """Where the older program is asked: the same place, else its newest version, a known target."""
    if older.knows(configuration):
        return configuration
    target, _, mode = configuration.target.partition(",")
    newest = newest_version(older)
    for name in (target, target.rstrip("af"), *_TARGETS):
        place = Configuration(newest, f"{name},{mode}" if mode else name)
        if older.knows(place):
            return place
    return None


@cache
def newest_version(oracle: Oracle) -> str:
    """The newest version that a program knows. Raises ValueError when it knows none."""
    for version in reversed(list(isa.database().versions.values())):
        if oracle.knows(Configuration(version.name, "sm_80")):
            return version.name
    raise ValueError(f"{oracle.program} takes no version of PTX")


def _count(comparison: Comparison, difference: Difference) -> None:
    comparison.compared += 1
    if (difference.older is None) == (difference.newer is None):
        comparison.agreed += 1
    elif is_version_fact(difference):
        comparison.version_facts.append(difference)
    else:
        reason = _explain(read_explanations(), difference)
        if reason:
            comparison.explained[reason].append(difference)
        else:
            comparison.unexplained.append(difference)


def is_version_fact(difference: Difference) -> bool:
    """True when the database says that the statement is newer, though ptxas does not ask for it."""
    statement = read_statement(difference.statement)
    instruction = isa.database().instruction(statement.opcode)
    if instruction is None:
        return False
    verdict = judge(instruction, statement, difference.configuration)
    gating = (ViolationKind.VERSION, ViolationKind.TARGET)
    return any(violation.kind in gating for violation in verdict.violations)


def _explain(explanations: Sequence[NamedException], difference: Difference) -> str:
    side = "older" if difference.older is not None else "newer"
    error = f"{side}: {difference.older or difference.newer}"
    opcode = re.split(r"[. ;]", difference.statement, maxsplit=1)[0]
    for explanation in explanations:
        named = NamedException(
            explanation.opcode or opcode, explanation.statement, explanation.error, ""
        )
        if find_exception([named], difference.statement, error):
            return explanation.reason
    return ""
