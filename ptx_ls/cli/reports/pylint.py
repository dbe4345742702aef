"""The `pylint` report: lines in pylint's format, which many tools parse."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from ptx_ls.cli.console import escaped
from ptx_ls.cli.reports.report import Report, relative_path

if TYPE_CHECKING:
    from ptx_ls.cli.reports.report import Findings, Look


def _elements(findings: Findings, _look: Look) -> list[str]:
    path = escaped(relative_path(findings.path))
    return [
        f"{path}:{each.range.start.line + 1}: [{each.rule}] {escaped(each.message)}\n"
        for each in findings.separate
    ]


REPORT: Final = Report(_elements)
