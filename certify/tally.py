"""Counts of agreement and disagreement, with examples by cause."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass, field

from certify.exceptions import NamedException, find_exception, read_exceptions
from certify.judging import describe_violation
from certify.linting import lint_errors, lint_one
from certify.oracle import CRASH, Configuration
from certify.statements import Statement
from ptx_ls.isa import Violation

Comparison = tuple[Statement, Violation | None, str | None]
"""A statement, our violation, and the error of ptxas."""


@dataclass
class Measure:
    """How often database and ptxas agree; examples of where they do not, by cause."""

    name: str
    both_accept: int = 0
    both_reject: int = 0
    false_alarms: dict[str, list[str]] = field(default_factory=lambda: defaultdict(list))
    """We say error, ptxas accepts."""
    misses: dict[str, list[str]] = field(default_factory=lambda: defaultdict(list))
    """ptxas rejects, we say nothing."""
    named: dict[str, list[str]] = field(default_factory=lambda: defaultdict(list))
    """Misses that an exception covers, by its reason."""
    crashes: list[str] = field(default_factory=list)
    """ptxas crashed, so there is no verdict; on what the database takes it is a miss as well."""
    verdicts: list[tuple[str, str, bool]] = field(default_factory=list)
    """(configuration, statement, accepted by ptxas), to be recorded."""
    exceptions: tuple[NamedException, ...] = field(default_factory=read_exceptions)

    @property
    def n_false_alarms(self) -> int:
        """Count of our errors on what ptxas accepts: bugs."""
        return sum(map(len, self.false_alarms.values()))

    @property
    def n_misses(self) -> int:
        """Count of statements that only ptxas rejects, without the named exceptions."""
        return sum(map(len, self.misses.values()))

    @property
    def n_named(self) -> int:
        """Count of the misses that an exception covers."""
        return sum(map(len, self.named.values()))

    @property
    def rejected(self) -> int:
        """The statements that ptxas rejects, without the named exceptions."""
        return self.both_reject + self.n_misses

    @property
    def total(self) -> int:
        """Everything compared."""
        agreed = self.both_accept + self.both_reject
        return agreed + self.n_false_alarms + self.n_misses + self.n_named

    def count(
        self,
        statement: Statement,
        violation: Violation | str | None,
        error: str | None,
        where: str,
    ) -> None:
        """Adds one comparison; `violation` is ours or the linter's, `error` that of ptxas."""
        text = str(statement)
        shown = f"{text}   {where}".rstrip()
        topic = statement.cause or statement.form
        if error == CRASH:
            self.crashes.append(shown)
        if violation is None and error is None:
            self.both_accept += 1
        elif violation is not None and error is not None:
            self.both_reject += error != CRASH
        elif violation is not None:
            told = violation if isinstance(violation, str) else describe_violation(violation)
            self.false_alarms[f"{topic}: {told}"].append(shown)
        else:
            exception = find_exception(self.exceptions, text, error or "")
            if exception is not None:
                self.named[exception.reason].append(shown)
            else:
                self.misses[f"{topic}: {error}"].append(shown)

    def count_all(
        self,
        compared: Sequence[Comparison],
        configuration: Configuration,
    ) -> None:
        """Adds comparisons in one configuration, the linter deciding where the database is silent.

        Its verdicts on accepted statements count, too, so a false alarm is one of either.
        """
        silent = [
            (index, str(statement), error)
            for index, (statement, violation, error) in enumerate(compared)
            if violation is None and error != CRASH
        ]
        accepted = [(index, text) for index, text, error in silent if error is None]
        ours: dict[int, str | None] = dict(
            zip(
                (index for index, _ in accepted),
                lint_errors([text for _, text in accepted], configuration),
                strict=True,
            )
        )
        for index, text, error in silent:
            if error is not None:
                ours[index] = lint_one(text, configuration)
        for index, (statement, violation, error) in enumerate(compared):
            self.count(statement, violation or ours.get(index), error, f"[{configuration}]")

    def add(self, other: Measure) -> None:
        """Takes in the counts and examples of another measure."""
        self.both_accept += other.both_accept
        self.both_reject += other.both_reject
        self.crashes += other.crashes
        self.verdicts += other.verdicts
        for mine, theirs in (
            (self.false_alarms, other.false_alarms),
            (self.misses, other.misses),
            (self.named, other.named),
        ):
            for cause, examples in theirs.items():
                mine[cause] += examples
