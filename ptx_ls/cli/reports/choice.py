"""The forms of report by name, each loaded when it is used."""

from __future__ import annotations

from enum import StrEnum

from ptx_ls.cli.reports.report import Look, Report
from ptx_ls.source import Severity
from ptx_ls.source.named_tuple import NamedTuple


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


def report_of(output_format: OutputFormat) -> Report:  # noqa: C901, PLR0912  # a case for each
    """Returns the report with a name; loads only its module."""
    match output_format:
        case OutputFormat.FULL:
            from ptx_ls.cli.reports import full

            report = full.REPORT
        case OutputFormat.CONCISE:
            from ptx_ls.cli.reports import concise

            report = concise.REPORT
        case OutputFormat.GROUPED:
            from ptx_ls.cli.reports import grouped

            report = grouped.REPORT
        case OutputFormat.JSON:
            from ptx_ls.cli.reports import json_objects

            report = json_objects.ARRAY
        case OutputFormat.JSONL:
            from ptx_ls.cli.reports import json_objects

            report = json_objects.LINES
        case OutputFormat.SARIF:
            from ptx_ls.cli.reports import sarif

            report = sarif.REPORT
        case OutputFormat.GITHUB:
            from ptx_ls.cli.reports import ci_commands

            report = ci_commands.GITHUB
        case OutputFormat.GITLAB:
            from ptx_ls.cli.reports import gitlab

            report = gitlab.REPORT
        case OutputFormat.JUNIT:
            from ptx_ls.cli.reports import xml_reports

            report = xml_reports.JUNIT
        case OutputFormat.CHECKSTYLE:
            from ptx_ls.cli.reports import xml_reports

            report = xml_reports.CHECKSTYLE
        case OutputFormat.RDJSON:
            from ptx_ls.cli.reports import rdjson

            report = rdjson.REPORT
        case OutputFormat.PYLINT:
            from ptx_ls.cli.reports import pylint

            report = pylint.REPORT
        case OutputFormat.AZURE:
            from ptx_ls.cli.reports import ci_commands

            report = ci_commands.AZURE
    return report
