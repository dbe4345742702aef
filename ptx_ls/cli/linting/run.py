"""One run of `ptx-ls lint` over a list of files: its reports, its summary and its status."""

from __future__ import annotations

import os
import sys
from contextlib import nullcontext
from functools import partial
from typing import TYPE_CHECKING

from ptx_ls.cli import console, inputs, pool
from ptx_ls.cli.cache.options import cache_of
from ptx_ls.cli.inputs import Unreadable
from ptx_ls.cli.linting import check
from ptx_ls.cli.linting.baseline import (
    Baseline,
    BaselineUse,
    finished,
    use_of,
)
from ptx_ls.cli.linting.changes import Changes
from ptx_ls.cli.linting.fixing import fixes_of
from ptx_ls.cli.linting.summary import RunCounts, fixable, patch_summary, rule_counts, summary
from ptx_ls.cli.progress import ProgressBar
from ptx_ls.cli.reports.choice import OutputFormat, Selection
from ptx_ls.cli.reports.options import outputs_of
from ptx_ls.cli.reports.report import Failed, Totals
from ptx_ls.cli.reports.statistics import statistics
from ptx_ls.cli.reports.writing import ReportWriter
from ptx_ls.cli.status import ExitStatus
from ptx_ls.cli.targets.verdicts import TargetTable
from ptx_ls.files.configuration.keys import NEVER
from ptx_ls.source import Severity

if TYPE_CHECKING:
    from argparse import Namespace
    from collections.abc import Iterator
    from contextlib import AbstractContextManager

    from ptx_ls.cli.linting.file_report import FileReport
    from ptx_ls.cli.linting.watch import ReportReuse
    from ptx_ls.files.configuration.discovery import Configurations


def complain_about(path: str, message: str) -> None:
    """Writes a message about a file to standard error."""
    console.complain(f"{console.escaped(path) or repr(path)}: {message}")


