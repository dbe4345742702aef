"""The `json` and `jsonl` reports: an object for each diagnostic, in an array or on a line."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any, Final

from ptx_ls.cli.console import valid_text
from ptx_ls.cli.reports.report import Report, absolute_uri, json_array
from ptx_ls.lint.rule_names import group_of, rule_url

if TYPE_CHECKING:
    from ptx_ls.cli.reports.report import Findings, Look
    from ptx_ls.source import Diagnostic, Fix, Range


def of_diagnostic(path: str, diagnostic: Diagnostic) -> str:
    r"""Returns a diagnostic as a JSON object: ASCII, on one line.

    Lines and columns start at 1; columns are in code points; the end is exclusive. `path` has bytes
    that are not UTF-8 as `\xff`, and `uri` has them percent-encoded.
    `targets` is empty if the file is checked against its own target.
    """
    return json.dumps(
        {
            "path": valid_text(path),
            "uri": absolute_uri(path),
            **_place(diagnostic.range),
            "severity": diagnostic.severity.value,
            "rule": diagnostic.rule,
            "group": group_of(diagnostic.rule),
            "message": valid_text(diagnostic.message),
            "url": rule_url(diagnostic.rule),
            "related": [
                {**_place(each.range), "message": valid_text(each.message)}
                for each in diagnostic.related
            ],
            "targets": list(diagnostic.targets),
            "fixes": [_fix(each) for each in diagnostic.fixes],
        }
    )


def _fix(fix: Fix) -> dict[str, Any]:
    return {
        "title": valid_text(fix.title),
        "applicability": fix.applicability.value,
        "edits": [{**_place(each.range), "text": valid_text(each.new_text)} for each in fix.edits],
    }


def _place(span: Range) -> dict[str, int]:
    return {
        "line": span.start.line + 1,
        "column": span.start.column + 1,
        "end_line": span.end.line + 1,
        "end_column": span.end.column + 1,
    }


def _elements(findings: Findings, _look: Look) -> list[str]:
    return [of_diagnostic(findings.path, each) for each in findings.separate]


def _lines(findings: Findings, look: Look) -> list[str]:
    return [f"{each}\n" for each in _elements(findings, look)]


ARRAY: Final = json_array(_elements)
LINES: Final = Report(_lines)
