"""The `sarif` report: SARIF 2.1.0, as GitHub and other services read it.

Sources: "Static Analysis Results Interchange Format (SARIF) Version 2.1.0"; "SARIF support for code
scanning" of GitHub, whose limits are kept: diagnostics of one rule in one function that differ only
in names and numbers are one result, and a run has at most 25,000 results.
"""

from __future__ import annotations

import json
import os
from typing import TYPE_CHECKING, Any, Final

from ptx_ls import __version__
from ptx_ls.cli.console import valid_text
from ptx_ls.cli.reports.alike import Kind, kind_of
from ptx_ls.cli.reports.report import (
    TOOL,
    Failed,
    Report,
    Totals,
    absolute_uri,
    relative_uri,
)
from ptx_ls.lint.identity.fingerprint import Fingerprint, fingerprints
from ptx_ls.lint.rule import rules
from ptx_ls.lint.rule_names import rule_url
from ptx_ls.source import Severity
from ptx_ls.source.named_tuple import NamedTuple
from ptx_ls.source.site import SITE

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from ptx_ls.cli.reports.report import Findings, Look
    from ptx_ls.lint.rule import Rule
    from ptx_ls.source import Diagnostic, Fix, Range

SCHEMA: Final = "https://json.schemastore.org/sarif-2.1.0.json"
_MAX_RESULTS: Final = 25_000
_MAX_PLACES: Final = 50
"""Maximum number of places that a result names, beside its own."""
_LEVELS: Final = {Severity.ERROR: "error", Severity.WARNING: "warning"}
_OTHER_LEVEL: Final = "note"
_PROBLEMS: Final = {Severity.ERROR: "error", Severity.WARNING: "warning"}
_OTHER_PROBLEM: Final = "recommendation"
_ROOT: Final = "%SRCROOT%"
"""The base that relative URIs refer to."""


class _Member(NamedTuple):
    """A diagnostic with its identity."""

    diagnostic: Diagnostic
    identity: Fingerprint


def _begin() -> str:
    driver = {
        "name": TOOL,
        "informationUri": SITE,
        "semanticVersion": __version__,
        "rules": [_rule(each) for each in rules().values()],
    }
    run = {
        "tool": {"driver": driver},
        "columnKind": "unicodeCodePoints",
        "originalUriBaseIds": {_ROOT: {"uri": f"{absolute_uri(os.getcwd()).rstrip('/')}/"}},
    }
    head = {"$schema": SCHEMA, "version": "2.1.0"}
    return f'{json.dumps(head)[:-1]}, "runs": [{json.dumps(run)[:-1]}, "results": [\n'


def _rule(rule: Rule) -> dict[str, Any]:
    return {
        "id": rule.name,
        "shortDescription": {"text": rule.summary},
        "fullDescription": {"text": rule.summary},
        "help": {"text": rule.doc, "markdown": rule.doc},
        "helpUri": rule_url(rule.name),
        "defaultConfiguration": {"level": _LEVELS.get(rule.severity, _OTHER_LEVEL)},
        "properties": {
            "tags": [rule.group],
            "problem.severity": _PROBLEMS.get(rule.severity, _OTHER_PROBLEM),
        },
    }


def _elements(findings: Findings, _look: Look) -> list[str]:
    return [json.dumps(_result(findings.path, group)) for group in _groups(findings)]


def _groups(findings: Findings) -> Iterator[list[_Member]]:
    """Yields the diagnostics of each result."""
    found = findings.diagnostics
    groups: dict[tuple[Kind, str], list[_Member]] = {}
    for each, identity in zip(found, fingerprints(found, findings.file.sites), strict=True):
        key = kind_of(each), identity.function
        groups.setdefault(key, []).append(_Member(each, identity))
    yield from groups.values()


def _result(path: str, members: Sequence[_Member]) -> dict[str, Any]:
    first, identity = members[0]
    found = {
        "ruleId": first.rule,
        "ruleIndex": [*rules()].index(first.rule),
        "level": _LEVELS.get(first.severity, _OTHER_LEVEL),
        "message": {"text": _message(members)},
        "locations": [_location(path, first.range, identity.function)],
        "partialFingerprints": {"ptxLsStatement/v1": identity.of_file(relative_uri(path))},
    }
    if first.targets:
        found["properties"] = {"targets": list(first.targets)}
    related = [_related(path, each.range, each.message) for each in first.related]
    related += [
        _related(path, each.diagnostic.range, each.diagnostic.message)
        for each in members[1 : _MAX_PLACES + 1]
    ]
    if related:
        found["relatedLocations"] = [{"id": n, **each} for n, each in enumerate(related, 1)]
    if len(members) == 1 and first.fixes:
        found["fixes"] = [_fix(path, each) for each in first.fixes if each.edits]
    return found


def _message(members: Sequence[_Member]) -> str:
    first, identity = members[0]
    text = _text(first.message)
    if len(members) == 1:
        return text
    where = f"in `{_text(identity.function)}`" if identity.function else "in this module"
    return f"{text} ({len(members)} like this {where})"


def _text(message: str) -> str:
    """Returns the text of a message object, in which braces are placeholders unless doubled.

    Brackets before parentheses would be a link. The pages of rules have no placeholders, and are
    shown as they are.
    """
    return valid_text(message).replace("{", "{{").replace("}", "}}").replace("](", "\\](")


def _related(path: str, span: Range, message: str) -> dict[str, Any]:
    return {**_location(path, span), "message": {"text": _text(message)}}


def _location(path: str, span: Range, function: str = "") -> dict[str, Any]:
    place: dict[str, Any] = {
        "physicalLocation": {"artifactLocation": _artifact(path), "region": _region(span)}
    }
    if function:
        place["logicalLocations"] = [{"name": function, "kind": "function"}]
    return place


def _artifact(path: str) -> dict[str, str]:
    uri = relative_uri(path)
    return {"uri": uri} if uri.startswith("file:") else {"uri": uri, "uriBaseId": _ROOT}


def _region(span: Range) -> dict[str, int]:
    return {
        "startLine": span.start.line + 1,
        "startColumn": span.start.column + 1,
        "endLine": span.end.line + 1,
        "endColumn": span.end.column + 1,
    }


def _fix(path: str, fix: Fix) -> dict[str, Any]:
    replacements = [
        {
            "deletedRegion": _region(each.range),
            "insertedContent": {"text": valid_text(each.new_text)},
        }
        for each in fix.edits
    ]
    return {
        "description": {"text": _text(fix.title)},
        "artifactChanges": [{"artifactLocation": _artifact(path), "replacements": replacements}],
    }


def _end(totals: Totals) -> str:
    notes = [_failed(each) for each in totals.failed]
    if totals.n_left_out:
        text = f"{totals.n_left_out} results left out: a run has at most {_MAX_RESULTS}"
        notes.append({"level": "warning", "message": {"text": text}})
    invocation: dict[str, Any] = {"executionSuccessful": not totals.failed}
    if notes:
        invocation["toolExecutionNotifications"] = notes
    return f'\n], "invocations": [{json.dumps(invocation)}]}}]}}\n'


def _failed(failed: Failed) -> dict[str, Any]:
    location = {"physicalLocation": {"artifactLocation": _artifact(failed.path)}}
    return {
        "level": "error",
        "message": {"text": _text(failed.message)},
        "locations": [location],
    }


REPORT: Final = Report(_elements, _begin, ",\n", _end, most_elements=_MAX_RESULTS)
