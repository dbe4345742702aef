"""The documentation of the selected completion item."""

from __future__ import annotations

from typing import TYPE_CHECKING

from lsprotocol import types
from pygls.capabilities import get_capability

from ptx_ls.features.hover.describe_item import resolve as find_documentation
from ptx_ls.semantics.analysis import Analysis
from ptx_ls.server.documents import from_lsp, to_lsp
from ptx_ls.source import Position

if TYPE_CHECKING:
    from ptx_ls.server.session import Session


def resolve(session: Session, item: types.CompletionItem) -> types.CompletionItem:
    """Adds the documentation of a completion item."""
    data = item.data
    analysis: Analysis | None = None
    place = Position(0, 0)
    if isinstance(data, dict):
        opened = session.get(str(data.get("uri")))
        line, character = data.get("line"), data.get("character")
        if opened is not None and isinstance(line, int) and isinstance(character, int):
            analysis = Analysis(opened.document)
            sent = types.Position(max(0, line), max(0, character))
            place = from_lsp.position(opened, sent)
        data = data.get("item", f"symbol {item.label}")
    documentation = find_documentation(data, analysis, place)
    if documentation is not None:
        able = "text_document.completion.completion_item.documentation_format"
        formats = get_capability(session.capabilities, able)
        item.documentation = to_lsp.documentation(documentation, formats)
    return item
