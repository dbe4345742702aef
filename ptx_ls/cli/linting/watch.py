"""Checks files again whenever one of them, or what decides how they are checked, has changed."""

from __future__ import annotations

import os
import sys
from contextlib import closing, contextmanager
from typing import TYPE_CHECKING, Final

from ptx_ls.cli import console, inputs
from ptx_ls.cli.arguments import STANDARD_STREAM, UsageError
from ptx_ls.cli.inputs import Unreadable
from ptx_ls.cli.linting.baseline import BaselineUse
from ptx_ls.cli.status import ExitStatus
from ptx_ls.files.configuration.errors import ConfigurationError
from ptx_ls.files.configuration.exclusion import Exclusion
from ptx_ls.files.watched import watched_paths
from ptx_ls.source.english import counted
from ptx_ls.source.named_tuple import NamedTuple

if TYPE_CHECKING:
    from argparse import Namespace
    from collections.abc import Callable, Iterator, Sequence
    from contextlib import AbstractContextManager

    from ptx_ls.cli.inputs import Input
    from ptx_ls.cli.linting.file_report import FileReport
    from ptx_ls.files.configuration.discovery import Configurations
    from ptx_ls.files.configuration.reading import Values
    from ptx_ls.files.watched import WatchedPaths

_CLEAR: Final = "\x1b[2J\x1b[H"
"""Clears a terminal, and moves the cursor to its top."""
_MISSING: Final = "--watch needs the package `watchfiles`: pip install 'ptx-ls[watch]'"


class _FileState(NamedTuple):
    """Everything that the report on a file depends on.

    Attributes:
        path: the path of the file.
        status: its time, size and identity; () if it does not exist.
        values: its configuration.
        known: its diagnostics that the baseline has.
        width: that of the terminal.
    """

    path: str

    status: tuple[int, ...]
    values: tuple[Values, ...]
    known: object
    width: int


class ReportReuse:
    """The reports of the last run, used again for files that have not changed.

    Attributes:
        n_checked: how many files the current run had to check.
    """

    def __init__(self) -> None:
        self._reports: dict[str, tuple[_FileState, FileReport]] = {}
        self._configurations: Configurations | None = None
        self.n_checked = 0

    def begin(self, configurations: Configurations) -> None:
        """Prepares for a run with these configurations."""
        self._configurations = configurations

    @contextmanager
    def running(
        self,
        files: Sequence[Input],
        running: Callable[[list[Input]], AbstractContextManager[Iterator[FileReport]]],
    ) -> Iterator[Iterator[FileReport]]:
        """Yields the report of each file, in order; `running` works on those that have changed."""
        states = [_state(each.path, self._configurations, each.known) for each in files]
        known = [self._known(state) for state in states]
        changed = [file for file, report in zip(files, known, strict=True) if report is None]
        self.n_checked = len(changed)
        with running(changed) as fresh:
            yield self._kept(states, known, fresh)

    def _known(self, state: _FileState) -> FileReport | None:
        last, report = self._reports.get(state.path, (None, None))
        return report if last == state else None

    def _kept(
        self,
        states: Sequence[_FileState],
        known: Sequence[FileReport | None],
        fresh: Iterator[FileReport],
    ) -> Iterator[FileReport]:
        """Yields the report of each file, and keeps it for the next run unless it shows a bug."""
        self._reports = {}
        for state, report in zip(states, known, strict=True):
            found = next(fresh) if report is None else report
            if found.failure is None or found.failure.status is not ExitStatus.INTERNAL_ERROR:
                self._reports[state.path] = state, found
            yield found


def _state(path: str, configurations: Configurations | None, known: object) -> _FileState:
    values = configurations.of(path).values if configurations is not None else ()
    return _FileState(path, _status(path), values, known, console.width(sys.stdout))


def _status(path: str) -> tuple[int, ...]:
    try:
        found = os.stat(path)
    except (OSError, ValueError):
        return ()
    return found.st_mtime_ns, found.st_ctime_ns, found.st_size, found.st_ino


def require_watchable(options: Namespace, paths: list[str], use: BaselineUse) -> None:
    """Checks that the options make sense for a run that does not end.

    Raises:
        UsageError: if they do not, or what watches is not installed.
    """
    if STANDARD_STREAM in inputs.expanded(paths):
        raise UsageError("--watch watches files, but standard input is not a file")
    if options.fix:
        raise UsageError("--watch changes no files; leave out --fix")
    if use in (BaselineUse.SHRINK, BaselineUse.UPDATE):
        raise UsageError("--watch does not write a baseline")
    try:
        import watchfiles  # noqa: F401
    except ImportError:
        raise UsageError(_MISSING) from None


