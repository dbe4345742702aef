"""The `github` and `azure` reports: commands in the log that annotate the lines of a change.

Sources: "Workflow commands for GitHub Actions"; "Logging commands" of Azure Pipelines.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from ptx_ls.cli.console import escaped, valid_text
from ptx_ls.cli.reports.concise import line
from ptx_ls.cli.reports.report import TOOL, Report, relative_path
from ptx_ls.source import Severity

if TYPE_CHECKING:
    from ptx_ls.cli.reports.report import Findings, Look

_GITHUB_COMMANDS: Final = {Severity.ERROR: "error", Severity.WARNING: "warning"}
_NOTICE: Final = "notice"


def _github(findings: Findings, _look: Look) -> list[str]:
    path = relative_path(findings.path)
    shown = []
    for each in findings.separate:
        start, end = each.range
        properties = {
            "title": f"{TOOL} ({each.rule})",
            "file": valid_text(path),
            "line": start.line + 1,
            "col": start.column + 1,
            "endLine": end.line + 1,
            "endColumn": end.column + 1,
        }
        listed = ",".join(f"{key}={_property(str(value))}" for key, value in properties.items())
        command = _GITHUB_COMMANDS.get(each.severity, _NOTICE)
        shown.append(f"::{command} {listed}::{_data(line(path, each))}\n")
    return shown


def _data(text: str) -> str:
    return text.replace("%", "%25").replace("\r", "%0D").replace("\n", "%0A")


def _property(text: str) -> str:
    return _data(text).replace(":", "%3A").replace(",", "%2C")


def _azure(findings: Findings, _look: Look) -> list[str]:
    path = _azure_property(valid_text(relative_path(findings.path)))
    shown = []
    for each in findings.separate:
        start = each.range.start
        kind = "error" if each.severity is Severity.ERROR else "warning"
        shown.append(
            f"##vso[task.logissue type={kind};sourcepath={path};linenumber={start.line + 1};"
            f"columnnumber={start.column + 1};code={each.rule};]"
            f"{escaped(each.message).replace('%', '%AZP25')}\n"
        )
    return shown


def _azure_property(text: str) -> str:
    escapes = {"%": "%AZP25", "\r": "%0D", "\n": "%0A", ";": "%3B", "]": "%5D"}
    return "".join(escapes.get(each, each) for each in text)


GITHUB: Final = Report(_github)
AZURE: Final = Report(_azure)
