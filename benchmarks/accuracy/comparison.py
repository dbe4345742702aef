"""One mutant judged by both, and the sums of many."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from benchmarks.accuracy.mutants import Mutant
from benchmarks.accuracy.verdicts import Verdict
from ptx_ls.source import Diagnostic, Position, Range

_NAMES = frozenset({"undeclared-label", "undeclared-register", "undeclared-symbol"})
_GATES = frozenset({"unsupported-target", "unsupported-version"})
_COUNT = re.compile(r" \([^()]*\)$")
"""How many more like it a message stands for."""


@dataclass(frozen=True, slots=True)
class Outcome:
    """What both say of a mutant; `errors` are ours. `crash` is an exception of ours."""

    mutant: Mutant
    verdict: Verdict
    errors: tuple[Diagnostic, ...]
    crash: str = ""

    @property
    def is_false(self) -> bool:
        """An error of ours in what ptxas accepts."""
        return self.verdict.accepts and bool(self.errors or self.crash)

    @property
    def is_missed(self) -> bool:
        """No error of ours in what ptxas rejects."""
        return not self.verdict.accepts and not self.errors

    @property
    def is_found(self) -> bool:
        """An error of ours in what ptxas rejects."""
        return not self.verdict.accepts and bool(self.errors)

    @property
    def is_on_line(self) -> bool:
        """An error of ours is on a line that ptxas names, or that was changed."""
        lines = {*self.verdict.lines, *self.mutant.lines}
        return any(_lines(it.range) & lines for it in self.errors)

    @property
    def is_local(self) -> bool:
        """Whether ptxas blames the line that was changed, not one that the change made wrong."""
        return bool(self.verdict.lines) and self.verdict.lines[0] in self.mutant.lines

    @property
    def is_in_range(self) -> bool:
        """What was changed lies inside of an error of ours, or around it."""
        return any(_touch(it.range, self.mutant.around) for it in self.errors)

    @property
    def is_manifold(self) -> bool:
        """Whether the change makes several mistakes of one kind, each of which is told.

        Names that lost their declaration, features that a lower header has not, and what the same
        declaration does to several functions.
        """
        rules = {it.rule for it in self.errors}
        alike = {_COUNT.sub("", it.message) for it in self.errors}
        return len(self.errors) > 1 and (rules <= _NAMES or rules <= _GATES or len(alike) == 1)

    @property
    def is_many(self) -> bool:
        """Several errors of ours for one mistake."""
        return self.is_found and len(self.errors) > 1 and not self.is_manifold


def _lines(place: Range) -> set[int]:
    return set(range(place.start.line + 1, place.end.line + 2))


def _touch(one: Range, other: Range) -> bool:
    """Whether two ranges have a character in common, or meet where one is empty."""
    start, end = max(one.start, other.start), min(one.end, other.end)
    if start == end:
        return _is_empty(one) or _is_empty(other)
    return start < end


def _is_empty(place: Range) -> bool:
    return place.start == place.end


@dataclass(frozen=True, slots=True)
class Sums:
    """How many mutants; shares are of those that make sense."""

    accepted: int
    rejected: int
    unknown: int
    false: int
    found: int
    on_line: int
    local: int
    in_range: int
    crashes: int
    manifold: int
    many: int

    @property
    def found_share(self) -> float:
        """Of what ptxas rejects, what we reject."""
        return self.found / max(self.rejected, 1)

    @property
    def line_share(self) -> float:
        """Of what both reject, what we do on the same line."""
        return self.on_line / max(self.found, 1)

    @property
    def range_share(self) -> float:
        """Of what both reject on the changed line, where our range holds the change."""
        return self.in_range / max(self.local, 1)

    @property
    def once_share(self) -> float:
        """Of what both reject and is one mistake, where we have one error."""
        n_single = self.found - self.manifold
        return (n_single - self.many) / max(n_single, 1)


def sums(outcomes: Sequence[Outcome]) -> Sums:
    """Counts outcomes; those that ptxas did not survive count for nothing else."""
    known = [it for it in outcomes if it.verdict.is_known]
    found = [it for it in known if it.is_found]
    local = [it for it in found if it.is_local]
    return Sums(
        accepted=sum(it.verdict.accepts for it in known),
        rejected=sum(not it.verdict.accepts for it in known),
        unknown=len(outcomes) - len(known),
        false=sum(it.is_false for it in known),
        found=len(found),
        on_line=sum(it.is_on_line for it in found),
        local=len(local),
        in_range=sum(it.is_in_range for it in local),
        crashes=sum(bool(it.crash) for it in outcomes),
        manifold=sum(it.is_manifold for it in found),
        many=sum(it.is_many for it in found),
    )


def position(place: Position) -> str:
    """A place as people count: line and column from 1."""
    return f"{place.line + 1}:{place.column + 1}"
