"""The declarations of a symbol in other documents of the workspace, open or not."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from ptx_ls.features.navigation.linkage import is_joined, linkage_of
from ptx_ls.semantics.analysis import Analysis
from ptx_ls.server.workspace.index import IndexedFile, IndexedSymbol, indexed_declared
from ptx_ls.source import uris
from ptx_ls.source.named_tuple import NamedTuple

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Iterable

    from ptx_ls.semantics.analysis import LocatedSymbol
    from ptx_ls.semantics.symbols.symbols import Symbol
    from ptx_ls.server.documents.open_documents import OpenDocument
    from ptx_ls.server.session import Session

_PATIENCE: Final = 5.0
"""Maximum number of seconds to wait for files that are still being read."""


class Counterpart(NamedTuple):
    """A linked symbol, and its document, which is read from the disk if it is not open."""

    opened: OpenDocument
    declared: LocatedSymbol


async def joined(session: Session, opened: OpenDocument, symbol: Symbol) -> list[IndexedSymbol]:
    """Returns the symbols of other documents that are linked with `symbol`, definitions first."""
    own = linkage_of(symbol)
    if own is None:
        return []
    found = [
        each
        for each in await _named(session, opened, symbol.name)
        if each.symbol.linkage is not None and is_joined(own, each.symbol.linkage)
    ]
    return sorted(found, key=lambda each: (not each.symbol.is_definition, each.uri))


async def definitions(
    session: Session, opened: OpenDocument, symbol: Symbol
) -> list[IndexedSymbol]:
    """Returns the definitions of a declared symbol: weak ones only if there is no strong one."""
    if symbol.is_definition:
        return []
    found = [each for each in await joined(session, opened, symbol) if each.symbol.is_definition]
    strong = [each for each in found if each.symbol.linkage and each.symbol.linkage.is_strong]
    return strong or found


async def counterparts(
    session: Session, opened: OpenDocument, symbol: Symbol
) -> AsyncIterator[Counterpart]:
    """Yields the symbols that a linker joins with `symbol`, each with its document."""
    for each in await joined(session, opened, symbol):
        other = await document(session, each.uri)
        declared = Analysis(other.document).module_symbol(symbol.name) if other else None
        if other is not None and declared is not None:
            yield Counterpart(other, declared)


async def document(session: Session, uri: str) -> OpenDocument | None:
    """Returns an open document, or a file of the workspace as if it were open."""
    opened = session.get(uri)
    path = uris.to_path(uri)
    if opened is not None or path is None:
        return opened
    return await session.files.load(path)


async def _named(session: Session, opened: OpenDocument, name: str) -> list[IndexedSymbol]:
    """Returns the symbols called `name`, one from each other document."""
    await session.files.ready(_PATIENCE)
    await session.files.freshen(_closed(session, opened, name))
    found = [
        _best(each for each in file.symbols if each.symbol.name == name)
        for file in _closed(session, opened, name)
    ]
    for other in session.documents:
        if uris.normalized(other.uri) != uris.normalized(opened.uri) and _is_module(other, opened):
            declared = Analysis(other.document).module_symbol(name)
            if declared is not None:
                found.append(indexed_declared(other, declared))
    return found


def _is_module(other: OpenDocument, opened: OpenDocument) -> bool:
    """Whether a document may be part of the same program as another.

    Editors also open old versions of files, and documents that are only for viewing.
    """
    schemes = "file", "untitled", opened.uri.partition(":")[0]
    return other.uri.partition(":")[0] in schemes


def _closed(session: Session, opened: OpenDocument, name: str) -> list[IndexedFile]:
    """Returns the closed files that have a symbol called `name`."""
    own = uris.normalized(opened.uri)
    files = session.files.index.declaring(name)
    return [file for file in files if file.uri != own and session.get(file.uri) is None]


def _best(symbols: Iterable[IndexedSymbol]) -> IndexedSymbol:
    return max(symbols, key=lambda each: each.symbol.is_definition)
