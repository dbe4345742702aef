"""Searches the symbols of all modules of the workspace."""

from __future__ import annotations

import heapq
from pathlib import PurePath
from typing import TYPE_CHECKING, Any, Final

from lsprotocol import types

from ptx_ls.features.structure.symbol_search import SymbolQuery
from ptx_ls.semantics.analysis import Analysis
from ptx_ls.semantics.demangle import demangled
from ptx_ls.semantics.symbols.symbols import SymbolKind
from ptx_ls.server.workspace.index import IndexedSymbol, indexed_declared, json_range
from ptx_ls.source import uris
from ptx_ls.source.named_tuple import NamedTuple

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

    from ptx_ls.server.documents.open_documents import OpenDocument
    from ptx_ls.server.session import Session

_MAX_SYMBOLS: Final = 200
_PATIENCE: Final = 2.0
"""Seconds to wait for files that are still being read."""
_KINDS: Final = {
    SymbolKind.KERNEL: types.SymbolKind.Function.value,
    SymbolKind.FUNCTION: types.SymbolKind.Function.value,
    SymbolKind.VARIABLE: types.SymbolKind.Variable.value,
}


class _Hit(NamedTuple):
    """A name that matches. In an open document, its symbol is looked up only if it is shown."""

    name: str
    order: tuple[int, bool, int, str, str]
    found: IndexedSymbol | OpenDocument


async def symbol(session: Session, params: types.WorkspaceSymbolParams) -> list[dict[str, Any]]:
    """Lists the kernels, functions and variables whose names match, the best matches first."""
    await session.files.ready(_PATIENCE)
    search = SymbolQuery(params.query)
    best = await _best(session, search)
    shown = {hit.found.uri for hit in best if isinstance(hit.found, IndexedSymbol)}
    if await session.files.freshen(file for file in session.files.index if file.uri in shown):
        best = await _best(session, search)
    sure = [hit for hit in map(_looked_up, best) if hit is not None]
    sure.sort(key=lambda hit: hit.order)  # definitions in open documents are known only now
    return [_converted(hit.found) for hit in sure if isinstance(hit.found, IndexedSymbol)]


async def _best(session: Session, search: SymbolQuery) -> list[_Hit]:
    """Returns the best matches in open documents and closed files."""
    closed = [file.symbols for file in session.files.index if session.get(file.uri) is None]
    names = [(opened, _names(opened)) for opened in session.documents]

    def work(should_stop: Callable[[], bool]) -> list[_Hit]:
        hits: list[_Hit] = []
        for symbols in closed:
            if should_stop():
                break
            hits += _in_file(search, symbols)
        for opened, declared in names:
            if should_stop():
                break
            hits += _in_document(search, opened, declared)
        return heapq.nsmallest(_MAX_SYMBOLS, hits, key=lambda hit: hit.order)

    return await session.run(work)


def _names(opened: OpenDocument) -> list[str]:
    found = Analysis(opened.document).module_names()
    return [*found.in_order(is_function=True), *found.in_order(is_function=False)]


def _in_file(search: SymbolQuery, symbols: Iterable[IndexedSymbol]) -> Iterator[_Hit]:
    for each in symbols:
        one = each.symbol
        rank = search.rank(one.name, one.readable)
        if rank is not None:
            order = rank, not one.is_definition, len(one.name), one.name, each.uri
            yield _Hit(one.name, order, each)


def _in_document(search: SymbolQuery, opened: OpenDocument, names: Iterable[str]) -> Iterator[_Hit]:
    for name in names:
        rank = search.rank(name, demangled(name) or "")
        if rank is not None:
            yield _Hit(name, (rank, False, len(name), name, opened.uri), opened)


def _looked_up(hit: _Hit) -> _Hit | None:
    if isinstance(hit.found, IndexedSymbol):
        return hit
    declared = Analysis(hit.found.document).module_symbol(hit.name)
    if declared is None or declared.symbol.kind not in _KINDS:
        return None
    found = indexed_declared(hit.found, declared)
    rank, _, length, name, uri = hit.order
    order = rank, not found.symbol.is_definition, length, name, uri
    return _Hit(hit.name, order, found)


def _converted(found: IndexedSymbol) -> dict[str, Any]:
    one = found.symbol
    return {
        "name": one.name,
        "kind": _KINDS[one.kind],
        "location": {"uri": found.uri, "range": json_range(found.selection)},
        # Editors show this, and also match it with the query.
        "containerName": one.readable or PurePath(uris.to_path(found.uri) or found.uri).name,
    }
