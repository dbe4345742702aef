"""The forms of report by name, each loaded when it is used."""

from __future__ import annotations

import importlib
from enum import StrEnum
from functools import cache
from typing import Final, NamedTuple

from ptx_ls.cli.reports.report import Look, Report
from ptx_ls.source import Severity


class OutputFormat(StrEnum):
    """The name of a form of report, as the command line has it."""

    FULL = "full"
    CONCISE = "concise"
    GROUPED = "grouped"
    JSON = "json"
    JSONL = "jsonl"
    SARIF = "sarif"
    GITHUB = "github"
    GITLAB = "gitlab"
    JUNIT = "junit"
    CHECKSTYLE = "checkstyle"
    RDJSON = "rdjson"
    PYLINT = "pylint"
    AZURE = "azure"


class Destination(NamedTuple):
    """A report of a run.

    Attributes:
        output_format: the form.
        look: how it looks.
        path: the file to write; "" for standard output.
    """

    output_format: OutputFormat
    look: Look = Look()
    path: str = ""

    @property
    def report(self) -> Report:
        """The form, loaded."""
        return report_of(self.output_format)


class Selection(NamedTuple):
    """The reports of a run, and the severities that they have."""

    outputs: tuple[Destination, ...]
    severities: frozenset[Severity] = frozenset(Severity)

    @property
    def is_for_people(self) -> bool:
        """Whether the report on standard output is, if there is one."""
        return any(each.report.is_for_people for each in self.outputs if not each.path)


_PLACES: Final = {
    OutputFormat.FULL: ("full", "REPORT"),
    OutputFormat.CONCISE: ("concise", "REPORT"),
    OutputFormat.GROUPED: ("grouped", "REPORT"),
    OutputFormat.JSON: ("json_objects", "ARRAY"),
    OutputFormat.JSONL: ("json_objects", "LINES"),
    OutputFormat.SARIF: ("sarif", "REPORT"),
    OutputFormat.GITHUB: ("ci_commands", "GITHUB"),
    OutputFormat.GITLAB: ("gitlab", "REPORT"),
    OutputFormat.JUNIT: ("xml_reports", "JUNIT"),
    OutputFormat.CHECKSTYLE: ("xml_reports", "CHECKSTYLE"),
    OutputFormat.RDJSON: ("rdjson", "REPORT"),
    OutputFormat.PYLINT: ("pylint", "REPORT"),
    OutputFormat.AZURE: ("ci_commands", "AZURE"),
}
"""The module of each form, and the name of the report in it."""


@cache
def report_of(output_format: OutputFormat) -> Report:
    """Returns the report with a name."""
    module, name = _PLACES[output_format]
    report: Report = getattr(importlib.import_module(f"ptx_ls.cli.reports.{module}"), name)
    return report
