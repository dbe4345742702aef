"""Requests about a position: its highlights, selection ranges and linked ranges."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from lsprotocol import types

from ptx_ls.features.hover.register_value import takes_long
from ptx_ls.features.navigation.highlight import HighlightKind, highlights
from ptx_ls.features.rename.linked_editing import linked
from ptx_ls.features.structure.selection import selections
from ptx_ls.features.synchronization.state_at import is_about_synchronization
from ptx_ls.semantics.analysis import Analysis
from ptx_ls.server.documents import from_lsp, to_lsp
from ptx_ls.server.scheduling.answers import answered_once
from ptx_ls.source import Range
from ptx_ls.syntax.names import NAME_FOR_EDITORS

if TYPE_CHECKING:
    from collections.abc import Coroutine

    from ptx_ls.server.documents.open_documents import OpenDocument
    from ptx_ls.server.session import Session
    from ptx_ls.source import Position

    Json = dict[str, Any]

_KINDS: Final = {
    HighlightKind.TEXT: types.DocumentHighlightKind.Text.value,
    HighlightKind.READ: types.DocumentHighlightKind.Read.value,
    HighlightKind.WRITE: types.DocumentHighlightKind.Write.value,
}


def highlight(
    session: Session, opened: OpenDocument, params: types.DocumentHighlightParams
) -> list[Json] | Coroutine[Any, Any, list[Json]]:
    """Highlights the occurrences of the symbol at a position, or the statements of a protocol.

    Those of a long function are found on a thread; all others at once, before an edit that follows.
    """
    place, analysis = from_lsp.position(opened, params.position), Analysis(opened.document)
    if is_about_synchronization(analysis, place) and takes_long(analysis, place):
        return answered_once(session, opened, lambda text: _highlighted(text, place))
    return _highlighted(opened, place)


def _highlighted(opened: OpenDocument, place: Position) -> list[Json]:
    return [
        {"range": to_lsp.json_range(opened, area), "kind": _KINDS[kind]}
        for area, kind in highlights(Analysis(opened.document), place)
    ]


def selection_range(
    _session: Session, opened: OpenDocument, params: types.SelectionRangeParams
) -> list[Json]:
    """Finds the nested selection ranges around each of some positions."""
    analysis = Analysis(opened.document)
    return [_nested(opened, analysis, place) for place in params.positions]


def _nested(opened: OpenDocument, analysis: Analysis, place: types.Position) -> Json:
    position = from_lsp.position(opened, place)
    result: Json | None = None
    for area in reversed(selections(analysis, position)):
        outer = {"parent": result} if result is not None else {}
        result = {"range": to_lsp.json_range(opened, area), **outer}
    return result or {"range": to_lsp.json_range(opened, Range(position, position))}


def linked_editing_range(
    _session: Session, opened: OpenDocument, params: types.LinkedEditingRangeParams
) -> Json | None:
    """Finds the ranges that are edited together while the user types in one of them."""
    found = linked(Analysis(opened.document), from_lsp.position(opened, params.position))
    if not found:
        return None
    ranges = [to_lsp.json_range(opened, place) for place in found]
    return {"ranges": ranges, "wordPattern": NAME_FOR_EDITORS}
