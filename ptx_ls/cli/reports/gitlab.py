"""The `gitlab` report: a Code Quality artifact.

Source: "Code Quality report format" of GitLab.
"""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Final

from ptx_ls.cli.console import valid_text
from ptx_ls.cli.reports.report import json_array, relative_path
from ptx_ls.lint.identity.fingerprint import fingerprints
from ptx_ls.source import Severity

if TYPE_CHECKING:
    from ptx_ls.cli.reports.report import Findings, Look
    from ptx_ls.source import Position

_SEVERITIES: Final = {
    Severity.ERROR: "major",
    Severity.WARNING: "minor",
    Severity.INFORMATION: "info",
    Severity.HINT: "info",
}


def _elements(findings: Findings, _look: Look) -> list[str]:
    path = valid_text(relative_path(findings.path))
    found = findings.separate
    return [
        json.dumps(
            {
                "check_name": each.rule,
                "description": f"{each.rule}: {valid_text(each.message)}",
                "severity": _SEVERITIES[each.severity],
                "fingerprint": identity.of_file(path),
                "location": {
                    "path": path,
                    "positions": {
                        "begin": _position(each.range.start),
                        "end": _position(each.range.end),
                    },
                },
            }
        )
        for each, identity in zip(found, fingerprints(found, findings.file.sites), strict=True)
    ]


def _position(position: Position) -> dict[str, int]:
    return {"line": position.line + 1, "column": position.column + 1}


REPORT: Final = json_array(_elements)
