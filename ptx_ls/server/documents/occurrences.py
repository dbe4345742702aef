"""Finds all places that refer to a symbol, and labels that debug data names, on a thread."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ptx_ls.features.navigation.goto_label import label_at, label_links
from ptx_ls.features.navigation.references import shown
from ptx_ls.features.rename.rename import check, replacements
from ptx_ls.semantics.analysis import Analysis
from ptx_ls.semantics.symbols.references.occurrences import places
from ptx_ls.server.scheduling.answers import answered_once

if TYPE_CHECKING:
    from ptx_ls.features.navigation.goto import DefinitionLink
    from ptx_ls.features.rename.rename import Renamable, Replacement
    from ptx_ls.semantics.symbols.references.name_search import Sought
    from ptx_ls.server.documents.open_documents import OpenDocument
    from ptx_ls.server.session import Session
    from ptx_ls.source import Position, Range


async def find(session: Session, opened: OpenDocument, wanted: Sought) -> list[Range]:
    """Returns all places of a document that refer to a symbol, in order.

    Raises:
        JsonRpcContentModified: if the document changes during the search.
    """
    return await answered_once(
        session, opened, lambda text: places(Analysis(text.document), wanted)
    )


async def renamed(
    session: Session, opened: OpenDocument, asked: Renamable, new: str
) -> list[Replacement]:
    """Returns the replacements that rename a symbol in a document.

    Raises:
        JsonRpcContentModified: if the document changes during the search.
        RefusalError: if the name cannot become `new` there.
    """
    found = await find(session, opened, asked.wanted)
    listed = shown(asked.wanted, found, include_declaration=True)
    analysis = Analysis(opened.document)
    check(analysis, asked, new, listed)
    return list(replacements(analysis, asked, new, listed))


async def find_label(
    session: Session, opened: OpenDocument, place: Position
) -> list[DefinitionLink]:
    """Returns the labels of all functions that have the name at a place in debug data.

    Raises:
        JsonRpcContentModified: if the document changes during the search.
    """
    name = label_at(Analysis(opened.document), place)
    if not name:
        return []
    return await answered_once(
        session, opened, lambda text: label_links(Analysis(text.document), place)
    )
