"""The counts of a run, and the lines at its end that state them."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING, Final

from ptx_ls.cli.linting.changes import Fixes
from ptx_ls.source import Severity
from ptx_ls.source.english import counted

if TYPE_CHECKING:
    from collections.abc import Collection, Mapping

    from ptx_ls.cli.linting.file_report import FileReport

_NOUNS: Final = {Severity.INFORMATION.value: "information message"}
"""The nouns for severities whose names have no plural."""
_MIN_DIAGNOSTICS_TO_COUNT: Final = 50
"""Minimum number of diagnostics for a final count of each rule."""


class RunCounts:
    """The counts of a run over all files that were checked.

    Attributes:
        rules: the diagnostics of each rule.
        severities: the diagnostics of each severity.
        suppressed: the suppressed diagnostics of each severity.
        n_newly_suppressed: those that comments of this run suppress.
        n_known: the diagnostics that the baseline contains.
        n_fixed: the diagnostics that were fixed.
        n_certain: the diagnostics with a fix whose meaning is certain.
        n_unsafe: the diagnostics with another fix.
        n_checked: the files.
        n_with_findings: the files with diagnostics.
        n_patched: the files for which a patch was written.
    """

    def __init__(self) -> None:
        self.rules: Counter[str] = Counter()
        self.severities: Counter[Severity] = Counter()
        self.suppressed: Counter[Severity] = Counter()
        self.n_newly_suppressed = self.n_known = 0
        self.n_fixed = self.n_certain = self.n_unsafe = 0
        self.n_checked = self.n_with_findings = self.n_patched = 0

    def add(self, report: FileReport) -> None:
        """Adds the counts of a file."""
        self.rules.update(report.rules)
        self.severities.update(report.counts)
        self.suppressed.update(report.suppressed)
        self.n_newly_suppressed += report.n_newly_suppressed
        self.n_known += report.n_known
        self.n_fixed += report.n_fixed
        self.n_certain += report.n_fixable[0]
        self.n_unsafe += report.n_fixable[1]
        self.n_checked += 1
        self.n_with_findings += bool(report.rules)
        self.n_patched += bool(report.difference)


def rule_counts(counts: RunCounts) -> list[str]:
    """Returns the count of each rule, if there are too many diagnostics to read."""
    if sum(counts.rules.values()) <= _MIN_DIAGNOSTICS_TO_COUNT:
        return []
    width = len(str(max(counts.rules.values())))
    return [f"{count:>{width}}  {name}" for name, count in counts.rules.most_common()]


def fixable(counts: RunCounts, fixes: Fixes) -> str:
    """Returns how many diagnostics can be fixed automatically, in words; "" for none.

    `fixes`: the fixes that the run has applied, so that only others are named.
    """
    options = {}
    if not fixes.is_written:
        options["--fix"] = counts.n_certain
    if fixes is not Fixes.UNSAFE:
        options["--fix --unsafe-fixes"] = counts.n_unsafe
    found = [(option, count) for option, count in options.items() if count]
    if not found:
        return ""
    (option, count), *others = found
    more = [f", {count:,} more with {option}" for option, count in others]
    return "".join((f"{counted(count, 'problem')} can be fixed with {option}", *more))


def patch_summary(counts: RunCounts) -> str:
    """Returns how many diagnostics a patch would fix, in words."""
    if not counts.n_patched:
        return f"Nothing to fix in {counted(counts.n_checked, 'file')}"
    fixed, files = counted(counts.n_fixed, "problem"), counted(counts.n_patched, "file")
    return f"{fixed} would be fixed in {files} ({counts.n_checked:,} checked)"


def summary(counts: RunCounts, shown: Collection[Severity], fixes: Fixes) -> str:
    """Returns how many diagnostics were found, in words; `shown`: the severities to report."""
    reported = _listed({each: n for each, n in counts.severities.items() if each in shown})
    rest = _listed({each: n for each, n in counts.severities.items() if each not in shown})
    note = f"; {rest} not shown, see --severity" if rest else ""
    checked = counted(counts.n_checked, "file")
    if counts.n_known:
        note += f"; {counted(counts.n_known, 'finding')} in the baseline"
    if suppressed := _listed(counts.suppressed):
        new = counts.n_newly_suppressed
        note += f"; {suppressed} suppressed" + (f" ({new:,} by new comments)" if new else "")
    if counts.n_fixed and fixes.is_written:
        note = f"; {counts.n_fixed:,} fixed{note}"
    if not reported:
        return f"Found no problems in {checked}{note}"
    files = counted(counts.n_with_findings, "file")
    return f"Found {reported} in {files} ({counts.n_checked:,} checked){note}"


def _listed(counts: Mapping[Severity, int]) -> str:
    found = [(counts[severity], severity.value) for severity in Severity if counts.get(severity)]
    return ", ".join(counted(count, _NOUNS.get(name, name)) for count, name in found)
