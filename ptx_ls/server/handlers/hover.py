"""Hovers."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ptx_ls.features.hover import hover as find_hover
from ptx_ls.semantics.analysis import Analysis
from ptx_ls.server import from_lsp, to_lsp

if TYPE_CHECKING:
    from lsprotocol import types

    from ptx_ls.server.session import Session


def hover(session: Session, params: types.HoverParams) -> types.Hover | None:
    """Explains what is at a position."""
    opened = session.get(params.text_document.uri)
    if opened is None:
        return None
    found = find_hover(Analysis(opened.document), from_lsp.position(opened, params.position))
    return to_lsp.hover(opened, found) if found else None
