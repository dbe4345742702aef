"""Edits of one document in the form that the client takes."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from pygls.capabilities import get_capability

from ptx_ls.server import to_lsp

if TYPE_CHECKING:
    from collections.abc import Iterable

    from ptx_ls.server.documents import OpenDocument
    from ptx_ls.server.session import Session
    from ptx_ls.source import TextEdit

    Json = dict[str, Any]


def workspace_edit(session: Session, opened: OpenDocument, edits: Iterable[TextEdit]) -> Json:
    """Edits as JSON: of the very version where the client can tell, so that none comes too late."""
    found = [
        {"range": to_lsp.json_range(opened, edit.range), "newText": edit.new_text} for edit in edits
    ]
    able = session.capabilities
    if get_capability(able, "workspace.workspace_edit.document_changes") is not True:
        return {"changes": {opened.uri: found}}
    identifier = {"uri": opened.uri, "version": opened.version}
    return {"documentChanges": [{"textDocument": identifier, "edits": found}]}
