"""What the editor asks: each function converts, calls a feature, and converts back."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from lsprotocol import types

from ptx_ls.features.completion import completions, resolve
from ptx_ls.features.goto import definition as find_definition
from ptx_ls.features.hover import hover as find_hover
from ptx_ls.features.references import references as find_references
from ptx_ls.semantics.analysis import Analysis
from ptx_ls.server import from_lsp, to_lsp

if TYPE_CHECKING:
    from ptx_ls.server.session import Session


def hover(session: Session, params: types.HoverParams) -> types.Hover | None:
    """Explains what is at a position."""
    opened = session.get(params.text_document.uri)
    if opened is None:
        return None
    found = find_hover(Analysis(opened.document), from_lsp.position(opened, params.position))
    return to_lsp.hover(opened, found) if found else None


def completion(session: Session, params: types.CompletionParams) -> dict[str, Any] | None:
    """Proposes what may be written at a position."""
    opened = session.get(params.text_document.uri)
    if opened is None:
        return None
    found = completions(Analysis(opened.document), from_lsp.position(opened, params.position))
    return to_lsp.completions(opened, found, may_share_range=session.may_share_range)


def resolve_completion(_session: Session, item: types.CompletionItem) -> types.CompletionItem:
    """Adds the documentation of a proposal that the user looks at."""
    documentation = resolve(item.data)
    if documentation is not None:
        item.documentation = to_lsp.markdown(documentation)
    return item


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
