"""Who calls a function and what it calls."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from lsprotocol import types

from ptx_ls.features import call_hierarchy as feature
from ptx_ls.semantics.analysis import Analysis
from ptx_ls.semantics.occurrences import sought
from ptx_ls.server import from_lsp, to_lsp
from ptx_ls.server.finding import find

if TYPE_CHECKING:
    from ptx_ls.semantics.analysis import Declared
    from ptx_ls.server.documents import OpenDocument
    from ptx_ls.server.session import Session

    Json = dict[str, Any]


def prepare(session: Session, params: types.CallHierarchyPrepareParams) -> list[Json] | None:
    """Finds the function at a position."""
    opened = session.get(params.text_document.uri)
    if opened is None:
        return None
    place = from_lsp.position(opened, params.position)
    found = feature.prepare(Analysis(opened.document), place)
    return [_item(opened, found)] if found is not None else None


async def incoming(
    session: Session, params: types.CallHierarchyIncomingCallsParams
) -> list[Json] | None:
    """Finds the calls of a function."""
    asked = _asked(session, params.item)
    if asked is None:
        return None
    opened, declared = asked
    analysis = Analysis(opened.document)
    places = await find(session, opened, sought(analysis, declared, declared.symbol.name))
    for table in feature.tables(analysis, places):
        places += await find(session, opened, sought(analysis, table, table.symbol.name))
    prototypes: list[int] = []
    if feature.is_address_taken(analysis, places):
        version, lines = opened.version, list(opened.document.lines)
        prototypes = await session.run(lambda stop: feature.prototype_lines(lines, stop))
        if opened.version != version:
            return await incoming(session, params)
    found = feature.incoming(Analysis(opened.document), declared, places, prototypes)
    return [
        {"from": _item(opened, call.function), "fromRanges": _ranges(opened, call)}
        for call in found
    ]


def outgoing(session: Session, params: types.CallHierarchyOutgoingCallsParams) -> list[Json] | None:
    """Finds what a function calls."""
    asked = _asked(session, params.item)
    if asked is None:
        return None
    opened, declared = asked
    return [
        {"to": _item(opened, call.function), "fromRanges": _ranges(opened, call)}
        for call in feature.outgoing(Analysis(opened.document), declared)
    ]


def _asked(session: Session, item: types.CallHierarchyItem) -> tuple[OpenDocument, Declared] | None:
    """The function of an item, found by its name: its place may have moved."""
    opened = session.get(item.uri)
    if opened is None:
        return None
    declared = feature.named(Analysis(opened.document), item.name)
    return (opened, declared) if declared is not None else None


def _item(opened: OpenDocument, function: feature.Function) -> Json:
    return {
        "name": function.name,
        "kind": types.SymbolKind.Function.value,
        "detail": function.detail,
        "uri": opened.uri,
        "range": to_lsp.json_range(opened, function.range),
        "selectionRange": to_lsp.json_range(opened, function.selection),
    }


def _ranges(opened: OpenDocument, call: feature.Call) -> list[Json]:
    return [to_lsp.json_range(opened, place) for place in call.places]
