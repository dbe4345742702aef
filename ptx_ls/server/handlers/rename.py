"""Renames symbols."""

from __future__ import annotations

from pathlib import PurePath
from typing import TYPE_CHECKING, Any

from ptx_ls.features.rename import rename as feature
from ptx_ls.semantics.analysis import Analysis
from ptx_ls.semantics.symbols.references.occurrences import sought
from ptx_ls.server.documents import from_lsp, to_lsp
from ptx_ls.server.documents.occurrences import renamed
from ptx_ls.server.documents.workspace_edits import of_documents
from ptx_ls.server.protocol.errors import RequestFailedError
from ptx_ls.server.workspace import cross_file
from ptx_ls.source import uris

if TYPE_CHECKING:
    from lsprotocol import types

    from ptx_ls.server.documents.open_documents import OpenDocument
    from ptx_ls.server.session import Session

    Json = dict[str, Any]


def prepare(
    _session: Session, opened: OpenDocument, params: types.PrepareRenameParams
) -> Json | None:
    """Returns the range and name to rename, or None.

    Raises:
        RequestFailedError: if the symbol cannot be renamed.
    """
    place = from_lsp.position(opened, params.position)
    try:
        asked = feature.prepare(Analysis(opened.document), place)
    except feature.RefusalError as error:
        raise RequestFailedError(str(error)) from error
    if asked is None:
        return None
    return {"range": to_lsp.json_range(opened, asked.range), "placeholder": asked.name}


async def rename(session: Session, opened: OpenDocument, params: types.RenameParams) -> Json | None:
    """Renames the symbol at a position, in all modules that it is linked with."""
    try:
        asked = feature.prepare(
            Analysis(opened.document), from_lsp.position(opened, params.position)
        )
        if asked is None:
            return None
        if params.new_name == asked.name:
            return {"changes": {}}
        changed = [(opened, await _edits(session, opened, asked, params.new_name))]
    except feature.RefusalError as error:
        raise RequestFailedError(str(error)) from error
    symbol = asked.wanted.declared.symbol
    if asked.wanted.is_module:
        async for other, declared in cross_file.counterparts(session, opened, symbol):
            wanted = sought(Analysis(other.document), declared, asked.name)
            there = feature.Renamable(declared.range, asked.name, wanted)
            try:
                changed.append((other, await _edits(session, other, there, params.new_name)))
            except feature.RefusalError as error:
                raise RequestFailedError(f"{_file_name(other)}: {error}") from error
    return of_documents(session, changed, feature.needs_confirmation(asked))


async def _edits(
    session: Session, opened: OpenDocument, asked: feature.Renamable, new: str
) -> list[Json]:
    """Returns the edits of one document; raises RefusalError as `renamed` does."""
    return [
        {"range": to_lsp.json_range(opened, each.range), "newText": each.text}
        for each in await renamed(session, opened, asked, new)
    ]


def _file_name(opened: OpenDocument) -> str:
    return PurePath(uris.to_path(opened.uri) or opened.uri).name
