"""Navigation to the definitions, declarations and uses of names."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from pygls.capabilities import get_capability

from ptx_ls.features.navigation import goto
from ptx_ls.features.navigation.goto_source import SourcePlace, source_place
from ptx_ls.features.navigation.linkage import linked_at
from ptx_ls.features.navigation.references import search, shown
from ptx_ls.semantics.analysis import Analysis
from ptx_ls.semantics.symbols.references.name_search import Sought
from ptx_ls.semantics.symbols.references.occurrences import sought
from ptx_ls.server.documents import from_lsp, to_lsp
from ptx_ls.server.documents.occurrences import find, find_label
from ptx_ls.server.workspace import cross_file, source_paths
from ptx_ls.server.workspace.index import json_range
from ptx_ls.source import uris

if TYPE_CHECKING:
    from collections.abc import Callable

    from lsprotocol import types

    from ptx_ls.features.navigation.goto import DefinitionLink
    from ptx_ls.server.documents.open_documents import OpenDocument
    from ptx_ls.server.session import Session
    from ptx_ls.source import Position

    Find = Callable[[Analysis, Position], list[DefinitionLink]]
    Json = dict[str, Any]
    _Asked = types.DeclarationParams | types.TypeDefinitionParams | types.ImplementationParams


async def definition(
    session: Session, opened: OpenDocument, params: types.DefinitionParams
) -> list[Json]:
    """Finds the definition of the name at a position, in another module if necessary.

    For a `.loc`, this is the source line that it names.
    """
    analysis, place = Analysis(opened.document), from_lsp.position(opened, params.position)
    source = source_place(analysis, place)
    if source is not None:
        return _source(session, opened, source)
    found = goto.definition(analysis, place) or await find_label(session, opened, place)
    return await _elsewhere(session, opened, "definition", place) or _links(
        session, opened, "definition", found
    )


def declaration(
    session: Session, opened: OpenDocument, params: types.DeclarationParams
) -> list[Json]:
    """Finds where the name at a position is declared."""
    return _go(session, opened, params, "declaration", goto.declaration)


def type_definition(
    session: Session, opened: OpenDocument, params: types.TypeDefinitionParams
) -> list[Json]:
    """Finds the declaration that gives the name at a position its type."""
    return _go(session, opened, params, "type_definition", goto.type_definition)


async def implementation(
    session: Session, opened: OpenDocument, params: types.ImplementationParams
) -> list[Json]:
    """Finds the body of the function at a position, in any module."""
    found = _go(session, opened, params, "implementation", goto.implementation)
    if found:
        return found
    place = from_lsp.position(opened, params.position)
    return await _elsewhere(session, opened, "implementation", place)


async def references(
    session: Session, opened: OpenDocument, params: types.ReferenceParams
) -> list[Json]:
    """Finds the uses of the symbol at a position, in all modules that it is linked with."""
    wanted = search(Analysis(opened.document), from_lsp.position(opened, params.position))
    if wanted is None:
        return []
    declaration = params.context.include_declaration
    result = await _references(session, opened, wanted, declaration=declaration)
    if wanted.is_module:
        symbol = wanted.declared.symbol
        async for other, declared in cross_file.counterparts(session, opened, symbol):
            wanted = sought(Analysis(other.document), declared, symbol.name)
            result += await _references(session, other, wanted, declaration=declaration)
    return result


async def _references(
    session: Session, opened: OpenDocument, wanted: Sought, *, declaration: bool
) -> list[Json]:
    found = await find(session, opened, wanted)
    places = shown(wanted, found, include_declaration=declaration)
    return [{"uri": opened.uri, "range": to_lsp.json_range(opened, place)} for place in places]


async def _elsewhere(
    session: Session, opened: OpenDocument, feature: str, place: Position
) -> list[Json]:
    """Returns the definitions, in other modules, of a name that this module only declares."""
    linked = linked_at(Analysis(opened.document), place)
    if linked is None:
        return []
    origin, declared = linked
    return [
        _link(session, feature, to_lsp.json_range(opened, origin),
              it.uri, json_range(it.statement), json_range(it.selection))
        for it in await cross_file.definitions(session, opened, declared.symbol)
    ]  # fmt: skip


def _go(
    session: Session, opened: OpenDocument, params: _Asked, feature: str, find_links: Find
) -> list[Json]:
    place = from_lsp.position(opened, params.position)
    return _links(session, opened, feature, find_links(Analysis(opened.document), place))


def _links(
    session: Session, opened: OpenDocument, feature: str, found: list[DefinitionLink]
) -> list[Json]:
    return [
        _link(session, feature, to_lsp.json_range(opened, it.origin), opened.uri,
              to_lsp.json_range(opened, it.target), to_lsp.json_range(opened, it.selection))
        for it in found
    ]  # fmt: skip


def _link(
    session: Session, feature: str, origin: Json, uri: str, target: Json, selection: Json
) -> Json:
    """Returns a link to a place, or a location if the client does not support links."""
    able = f"text_document.{feature}.link_support"
    if get_capability(session.capabilities, able) is not True:
        return {"uri": uri, "range": selection}
    return {
        "originSelectionRange": origin,
        "targetUri": uri,
        "targetRange": target,
        "targetSelectionRange": selection,
    }


def _source(session: Session, opened: OpenDocument, place: SourcePlace) -> list[Json]:
    """Returns a place in a source file, or the `.file` directive if the file is not found."""
    path = source_paths.find(session, opened.uri, place.name)
    if path is None:
        if place.directive is None:
            return []
        link = goto.DefinitionLink(place.origin, place.directive, place.directive)
        return _links(session, opened, "definition", [link])
    start = {"line": place.line, "character": place.column}
    area = {"start": start, "end": start}
    origin = to_lsp.json_range(opened, place.origin)
    return [_link(session, "definition", origin, uris.from_path(path), area, area)]
