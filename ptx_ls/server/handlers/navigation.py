"""Where names are declared and used."""

from __future__ import annotations

from typing import TYPE_CHECKING

from lsprotocol import types

from ptx_ls.features.goto import definition as find_definition
from ptx_ls.features.references import references as find_references
from ptx_ls.semantics.analysis import Analysis
from ptx_ls.server import from_lsp, to_lsp

if TYPE_CHECKING:
    from ptx_ls.server.session import Session


def definition(session: Session, params: types.DefinitionParams) -> list[types.Location]:
    """Finds where what is at a position is declared."""
    opened = session.get(params.text_document.uri)
    if opened is None:
        return []
    place = from_lsp.position(opened, params.position)
    return to_lsp.locations(opened, find_definition(Analysis(opened.document), place))


def references(session: Session, params: types.ReferenceParams) -> list[types.Location]:
    """Finds where what is at a position is used."""
    opened = session.get(params.text_document.uri)
    if opened is None:
        return []
    place = from_lsp.position(opened, params.position)
    found = find_references(
        Analysis(opened.document), place, include_declaration=params.context.include_declaration
    )
    return to_lsp.locations(opened, found)
