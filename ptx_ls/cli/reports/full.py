"""The `full` report: each diagnostic with the lines it is about, its notes and its fixes."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from ptx_ls.cli.console import escaped
from ptx_ls.cli.reports import alike
from ptx_ls.cli.reports.excerpt import Printer
from ptx_ls.cli.reports.report import Report

if TYPE_CHECKING:
    from ptx_ls.cli.reports.report import Findings, Look


def _elements(findings: Findings, look: Look) -> list[str]:
    if not findings.diagnostics:
        return []  # without reading the file, if the diagnostics are from the cache
    shown, left = alike.shortened(findings.diagnostics, look.most_alike)
    path, lines = escaped(findings.path), findings.file.lines
    printer = Printer(path, lines, look)
    rest = [f"{escaped(each)}\n" for each in alike.rest(findings.path, left)]
    return [*(f"{printer.full(each)}\n" for each in shown), *rest]


REPORT: Final = Report(_elements, is_for_people=True)
