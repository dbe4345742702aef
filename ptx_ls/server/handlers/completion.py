"""Completion and the documentation of its proposals."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from ptx_ls.features.completion import completions
from ptx_ls.features.completion import resolve as find_documentation
from ptx_ls.semantics.analysis import Analysis
from ptx_ls.server import from_lsp, to_lsp

if TYPE_CHECKING:
    from lsprotocol import types

    from ptx_ls.server.session import Session


def completion(session: Session, params: types.CompletionParams) -> dict[str, Any] | None:
    """Proposes what may be written at a position."""
    opened = session.get(params.text_document.uri)
    if opened is None:
        return None
    found = completions(Analysis(opened.document), from_lsp.position(opened, params.position))
    return to_lsp.completions(opened, found, may_share_range=session.may_share_range)


def resolve(_session: Session, item: types.CompletionItem) -> types.CompletionItem:
    """Adds the documentation of a proposal that the user looks at."""
    documentation = find_documentation(item.data)
    if documentation is not None:
        item.documentation = to_lsp.markdown(documentation)
    return item
