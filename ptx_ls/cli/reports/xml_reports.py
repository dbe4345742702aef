"""The `junit` and `checkstyle` reports: XML with an element for each file."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final
from xml.sax.saxutils import escape, quoteattr

from ptx_ls.cli.console import escaped, valid_text
from ptx_ls.cli.reports.concise import line
from ptx_ls.cli.reports.report import TOOL, Report, Totals
from ptx_ls.source import Severity

if TYPE_CHECKING:
    from ptx_ls.cli.reports.report import Findings, Look

_HEAD: Final = '<?xml version="1.0" encoding="UTF-8"?>\n'
_ILLEGAL: Final = re.compile("[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")
"""Matches a character that XML 1.0 does not allow."""
_CHECKSTYLE: Final = {Severity.ERROR: "error", Severity.WARNING: "warning"}


def _junit(findings: Findings, _look: Look) -> list[str]:
    found = findings.separate
    cases = [
        f"<testcase{_attributes(name=each.rule, classname=findings.path)}"
        f"{_attributes(line=each.range.start.line + 1, column=each.range.start.column + 1)}>\n"
        f"<failure{_attributes(message=each.message, type=each.severity.value)}>"
        f"{_text(line(findings.path, each))}</failure>\n</testcase>\n"
        for each in found
    ]
    passed = f"<testcase{_attributes(name=TOOL, classname=findings.path)}/>\n"
    counts = _attributes(tests=len(found) or 1, failures=len(found), errors=0)
    suite = f"<testsuite{_attributes(name=findings.path)}{counts}>\n"
    return [f"{suite}{''.join(cases) or passed}</testsuite>\n"]


def _end_of_junit(totals: Totals) -> str:
    failed = [
        f"<testsuite{_attributes(name=each.path, tests=1, failures=0, errors=1)}>\n"
        f"<testcase{_attributes(name=TOOL, classname=each.path)}>\n"
        f"<error{_attributes(message=each.message)}/>\n</testcase>\n</testsuite>\n"
        for each in totals.failed
    ]
    return f"{''.join(failed)}</testsuites>\n"


def _checkstyle(findings: Findings, _look: Look) -> list[str]:
    errors = [
        f"<error{_attributes(line=each.range.start.line + 1, column=each.range.start.column + 1)}"
        f"{_attributes(severity=_CHECKSTYLE.get(each.severity, 'info'), message=each.message)}"
        f"{_attributes(source=f'{TOOL}.{each.rule}')}/>\n"
        for each in findings.separate
    ]
    return [f"<file{_attributes(name=findings.path)}>\n{''.join(errors)}</file>\n"]


def _end_of_checkstyle(_totals: Totals) -> str:
    return "</checkstyle>\n"


def _text(text: str) -> str:
    return escape(_ILLEGAL.sub(_escape, text))


def _attributes(**values: object) -> str:
    """Returns attributes with a space before each; characters that XML does not allow escaped."""
    texts = {name: _ILLEGAL.sub(_escape, valid_text(str(value))) for name, value in values.items()}
    return "".join(f" {name}={quoteattr(text)}" for name, text in texts.items())


def _escape(match: re.Match[str]) -> str:
    return escaped(match[0]) if not match[0].isprintable() else f"U+{ord(match[0]):04X}"


JUNIT: Final = Report(
    _junit, lambda: f"{_HEAD}<testsuites{_attributes(name=TOOL)}>\n", end=_end_of_junit
)
CHECKSTYLE: Final = Report(
    _checkstyle, lambda: f'{_HEAD}<checkstyle version="4.3">\n', end=_end_of_checkstyle
)