class LintRun:
    """One run over a list of files: writes the reports, and counts diagnostics."""

    def __init__(
        self,
        options: Namespace,
        configurations: Configurations,
        reuse: ReportReuse | None = None,
    ) -> None:
        self._configurations = configurations
        self._reuse = reuse
        fail_on = options.fail_on or configurations.of_folder(os.getcwd()).get(
            "lint", "fail-on", "error"
        )
        self._fail_on: str = NEVER if options.exit_zero else fail_on
        self._n_jobs: int = options.jobs or pool.default_jobs()
        self._scheduler: str | None = options.scheduler
        # The folder of the cache is on this machine, and a cluster works on others.
        self._cache = None if self._scheduler else cache_of(options, configurations)
        self._is_quiet: bool = options.quiet
        self._colour: str = options.color
        self._format = OutputFormat(options.output_format)
        self._has_statistics: bool = options.statistics
        self._reported = _from(options.severity)
        if self._fail_on != NEVER:  # diagnostics that make the command fail are shown
            self._reported |= _from(self._fail_on)
        self._use = use_of(options)
        self._fixes = fixes_of(options)
        self._baseline = (
            Baseline(options.baseline, self._use) if options.baseline is not None else None
        )
        is_silent = self._use is BaselineUse.UPDATE or self._fixes.is_patch
        outputs = () if is_silent else outputs_of(options)
        self._selection = Selection(outputs, self._reported)
        self._writers = [ReportWriter(each, options.paths) for each in outputs]
        self._has_summary = self._has_statistics or self._selection.is_for_people
        self._has_colour = console.has_colour(sys.stdout, options.color)
        self._counts = RunCounts()
        self._changes = Changes(self._fixes, options.add_suppressions, options.reason or "")
        self._targets = TargetTable()
        self._failed: list[Failed] = []
        self._fault = ExitStatus.CLEAN

    def status(self, found: list[inputs.Input | Unreadable]) -> ExitStatus:
        """Lints the files, and returns the exit status."""
        files = [each for each in found if not isinstance(each, Unreadable)]
        if self._baseline is not None:
            files = [each._replace(known=self._baseline.known(each.path)) for each in files]
        work = partial(
            check.check,
            selection=self._selection,
            changes=self._changes,
            configurations=self._configurations,
            lint_cache=self._cache,
        )
        with (
            self._reports(files, work) as reports,
            ProgressBar(len(files), is_wanted=not self._is_quiet, colour=self._colour) as progress,
        ):
            for writer in self._writers:
                writer.begin()
            for each in found:
                if isinstance(each, Unreadable):
                    with progress.hidden():
                        self._fail(each.path, each.reason, ExitStatus.BAD_INPUT)
                    continue
                report = next(reports)
                progress.n_done += 1
                with progress.hidden() if _writes(report) else nullcontext():
                    self._take(report)
        self._end()
        return max(self._fault, self._verdict())

    def _reports(
        self, files: list[inputs.Input], work: partial[FileReport]
    ) -> AbstractContextManager[Iterator[FileReport]]:
        """Returns a context with the reports of files; a watched run keeps those of the others."""
        running = partial(self._running, work=work)
        return running(files) if self._reuse is None else self._reuse.running(files, running)

    def _running(
        self, files: list[inputs.Input], work: partial[FileReport]
    ) -> AbstractContextManager[Iterator[FileReport]]:
        """Returns a context with the reports of files, which are made here or on a cluster."""
        if self._scheduler is None:
            known = partial(check.known, **work.keywords)
            return pool.running(files, work, check.lost, self._n_jobs, known)
        from ptx_ls.cli import cluster

        return cluster.running(files, work, check.lost, self._scheduler)

    def _take(self, report: FileReport) -> None:
        if report.failure:
            sys.stderr.write(report.failure.details)
            self._fail(report.path, report.failure.message, report.failure.status)
            return
        self._counts.add(report)
        self._targets.add(report.verdicts)
        if self._baseline is not None:
            self._baseline.add(report.path, report.found)
        for writer, elements in zip(self._writers, report.elements, strict=True):
            writer.add(elements)
        if report.difference:
            from ptx_ls.cli import patches

            patches.show(report.difference, has_colour=self._has_colour)
        if report.refusal:
            self._fail(report.path, report.refusal, ExitStatus.BAD_INPUT)

    def _end(self) -> None:
        for writer in self._writers:
            writer.end(Totals(failed=tuple(self._failed)))
        if self._has_statistics:
            console.write(statistics(self._counts.rules, self._format))
        note = finished(self._baseline, self._use) if self._baseline is not None else ""
        if note and self._use is BaselineUse.STRICT:
            self._fault = max(self._fault, ExitStatus.FINDINGS)
        if self._is_quiet:
            return
        if note:
            console.complain(note, prefix="")
        if self._fixes.is_patch:
            console.complain(patch_summary(self._counts), prefix="")
        elif self._has_summary and (self._counts.n_checked or not self._fault):
            self._write_summary()

    def _write_summary(self) -> None:
        if not self._has_statistics:
            for line in rule_counts(self._counts):
                console.complain(line, prefix="")
        if self._targets:
            console.complain(self._targets.text(), prefix="", end="")
        console.complain(summary(self._counts, self._reported, self._fixes), prefix="")
        if hint := fixable(self._counts, self._fixes):
            console.complain(hint, prefix="")

    def _fail(self, path: str, message: str, status: ExitStatus) -> None:
        complain_about(path, message)
        self._failed.append(Failed(path, message))
        self._fault = max(self._fault, status)

    def _verdict(self) -> ExitStatus:
        if self._fail_on == NEVER or self._use is BaselineUse.UPDATE:
            return ExitStatus.CLEAN
        if self._fixes.is_patch:
            return ExitStatus.FINDINGS if self._counts.n_patched else ExitStatus.CLEAN
        has_failed = any(self._counts.severities[severity] for severity in _from(self._fail_on))
        return ExitStatus.FINDINGS if has_failed else ExitStatus.CLEAN


def _writes(report: FileReport) -> bool:
    """Whether the report on a file is output, and not only counted."""
    return bool(report.failure or report.refusal or report.difference or any(report.elements))


def _from(least: str) -> frozenset[Severity]:
    """Returns the severities from the highest to `least`."""
    severities = list(Severity)
    return frozenset(severities[: severities.index(Severity(least)) + 1])
