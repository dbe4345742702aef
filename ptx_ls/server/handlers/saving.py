"""Work that follows when a document is saved."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from lsprotocol import types

    from ptx_ls.server.documents.open_documents import OpenDocument
    from ptx_ls.server.session import Session


def did_save(
    session: Session, opened: OpenDocument, _params: types.DidSaveTextDocumentParams
) -> None:
    """Indexes the file, and runs ptxas on the document if the user wants that."""
    session.files.released(opened.uri)
    session.ptxas.saved(opened)
