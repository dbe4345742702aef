"""From our types to LSP's."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING

from lsprotocol import types

from ptx_ls.lint.pages import rule_url
from ptx_ls.source import Diagnostic, Position, Range, Severity, Tag
from ptx_ls.source.columns import to_units

if TYPE_CHECKING:
    from ptx_ls.features.hover import Hover
    from ptx_ls.server.documents import OpenDocument

SOURCE = "ptx-ls"
_SEVERITIES = {
    Severity.ERROR: types.DiagnosticSeverity.Error,
    Severity.WARNING: types.DiagnosticSeverity.Warning,
    Severity.INFORMATION: types.DiagnosticSeverity.Information,
    Severity.HINT: types.DiagnosticSeverity.Hint,
}
_TAGS = {
    Tag.UNNECESSARY: types.DiagnosticTag.Unnecessary,
    Tag.DEPRECATED: types.DiagnosticTag.Deprecated,
}


def position(opened: OpenDocument, place: Position) -> types.Position:
    """Converts a position."""
    lines = opened.document.lines
    line = lines[place.line] if place.line < len(lines) else ""
    return types.Position(place.line, to_units(line, place.column, opened.unit))


def range_(opened: OpenDocument, area: Range) -> types.Range:
    """Converts a range."""
    return types.Range(position(opened, area.start), position(opened, area.end))


def locations(opened: OpenDocument, areas: Iterable[Range]) -> list[types.Location]:
    """Converts places of a document."""
    return [types.Location(opened.uri, range_(opened, area)) for area in areas]


def diagnostic(opened: OpenDocument, found: Diagnostic) -> types.Diagnostic:
    """Converts a diagnostic."""
    related = [
        types.DiagnosticRelatedInformation(
            types.Location(opened.uri, range_(opened, it.range)), it.message
        )
        for it in found.related
    ]
    return types.Diagnostic(
        range_(opened, found.range),
        found.message,
        severity=_SEVERITIES[found.severity],
        code=found.rule,
        code_description=types.CodeDescription(rule_url(found.rule)),
        source=SOURCE,
        tags=[_TAGS[tag] for tag in found.tags] or None,
        related_information=related or None,
    )


def notice(opened: OpenDocument, area: Range, message: str) -> types.Diagnostic:
    """Returns something to be said among the diagnostics that no rule says."""
    return types.Diagnostic(
        range_(opened, area),
        message,
        severity=types.DiagnosticSeverity.Information,
        source=SOURCE,
    )


def hover(opened: OpenDocument, found: Hover) -> types.Hover:
    """Converts an explanation."""
    return types.Hover(markdown(found.markdown), range_(opened, found.range))


def markdown(text: str) -> types.MarkupContent:
    """Converts Markdown."""
    return types.MarkupContent(types.MarkupKind.Markdown, text)
