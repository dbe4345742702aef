"""The diagnostics of a document at one moment, for use on any thread."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

from ptx_ls.lint.results.document_positions import placed
from ptx_ls.source import Diagnostic, Position, Range, Severity
from ptx_ls.source.named_tuple import NamedTuple

if TYPE_CHECKING:
    from ptx_ls.lint.results.result import Result


class KnownDiagnostics(NamedTuple):
    """The result of each function that has diagnostics, and where the function starts.

    `header`: the ranges of the values of `.version` and `.target`. `declared`: the ranges of the
    module's first declarations of the names that diagnostics point to.
    """

    results: tuple[tuple[Position, Result], ...]
    header: dict[str, Range]
    declared: dict[str, Range]

    @property
    def n_diagnostics(self) -> int:
        """The number of diagnostics."""
        return sum(len(result.diagnostics) for _, result in self.results)

    def counts(self) -> Counter[str]:
        """Returns how many diagnostics of each rule there are."""
        return Counter(one.rule for _, result in self.results for one in result.diagnostics)

    def in_order(self, limit: int | None = None) -> list[Diagnostic]:
        """Returns the diagnostics in text order; the `limit` most severe ones if given."""
        found: list[Diagnostic] = []
        if limit is None or self.n_diagnostics <= limit:
            for start, result in self.results:
                found += result.at(start, self.header, self.declared)
        else:
            places = self.header | self.declared
            for severity in Severity:
                for start, result in self.results:
                    chosen = [one for one in result.diagnostics if one.severity is severity]
                    found += [placed(one, start, places) for one in chosen[: limit - len(found)]]
        found.sort(key=lambda diagnostic: (diagnostic.range, diagnostic.rule))
        return found
