"""The verdicts of ptxas and ptx-ls on a mutant, and sums over many mutants."""

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
"""The number of similar errors at the end of a message."""


@dataclass(frozen=True, slots=True)
class Outcome:
    """The verdicts of both on a mutant. `errors` and `crash`, an exception, are those of ptx-ls."""

    mutant: Mutant
    verdict: Verdict
    errors: tuple[Diagnostic, ...]
    crash: str = ""

    @property
    def is_false(self) -> bool:
        """Whether we report an error, or crash, on a mutant that ptxas accepts."""
        return self.verdict.accepts and bool(self.errors or self.crash)

    @property
    def is_missed(self) -> bool:
        """Whether we report no error on a mutant that ptxas rejects."""
        return not self.verdict.accepts and not self.errors

    @property
    def is_found(self) -> bool:
        """Whether we report an error on a mutant that ptxas rejects."""
        return not self.verdict.accepts and bool(self.errors)

    @property
    def is_on_line(self) -> bool:
        """Whether an error of ours is on a line that ptxas names, or that was changed."""
        lines = {*self.verdict.lines, *self.mutant.lines}
        return any(_lines(it.range) & lines for it in self.errors)

    @property
    def is_local(self) -> bool:
        """Whether ptxas blames the line that was changed, not one that the change affects."""
        return bool(self.verdict.lines) and self.verdict.lines[0] in self.mutant.lines

    @property
    def is_in_range(self) -> bool:
        """Whether an error of ours overlaps what was changed, or what a message may point at."""
        return any(_touch(it.range, self.mutant.around) for it in self.errors)

    @property
    def is_manifold(self) -> bool:
        """Whether the change makes several mistakes of one kind, each of which is reported.

        These are names that lost their declaration, features that an older version or target does
        not have, and the effects of one declaration on several functions.
        """
        rules = {it.rule for it in self.errors}
        alike = {_COUNT.sub("", it.message) for it in self.errors}
        return len(self.errors) > 1 and (rules <= _NAMES or rules <= _GATES or len(alike) == 1)

    @property
    def is_many(self) -> bool:
        """Whether we report several errors for one mistake."""
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
    """Numbers of mutants, and the shares that follow from them."""

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
        """The share that we reject of those that ptxas rejects."""
        return self.found / max(self.rejected, 1)

    @property
    def line_share(self) -> float:
        """The share with an error on the right line, of those that both reject."""
        return self.on_line / max(self.found, 1)

    @property
    def range_share(self) -> float:
        """The share with the change in our range, of those that both reject on the changed line."""
        return self.in_range / max(self.local, 1)

    @property
    def once_share(self) -> float:
        """The share with one error of ours, of those that both reject and that are one mistake."""
        n_single = self.found - self.manifold
        return (n_single - self.many) / max(n_single, 1)


def sums(outcomes: Sequence[Outcome]) -> Sums:
    """Counts outcomes; those where ptxas crashed or hung count only as unknown, or our crash."""
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
    """Formats a place as people count: line and column from 1."""
    return f"{place.line + 1}:{place.column + 1}"
