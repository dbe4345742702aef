"""From our types to LSP's."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, Any

from lsprotocol import types

from ptx_ls.features.complete_item import CompletionItem, ItemKind
from ptx_ls.lint.pages import rule_url
from ptx_ls.source import Diagnostic, Position, Range, Severity, Tag
from ptx_ls.source.columns import to_units

if TYPE_CHECKING:
    from ptx_ls.features.complete_item import Completions
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
_COMPLETION_KINDS: dict[ItemKind, types.CompletionItemKind] = {
    ItemKind.OPCODE: types.CompletionItemKind.Keyword,
    ItemKind.MODIFIER: types.CompletionItemKind.EnumMember,
    ItemKind.REGISTER: types.CompletionItemKind.Variable,
    ItemKind.SPECIAL_REGISTER: types.CompletionItemKind.Constant,
    ItemKind.LABEL: types.CompletionItemKind.Reference,
    ItemKind.VARIABLE: types.CompletionItemKind.Field,
    ItemKind.PARAMETER: types.CompletionItemKind.Property,
    ItemKind.FUNCTION: types.CompletionItemKind.Function,
    ItemKind.DIRECTIVE: types.CompletionItemKind.Keyword,
    ItemKind.TYPE: types.CompletionItemKind.Class,
    ItemKind.STATE_SPACE: types.CompletionItemKind.Module,
    ItemKind.TARGET: types.CompletionItemKind.EnumMember,
    ItemKind.VALUE: types.CompletionItemKind.Value,
}


def position(opened: OpenDocument, place: Position) -> types.Position:
    """Converts a position."""
    try:
        line = opened.document.lines[place.line]
    except IndexError:  # gone: a worker may convert what an edit has just made stale
        line = ""
    return types.Position(place.line, to_units(line, place.column, opened.unit))


def range_(opened: OpenDocument, area: Range) -> types.Range:
    """Converts a range."""
    return types.Range(position(opened, area.start), position(opened, area.end))


def locations(opened: OpenDocument, areas: Iterable[Range]) -> list[types.Location]:
    """Converts places of a document."""
    return [types.Location(opened.uri, range_(opened, area)) for area in areas]


def diagnostic(opened: OpenDocument, found: Diagnostic) -> dict[str, Any]:
    """Converts a diagnostic to JSON: of these, too, there may be a thousand."""
    result: dict[str, Any] = {
        "range": _json_range(opened, found.range),
        "message": found.message,
        "severity": _SEVERITIES[found.severity].value,
        "code": found.rule,
        "codeDescription": {"href": rule_url(found.rule)},
        "source": SOURCE,
    }
    if found.tags:
        result["tags"] = sorted(_TAGS[tag].value for tag in found.tags)
    if found.related:
        result["relatedInformation"] = [
            {
                "location": {"uri": opened.uri, "range": _json_range(opened, it.range)},
                "message": it.message,
            }
            for it in found.related
        ]
    return result


def notice(opened: OpenDocument, area: Range, message: str) -> dict[str, Any]:
    """Returns something to be said among the diagnostics that no rule says, as JSON."""
    return {
        "range": _json_range(opened, area),
        "message": message,
        "severity": types.DiagnosticSeverity.Information.value,
        "source": SOURCE,
    }


def hover(opened: OpenDocument, found: Hover) -> types.Hover:
    """Converts an explanation."""
    return types.Hover(markdown(found.markdown), range_(opened, found.range))


def completions(
    opened: OpenDocument, found: Completions, *, may_share_range: bool
) -> dict[str, Any]:
    """Converts proposals, often a thousand, to JSON at once: LSP's classes take ten times as long.

    `may_share_range`: whether the client knows a range that holds for all of them.
    """
    ranges = {item.range: _json_range(opened, item.range) for item in found.items}
    shared = next(iter(ranges)) if may_share_range and len(ranges) == 1 else None
    result: dict[str, Any] = {
        "isIncomplete": found.is_incomplete,
        "items": [
            _json_completion(item, None if shared else ranges[item.range]) for item in found.items
        ],
    }
    if shared is not None:
        result["itemDefaults"] = {"editRange": ranges[shared]}
    return result


def _json_completion(item: CompletionItem, area: dict[str, Any] | None) -> dict[str, Any]:
    result: dict[str, Any] = {
        "label": item.label,
        "kind": _COMPLETION_KINDS[item.kind].value,
        # Neovim takes an edit without it as filtered by the server, and would offer everything.
        "filterText": item.filter or item.label,
    }
    if item.detail:
        result["detail"] = item.detail
    if item.documentation:
        result["documentation"] = {"kind": "markdown", "value": item.documentation}
    if item.sort:
        result["sortText"] = item.sort
    if item.data:
        result["data"] = item.data
    if area is not None:
        result["textEdit"] = {"range": area, "newText": item.text}
    elif item.text != item.label:
        result["textEditText"] = item.text
    return result


def _json_range(opened: OpenDocument, area: Range) -> dict[str, Any]:
    start, end = position(opened, area.start), position(opened, area.end)
    return {
        "start": {"line": start.line, "character": start.character},
        "end": {"line": end.line, "character": end.character},
    }


def markdown(text: str) -> types.MarkupContent:
    """Converts Markdown."""
    return types.MarkupContent(types.MarkupKind.Markdown, text)
