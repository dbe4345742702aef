"""Writes a report to standard output or to a file while the files of a run are checked."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

from ptx_ls.cli import console
from ptx_ls.cli.arguments import UsageError
from ptx_ls.cli.output import holds_ptx

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from ptx_ls.cli.reports.choice import Destination
    from ptx_ls.cli.reports.report import Totals


class ReportWriter:
    """Writes one report; a file gets its text when the report ends, so it is never half of one.

    `sources`: the files that the command reads.

    Raises:
        UsageError: if the file cannot be written because of its path, is PTX, or is one of
            `sources`.
    """

    def __init__(self, output: Destination, sources: Iterable[str] = ()) -> None:
        self._report, self._path = output.report, output.path
        self._kept: list[str] = []
        self._n_elements = self._n_left_out = 0
        if self._path:
            _require_writable(self._path, sources)

    def begin(self) -> None:
        """Begins the report."""
        self._write(self._report.begin())

    def add(self, elements: Sequence[str]) -> None:
        """Adds what one file has for the report."""
        left = self._report.most_elements - self._n_elements
        self._n_left_out += max(0, len(elements) - left)
        elements = elements[: max(0, left)]
        if not elements:
            return
        between = self._report.between
        self._write((between if self._n_elements else "") + between.join(elements))
        self._n_elements += len(elements)

    def end(self, totals: Totals) -> None:
        """Ends the report.

        Raises:
            OutputError: if it cannot be written.
        """
        counted = totals._replace(n_elements=self._n_elements, n_left_out=self._n_left_out)
        self._write(self._report.end(counted))
        if self._path:
            from ptx_ls.files.writing import write_whole

            content = "".join(self._kept).encode("utf-8", "backslashreplace")
            try:
                write_whole(self._path, content)
            except OSError as error:
                raise console.OutputError(_reason(self._path, error)) from None

    def _write(self, text: str) -> None:
        if self._path:
            self._kept.append(text)
        elif text:
            console.write(text)


def _require_writable(path: str, sources: Iterable[str]) -> None:
    folder = os.path.dirname(path) or "."
    if os.path.isdir(path):
        raise UsageError(f"--output: `{console.escaped(path)}` is a directory")
    if not os.path.isdir(folder):
        raise UsageError(f"--output: directory `{console.escaped(folder)}` does not exist")
    if holds_ptx(path, sources):
        raise UsageError(
            f"--output: `{console.escaped(path)}` is not overwritten, because it is a PTX file"
        )
    if os.path.isfile(path):
        from ptx_ls.files.writing import is_read_only

        if is_read_only(path):
            raise UsageError(f"--output: `{console.escaped(path)}` is read-only")
    elif not os.path.lexists(path) and not os.access(folder, os.W_OK):
        raise UsageError(f"--output: directory `{console.escaped(folder)}` is read-only")


def _reason(path: str, error: OSError) -> str:
    return f"{console.escaped(path)}: {error.strerror or error}"