class _Look(NamedTuple):
    """The files to check at one moment.

    Attributes:
        configurations: those of the files.
        found: the files.
        states: a value that differs if anything has changed.
        error: why nothing could be checked; "" otherwise.
    """

    configurations: Configurations
    found: list[Input | Unreadable]
    states: object
    error: str = ""


class WatchedRun:
    """Checks files, and again after each change, until the user interrupts it.

    Args:
        paths: what the user names.
        others: files that the run reads, besides those that it checks.
        search: returns the configurations, and the files that exist now.
        lint: checks them.
        is_quiet: whether to write nothing but reports.
    """

    def __init__(
        self,
        paths: Sequence[str],
        others: Sequence[str],
        search: Callable[[], tuple[Configurations, list[Input | Unreadable]]],
        lint: Callable[[Configurations, list[Input | Unreadable], ReportReuse], int],
        *,
        is_quiet: bool,
    ) -> None:
        self._paths, self._others = paths, others
        self._search, self._lint = search, lint
        self._is_quiet = is_quiet
        self._reuse = ReportReuse()

    def status(self) -> int:
        """Runs until Ctrl-C, and returns the exit status.

        Raises:
            ConfigurationError: if the configuration of a file has a mistake at the start.
            UsageError: if a file that the command line names cannot be read at the start, or the
                system refuses to watch.
        """
        last = self._seen(*self._search())
        try:
            while True:
                self._show(last)
                last = self._next(last)
        except KeyboardInterrupt:
            console.complain("", prefix="")  # a terminal has shown ^C
            return ExitStatus.CLEAN

    def _show(self, look: _Look) -> None:
        if console.is_terminal(sys.stdout) and os.environ.get("TERM") != "dumb":
            console.write(_CLEAR)
        note = ""
        if look.error:
            console.complain(look.error)
        else:
            self._reuse.begin(look.configurations)
            self._lint(look.configurations, look.found, self._reuse)
            note = f"Checked {counted(self._reuse.n_checked, 'file')}. "
        if not self._is_quiet:
            console.complain(f"{note}Watching for changes; Ctrl-C stops.", prefix="")

    def _next(self, last: _Look) -> _Look:
        """Waits until something has changed, and returns what there is then."""
        look = last
        while look.states == last.states:
            _wait(self._watched(last), lambda: self._look(last).states != last.states)
            look = self._look(last)
        return look

    def _look(self, last: _Look) -> _Look:
        try:
            return self._seen(*self._search())
        except (ConfigurationError, UsageError) as error:
            text = console.escaped(str(error))
            return _Look(last.configurations, last.found, text, text)

    def _seen(self, configurations: Configurations, found: list[Input | Unreadable]) -> _Look:
        states = [
            each if isinstance(each, Unreadable) else _state(each.path, configurations, None)
            for each in found
        ]
        return _Look(configurations, found, (states, [_status(each) for each in self._others]))

    def _watched(self, look: _Look) -> WatchedPaths:
        values = (one for each in look.found for one in look.configurations.of(each.path).values)
        others = [*self._others, *(one.path for one in values if one.path)]
        exclusion = Exclusion(look.configurations)
        paths = [each.removeprefix("@") for each in self._paths]
        try:
            paths += inputs.expanded(self._paths)
        except UsageError:
            paths += [each.path for each in look.found]  # a list was removed
        return watched_paths(paths, others, exclusion.excludes)


class _StopAtOnce:
    """Stops the wait for changes if there was one before it began.

    The library asks it only after it has begun to record changes, so none is missed.
    """

    def __init__(self, has_changed: Callable[[], bool]) -> None:
        self._has_changed: Callable[[], bool] | None = has_changed

    def is_set(self) -> bool:
        """Whether there was a change, at the first call; later, False."""
        ask, self._has_changed = self._has_changed, None
        return ask is not None and ask()


def _wait(watched: WatchedPaths, has_changed: Callable[[], bool]) -> None:
    """Returns after a change, or what may be one.

    Raises:
        UsageError: if the system refuses to watch.
    """
    from watchfiles import watch

    changes = watch(
        *sorted(watched.folders),
        watch_filter=lambda _, path: watched.concerns(path),
        stop_event=_StopAtOnce(has_changed),
        recursive=False,
        ignore_permission_denied=True,
    )
    try:
        with closing(changes):
            next(changes, None)
    except FileNotFoundError:
        return  # a folder was removed
    except OSError as error:
        reason = console.escaped(str(error))
        raise UsageError(f"--watch: {len(watched.folders)} folders: {reason}") from None
