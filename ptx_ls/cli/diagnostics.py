"""Writes the diagnostics of one file: a line for each, or an element of a JSON array."""

from __future__ import annotations

from enum import StrEnum
from typing import TYPE_CHECKING, NamedTuple

from ptx_ls.cli import grouping
from ptx_ls.cli.console import escaped, valid_text
from ptx_ls.lint.rule import rule_url
from ptx_ls.source import Severity, separate

if TYPE_CHECKING:
    from collections.abc import Sequence

    from ptx_ls.source import Diagnostic


class OutputFormat(StrEnum):
    """The form in which diagnostics are written."""

    FULL = "full"
    CONCISE = "concise"
    JSON = "json"


class DiagnosticStyle(NamedTuple):
    """The form and the selection of diagnostics to write.

    Attributes:
        output_format: the form.
        severities: the severities to write.
        has_colour: whether to use colours.
        width: number of columns for an excerpt.
        most_alike: how many similar diagnostics of a file are written; 0: all.
    """

    output_format: OutputFormat
    severities: frozenset[Severity] = frozenset(Severity)
    has_colour: bool = False
    width: int = 200
    most_alike: int = 0


def rendered(
    path: str, lines: Sequence[str], diagnostics: Sequence[Diagnostic], style: DiagnosticStyle
) -> str:
    """Returns diagnostics of a file as text: those of the severities that the style names.

    Args:
        path: that of the file, as the user named it.
        lines: those of the file, with or without their terminators.
        diagnostics: in the order to write them.
        style: how to write them.

    Returns:
        Whole lines; for JSON the elements of an array, without the comma after the last.
    """
    diagnostics = [each for each in diagnostics if each.severity in style.severities]
    if not diagnostics:
        return ""
    if style.output_format is not OutputFormat.FULL:
        diagnostics = separate(diagnostics)
    if style.output_format is OutputFormat.JSON:
        return ",\n".join(json_object(path, diagnostic) for diagnostic in diagnostics)
    diagnostics, left = grouping.shortened(diagnostics, style.most_alike)
    end = "".join(f"{escaped(line)}\n" for line in grouping.rest(path, left))
    if style.output_format is OutputFormat.CONCISE:
        return "".join(f"{concise(path, diagnostic)}\n" for diagnostic in diagnostics) + end
    from ptx_ls.cli.excerpt import Printer

    printer = Printer(escaped(path), lines, style.width, has_colour=style.has_colour)
    return "".join(f"{printer.full(diagnostic)}\n" for diagnostic in diagnostics) + end


def concise(path: str, diagnostic: Diagnostic) -> str:
    """Returns `path:line:column: severity: message [rule]`; line and column from 1."""
    start = diagnostic.range.start
    return (
        f"{escaped(path)}:{start.line + 1}:{start.column + 1}:"
        f" {diagnostic.severity.value}: {escaped(diagnostic.message)} [{diagnostic.rule}]"
    )


def json_object(path: str, diagnostic: Diagnostic) -> str:
    """Returns the diagnostic as a JSON object: ASCII, on one line.

    Lines and columns count from 1, columns in code points; the end is exclusive.
    """
    import json

    start, end = diagnostic.range.start, diagnostic.range.end
    return json.dumps(
        {
            "path": valid_text(path),
            "line": start.line + 1,
            "column": start.column + 1,
            "end_line": end.line + 1,
            "end_column": end.column + 1,
            "severity": diagnostic.severity.value,
            "rule": diagnostic.rule,
            "message": valid_text(diagnostic.message),
            "url": rule_url(diagnostic.rule),
            "fixes": [
                {"title": valid_text(each.title), "applicability": each.applicability.value}
                for each in diagnostic.fixes
            ],
        }
    )
