"""The `rdjson` report: reviewdog's format, whose columns count bytes of UTF-8.

Source: "Reviewdog Diagnostic Format" (proto/rdf).
"""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any, Final

from ptx_ls.cli.console import valid_text
from ptx_ls.cli.reports.report import TOOL, Report, Totals, relative_path
from ptx_ls.lint.rule_names import rule_url
from ptx_ls.source import Severity
from ptx_ls.source.site import SITE

if TYPE_CHECKING:
    from collections.abc import Sequence

    from ptx_ls.cli.reports.report import Findings, Look
    from ptx_ls.source import Diagnostic, Position, Range

_SEVERITIES: Final = {Severity.ERROR: "ERROR", Severity.WARNING: "WARNING"}


def _elements(findings: Findings, _look: Look) -> list[str]:
    path = valid_text(relative_path(findings.path))
    lines = findings.file.lines
    return [json.dumps(_diagnostic(path, lines, each)) for each in findings.separate]


def _diagnostic(path: str, lines: Sequence[str], diagnostic: Diagnostic) -> dict[str, Any]:
    found: dict[str, Any] = {
        "message": valid_text(diagnostic.message),
        "location": {"path": path, "range": _range(lines, diagnostic.range)},
        "severity": _SEVERITIES.get(diagnostic.severity, "INFO"),
        "code": {"value": diagnostic.rule, "url": rule_url(diagnostic.rule)},
    }
    # The edits of a suggestion are applied alone, so a fix of several edits is not one.
    suggestions = [
        {"range": _range(lines, each.edits[0].range), "text": valid_text(each.edits[0].new_text)}
        for each in diagnostic.fixes
        if len(each.edits) == 1
    ]
    if suggestions:
        found["suggestions"] = suggestions
    if diagnostic.related:
        found["related_locations"] = [
            {
                "message": valid_text(each.message),
                "location": {"path": path, "range": _range(lines, each.range)},
            }
            for each in diagnostic.related
        ]
    return found


def _range(lines: Sequence[str], span: Range) -> dict[str, Any]:
    return {"start": _position(lines, span.start), "end": _position(lines, span.end)}


def _position(lines: Sequence[str], position: Position) -> dict[str, int]:
    line = lines[position.line] if position.line < len(lines) else ""
    before = line[: position.column].encode("utf-8", "surrogateescape")
    return {"line": position.line + 1, "column": len(before) + 1}


def _begin() -> str:
    source = json.dumps({"name": TOOL, "url": SITE})
    return f'{{"source": {source}, "diagnostics": [\n'


def _end(_totals: Totals) -> str:
    return "\n]}\n"


REPORT: Final = Report(_elements, _begin, ",\n", _end)
