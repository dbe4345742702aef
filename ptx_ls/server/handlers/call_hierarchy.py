"""The callers and callees of a function; where the values of an instruction come from and go."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from lsprotocol import types
from pygls.exceptions import JsonRpcContentModified

from ptx_ls.features.navigation import call_hierarchy as feature
from ptx_ls.features.navigation import value_flow
from ptx_ls.semantics.analysis import Analysis
from ptx_ls.semantics.symbols.references.occurrences import sought
from ptx_ls.server.documents import from_lsp, to_lsp
from ptx_ls.server.documents.occurrences import find
from ptx_ls.server.workspace import cross_file
from ptx_ls.server.workspace.index import json_range

if TYPE_CHECKING:
    from collections.abc import Callable

    from ptx_ls.features.structure.module_symbols import ModuleSymbol
    from ptx_ls.semantics.analysis import LocatedSymbol
    from ptx_ls.server.documents.open_documents import OpenDocument
    from ptx_ls.server.session import Session
    from ptx_ls.source import Position

    Json = dict[str, Any]

_FLOW: Final = "value flow"
"""The data of an item that is an instruction and not a function."""


async def prepare(
    session: Session, opened: OpenDocument, params: types.CallHierarchyPrepareParams
) -> list[Json] | None:
    """Returns the function at a position, placed where it is defined.

    For a register, the instructions that its value comes from are returned.
    """
    analysis = Analysis(opened.document)
    place = from_lsp.position(opened, params.position)
    found = feature.prepare(analysis, place)
    if found is not None:
        return [await _defined(session, opened, found)]
    return [_instruction(opened, each) for each in value_flow.prepare(analysis, place)] or None


async def incoming(
    session: Session, params: types.CallHierarchyIncomingCallsParams
) -> list[Json] | None:
    """Finds the calls of a function, in all modules that it is linked with.

    For an instruction, those that its values come from are returned.
    """
    if _is_instruction(params.item):
        return await _flow(session, params.item, "from", value_flow.sources)
    asked = await _asked(session, params.item)
    if asked is None:
        return None
    opened, declared = asked
    calls = await _incoming(session, opened, declared)
    async for other, joined in cross_file.counterparts(session, opened, declared.symbol):
        calls += await _incoming(session, other, joined)
    return calls


async def _incoming(session: Session, opened: OpenDocument, declared: LocatedSymbol) -> list[Json]:
    """Returns the calls of a function in one document."""
    analysis = Analysis(opened.document)
    revision = opened.revision
    places = await find(session, opened, sought(analysis, declared, declared.symbol.name))
    for alias in feature.other_names(analysis, declared, places):
        places += await find(session, opened, sought(analysis, alias, alias.symbol.name))
    for table in feature.tables(analysis, places):
        places += await find(session, opened, sought(analysis, table, table.symbol.name))
    prototypes: list[int] = []
    if feature.is_address_taken(analysis, places):
        lines = opened.document.lines
        prototypes = await session.run(lambda stop: feature.prototype_lines(lines, stop))
    if opened.revision != revision:
        raise JsonRpcContentModified("the document has changed")
    found = feature.incoming(Analysis(opened.document), declared, places, prototypes)
    return [
        {"from": _item(opened, call.function), "fromRanges": _ranges(opened, call)}
        for call in found
    ]


async def outgoing(
    session: Session, params: types.CallHierarchyOutgoingCallsParams
) -> list[Json] | None:
    """Finds the functions that a function calls, each placed where it is defined.

    For an instruction, those that may read its results are returned.
    """
    if _is_instruction(params.item):
        return await _flow(session, params.item, "to", value_flow.readers)
    asked = await _asked(session, params.item)
    if asked is None:
        return None
    opened, declared = asked
    found = feature.outgoing(Analysis(opened.document), declared)
    ranges = [_ranges(opened, call) for call in found]  # before the document can be edited
    return [
        {"to": await _defined(session, opened, call.function), "fromRanges": places}
        for call, places in zip(found, ranges, strict=True)
    ]


def _is_instruction(item: types.CallHierarchyItem) -> bool:
    return item.data == _FLOW


async def _flow(
    session: Session,
    item: types.CallHierarchyItem,
    other: str,
    find: Callable[[Analysis, Position], list[value_flow.FlowStep]],
) -> list[Json] | None:
    """Returns the instructions on one side of that of an item, which may have moved."""
    opened = session.get(item.uri)
    if opened is None:
        return None
    await session.wait(item.uri)
    analysis = Analysis(opened.document)
    start = from_lsp.position(opened, item.selection_range.start)
    place = value_flow.found_again(analysis, start, item.name)
    if place is None:
        return None
    return [
        {
            other: _instruction(opened, step.statement),
            "fromRanges": [to_lsp.json_range(opened, each) for each in step.places],
        }
        for step in find(analysis, place)
    ]


def _instruction(opened: OpenDocument, found: value_flow.FlowStatement) -> Json:
    return {
        "name": found.text,
        "kind": types.SymbolKind.Variable.value,
        "detail": f"line {found.range.start.line + 1}",
        "uri": opened.uri,
        "range": to_lsp.json_range(opened, found.range),
        "selectionRange": to_lsp.json_range(opened, found.selection),
        "data": _FLOW,
    }


async def _asked(
    session: Session, item: types.CallHierarchyItem
) -> tuple[OpenDocument, LocatedSymbol] | None:
    """Returns the function of an item, found by its name as it may have moved."""
    opened = await cross_file.document(session, item.uri)
    if opened is None:
        return None
    declared = feature.named(Analysis(opened.document), item.name)
    return (opened, declared) if declared is not None else None


async def _defined(session: Session, opened: OpenDocument, function: ModuleSymbol) -> Json:
    """Returns a function placed at its definition, if a module of the workspace has one."""
    own = _item(opened, function)
    declared = feature.named(Analysis(opened.document), function.name)
    if declared is None:
        return own
    for found in await cross_file.definitions(session, opened, declared.symbol):
        return {
            "name": function.name,
            "kind": types.SymbolKind.Function.value,
            "detail": found.symbol.detail,
            "uri": found.uri,
            "range": json_range(found.range),
            "selectionRange": json_range(found.selection),
        }
    return own


def _item(opened: OpenDocument, function: ModuleSymbol) -> Json:
    return {
        "name": function.name,
        "kind": types.SymbolKind.Function.value,
        "detail": function.detail,
        "uri": opened.uri,
        "range": to_lsp.json_range(opened, function.range),
        "selectionRange": to_lsp.json_range(opened, function.selection),
    }


def _ranges(opened: OpenDocument, call: feature.CallSite) -> list[Json]:
    return [to_lsp.json_range(opened, place) for place in call.places]
