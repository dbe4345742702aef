"""Which targets accept the files of a run, and what is wrong for the others."""

from __future__ import annotations

import sys
from collections import Counter
from typing import TYPE_CHECKING

from ptx_ls.cli.console import escaped
from ptx_ls.cli.reports.tables import table
from ptx_ls.source import Severity
from ptx_ls.source.named_tuple import NamedTuple

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from ptx_ls.source import Diagnostic


class TargetVerdict(NamedTuple):
    """The result of checking one file against one target.

    Attributes:
        target: the name of the target.
        n_errors: the number of errors.
        first: the place and the message of the first error; "" if there is none.
    """

    target: str
    n_errors: int
    first: str


def verdicts(
    path: str, diagnostics: Sequence[Diagnostic], targets: Iterable[str]
) -> Iterator[TargetVerdict]:
    """Yields the verdict for each target; the diagnostics are in the order of the text."""
    for target in targets:
        errors = [
            each
            for each in diagnostics
            if each.severity is Severity.ERROR and target in each.targets
        ]
        yield TargetVerdict(target, len(errors), _line(path, errors[0]) if errors else "")


def _line(path: str, error: Diagnostic) -> str:
    start = error.range.start
    place = f"{escaped(path)}:{start.line + 1}:{start.column + 1}"
    return f"{place}: {escaped(error.message)} [{error.rule}]"


class TargetTable:
    """The verdicts of a run, with a row for each target."""

    def __init__(self) -> None:
        self._n_files: Counter[str] = Counter()
        self._n_accepted: Counter[str] = Counter()
        self._n_errors: Counter[str] = Counter()
        self._first: dict[str, str] = {}

    def add(self, found: Iterable[TargetVerdict]) -> None:
        """Adds the verdicts on one file."""
        for each in found:
            self._n_files[each.target] += 1
            self._n_accepted[each.target] += not each.n_errors
            self._n_errors[each.target] += each.n_errors
            if each.first:
                self._first.setdefault(each.target, each.first)

    def __bool__(self) -> bool:
        return bool(self._n_files)

    def text(self) -> str:
        """Returns the table, as wide as the terminal on standard error."""
        rows = [("target", "accepts", "errors", "first error")]
        for target, n_files in self._n_files.items():
            accepted = f"{self._n_accepted[target]} of {n_files}"
            if n_files == 1:
                accepted = "yes" if self._n_accepted[target] else "no"
            rows.append(
                (target, accepted, str(self._n_errors[target]), self._first.get(target, ""))
            )
        return table(rows, sys.stderr)
