"""Converts our types to LSP's."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from lsprotocol import types

from ptx_ls.features.plain import plain
from ptx_ls.lint.rule_names import rule_url
from ptx_ls.source import Diagnostic, Position, Range, Severity, Tag
from ptx_ls.source.columns import to_units

if TYPE_CHECKING:
    from collections.abc import Container

    from ptx_ls.features.hover.hover import Hover
    from ptx_ls.features.markup import Markdown
    from ptx_ls.server.documents.open_documents import OpenDocument

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
    return types.Position(place.line, _character(opened, place))


def _character(opened: OpenDocument, place: Position) -> int:
    try:
        line = opened.document.lines[place.line]
    except IndexError:  # a worker may convert a place that an edit has just removed
        line = ""
    return to_units(line, place.column, opened.unit)


def range_(opened: OpenDocument, area: Range) -> types.Range:
    """Converts a range."""
    return types.Range(position(opened, area.start), position(opened, area.end))


def diagnostic(
    opened: OpenDocument, found: Diagnostic, *, folds_related: bool = False
) -> dict[str, Any]:
    """Converts a diagnostic to JSON, since there may be thousands.

    `folds_related`: includes related information in the message itself.
    """
    result: dict[str, Any] = {
        "range": json_range(opened, found.range),
        "message": found.message,
        "severity": _SEVERITIES[found.severity].value,
        "code": found.rule,
        "codeDescription": {"href": rule_url(found.rule)},
        "source": SOURCE,
    }
    if found.tags:
        result["tags"] = sorted(_TAGS[tag].value for tag in found.tags)
    if found.related and folds_related:
        related = (f"line {it.range.start.line + 1}: {it.message}" for it in found.related)
        result["message"] = "\n".join((found.message, *related))
    elif found.related:
        result["relatedInformation"] = [
            {
                "location": {"uri": opened.uri, "range": json_range(opened, it.range)},
                "message": it.message,
            }
            for it in found.related
        ]
    return result


def notice(
    opened: OpenDocument,
    area: Range,
    message: str,
    severity: Severity = Severity.INFORMATION,
    source: str = SOURCE,
) -> dict[str, Any]:
    """Returns a notice that is shown among the diagnostics but comes from no rule, as JSON."""
    return {
        "range": json_range(opened, area),
        "message": message,
        "severity": _SEVERITIES[severity].value,
        "source": source,
    }


def hover(opened: OpenDocument, found: Hover) -> types.Hover:
    """Converts a hover."""
    return types.Hover(markdown(found.markdown), range_(opened, found.range))


def json_range(opened: OpenDocument, area: Range) -> dict[str, Any]:
    """Converts a range to JSON."""
    return {"start": json_position(opened, area.start), "end": json_position(opened, area.end)}


def json_position(opened: OpenDocument, place: Position) -> dict[str, int]:
    """Converts a position to JSON."""
    return {"line": place.line, "character": _character(opened, place)}


def documentation(text: Markdown, formats: Container[object] | None) -> types.MarkupContent | str:
    """Returns Markdown if the client's `formats` list it, else the text without markup."""
    return markdown(text) if types.MarkupKind.Markdown in (formats or ()) else plain(text)


def json_documentation(text: Markdown, *, takes_markdown: bool) -> dict[str, str] | str:
    """Returns the same as `documentation`, as JSON."""
    return {"kind": "markdown", "value": text} if takes_markdown else plain(text)


def markdown(text: Markdown) -> types.MarkupContent:
    """Converts Markdown, which only `features.markup` makes: other text is not safe."""
    return types.MarkupContent(types.MarkupKind.Markdown, text)
