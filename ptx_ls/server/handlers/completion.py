"""Completion: proposals in the richest form that the client can show."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, Final

from lsprotocol import types
from pygls.capabilities import get_capability

from ptx_ls.features.completion.complete_item import ItemKind
from ptx_ls.features.completion.completion import completions
from ptx_ls.features.completion.snippets import snippet
from ptx_ls.semantics.analysis import Analysis
from ptx_ls.server.documents import from_lsp, to_lsp
from ptx_ls.source import Position, Range

if TYPE_CHECKING:
    from ptx_ls.features.completion.complete_item import CompletionItem, Completions
    from ptx_ls.server.documents.open_documents import OpenDocument
    from ptx_ls.server.session import Session

_KINDS: Final[dict[ItemKind, types.CompletionItemKind]] = {
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
    ItemKind.IDIOM: types.CompletionItemKind.Snippet,
}
_ADJUST: Final = types.InsertTextMode.AdjustIndentation


@dataclass(frozen=True, slots=True)
class _CompletionCapabilities:
    """The client's capabilities for completion, as sent in `initialize`."""

    snippets: bool
    label_details: bool
    preselect: bool
    commits: bool
    tags: bool
    deprecated: bool
    adjusts: bool
    markdown: bool
    defaults: frozenset[str]

    @classmethod
    def of(cls, capabilities: types.ClientCapabilities) -> _CompletionCapabilities:
        def item(name: str) -> Any:  # noqa: ANN401
            return get_capability(capabilities, f"text_document.completion.completion_item.{name}")

        tags = item("tag_support.value_set") or ()
        modes = item("insert_text_mode_support.value_set") or ()
        defaults = "text_document.completion.completion_list.item_defaults"
        return cls(
            snippets=item("snippet_support") is True,
            label_details=item("label_details_support") is True,
            preselect=item("preselect_support") is True,
            commits=item("commit_characters_support") is True,
            tags=types.CompletionItemTag.Deprecated in tags,
            deprecated=item("deprecated_support") is True,
            adjusts=_ADJUST in modes,
            markdown=types.MarkupKind.Markdown in (item("documentation_format") or ()),
            defaults=frozenset(get_capability(capabilities, defaults) or ()),
        )


def completion(
    session: Session, opened: OpenDocument, params: types.CompletionParams
) -> dict[str, Any]:
    """Returns proposals for a position."""
    able = _CompletionCapabilities.of(session.capabilities)
    found = completions(
        Analysis(opened.document),
        from_lsp.position(opened, params.position),
        replaces_words=bool(able.defaults),  # older clients only look at the word
        typed=(params.context.trigger_character or "") if params.context is not None else "",
    )
    place = {
        "uri": params.text_document.uri,
        "line": params.position.line,
        "character": params.position.character,
    }
    return _Converter(opened, able, place).list(found)


class _Converter:
    """Converts proposals, often a thousand, to JSON: LSP's classes take ten times as long."""

    def __init__(
        self, opened: OpenDocument, able: _CompletionCapabilities, place: dict[str, Any]
    ) -> None:
        self._opened = opened
        self._able = able
        self._place = place

    def list(self, found: Completions) -> dict[str, Any]:
        """Returns the completion list."""
        offered = [self._without_typed_dot(item) for item in found.items]
        areas = {item.range for item in offered}
        ranges = {area: to_lsp.json_range(self._opened, area) for area in areas}
        is_shared = "editRange" in self._able.defaults and len(ranges) == 1
        items = [self._item(item, None if is_shared else ranges[item.range]) for item in offered]
        result: dict[str, Any] = {"isIncomplete": found.is_incomplete, "items": items}
        defaults: dict[str, Any] = {}
        if is_shared:
            defaults["editRange"] = next(iter(ranges.values()))
        if "data" in self._able.defaults:
            defaults["data"] = self._place
        if defaults and items:
            result["itemDefaults"] = defaults
        return result

    def _without_typed_dot(self, item: CompletionItem) -> CompletionItem:
        """Returns an item without its dot, if that is already in the text.

        In Emacs and older Neovim, a word begins after the dot, so that no item would match, or the
        dot would be repeated. lsp-mode inserts the label of a single item, so clients without label
        details get labels without a dot.
        """
        start, text = item.range.start, item.text
        if start == item.range.end or not text.startswith("."):
            return item
        if self._opened.document.lines[start.line][start.column] != ".":
            return item
        return replace(
            item,
            label=item.label if self._able.label_details else item.label.removeprefix("."),
            range=Range(Position(start.line, start.column + 1), item.range.end),
            text=text[1:],
            filter=(item.filter or item.label)[1:],
            template=item.template[1:],
        )

    def _item(self, item: CompletionItem, area: dict[str, Any] | None) -> dict[str, Any]:
        result: dict[str, Any] = {
            "label": item.label,
            "kind": _KINDS[item.kind].value,
        }
        # Without it, Neovim 0.11 and newer assume a filtered list, and would show all items; with
        # it, older versions ignore the range of the edit, and would repeat a dot.
        if item.filter or self._able.defaults:
            result["filterText"] = item.filter or item.label
        if item.detail:
            result["detail"] = item.detail
        if item.documentation:
            result["documentation"] = to_lsp.json_documentation(
                item.documentation, takes_markdown=self._able.markdown
            )
        if item.sort:
            result["sortText"] = item.sort
        self._add_data(item, result)
        self._add_text(item, area, result)
        self._add_looks(item, result)
        return result

    def _add_data(self, item: CompletionItem, result: dict[str, Any]) -> None:
        """Adds the data for `resolve`, with the position if the document is needed for that."""
        kind, _, name = item.data.partition(" ")
        if kind not in ("symbol", "special"):
            if item.data:
                result["data"] = item.data
        elif "data" not in self._able.defaults or name != item.label or kind != "symbol":
            result["data"] = {**self._place, "item": item.data}

    def _add_text(
        self, item: CompletionItem, area: dict[str, Any] | None, result: dict[str, Any]
    ) -> None:
        text = self._text(item)
        if item.template and self._able.snippets:
            text = snippet.text_mate(item.template)
            result["insertTextFormat"] = types.InsertTextFormat.Snippet.value
        if "\n" in text and self._able.adjusts:
            result["insertTextMode"] = _ADJUST.value
        if area is not None:
            result["textEdit"] = {"range": area, "newText": text}
            if text != item.label and "\n" not in text and "insertTextFormat" not in result:
                result["insertText"] = text  # which Emacs shows and compares
        elif text != item.label:
            result["textEditText"] = text

    def _text(self, item: CompletionItem) -> str:
        """Returns the plain text; indents its lines like the first one if the client does not."""
        if "\n" not in item.text or self._able.adjusts:
            return item.text
        line = self._opened.document.lines[item.range.start.line][: item.range.start.column]
        indentation = line[: len(line) - len(line.lstrip())]
        return item.text.replace("\n", f"\n{indentation}")

    def _add_looks(self, item: CompletionItem, result: dict[str, Any]) -> None:
        if self._able.label_details and (item.signature or item.detail):
            details = {"detail": item.signature, "description": item.detail}
            result["labelDetails"] = {key: text for key, text in details.items() if text}
        if item.is_deprecated or not item.is_available:
            if self._able.tags:
                result["tags"] = [types.CompletionItemTag.Deprecated.value]
            elif self._able.deprecated:
                result["deprecated"] = True
        if item.is_best and self._able.preselect:
            result["preselect"] = True
        if item.commits and self._able.commits:
            result["commitCharacters"] = [*item.commits]
