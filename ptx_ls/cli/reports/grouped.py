"""The `grouped` report: the diagnostics of a file in a table below its path."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from ptx_ls.cli.console import escaped
from ptx_ls.cli.reports import alike
from ptx_ls.cli.reports.report import Report

if TYPE_CHECKING:
    from ptx_ls.cli.reports.report import Findings, Look


def _elements(findings: Findings, look: Look) -> list[str]:
    shown, left = alike.shortened(findings.separate, look.most_alike)
    if not shown:
        return []
    places = [f"{one.range.start.line + 1}:{one.range.start.column + 1}" for one in shown]
    width = max(map(len, places))
    severities = max(len(one.severity.value) for one in shown)
    rows = [
        f"  {place:>{width}}  {one.severity.value:{severities}}  {escaped(one.message)}"
        f" [{one.rule}]"
        for place, one in zip(places, shown, strict=True)
    ]
    rest = [f"  {escaped(each)}" for each in alike.rest("", left)]
    return [f"{row}\n" for row in (f"{escaped(findings.path)}:", *rows, *rest, "")]


REPORT: Final = Report(_elements, is_for_people=True)
