"""The `concise` report: a line for each diagnostic."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from ptx_ls.cli.console import escaped
from ptx_ls.cli.reports import alike
from ptx_ls.cli.reports.report import Report

if TYPE_CHECKING:
    from ptx_ls.cli.reports.report import Findings, Look
    from ptx_ls.source import Diagnostic


def line(path: str, diagnostic: Diagnostic) -> str:
    """Returns `path:line:column: severity: message [rule]`; line and column from 1."""
    start = diagnostic.range.start
    return (
        f"{escaped(path)}:{start.line + 1}:{start.column + 1}:"
        f" {diagnostic.severity.value}: {escaped(diagnostic.message)} [{diagnostic.rule}]"
    )


def _elements(findings: Findings, look: Look) -> list[str]:
    shown, left = alike.shortened(findings.separate, look.most_alike)
    rest = [escaped(each) for each in alike.rest(findings.path, left)]
    return [f"{each}\n" for each in (*(line(findings.path, one) for one in shown), *rest)]


REPORT: Final = Report(_elements, is_for_people=True)
