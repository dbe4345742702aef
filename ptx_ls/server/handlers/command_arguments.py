"""Finds the document that an argument of a command names."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ptx_ls.server.protocol.errors import RequestFailedError

if TYPE_CHECKING:
    from ptx_ls.server.documents.open_documents import OpenDocument
    from ptx_ls.server.session import Session


def opened_document(session: Session, uri: str) -> OpenDocument:
    """Returns the open document with a URI.

    Raises:
        RequestFailedError: if there is none.
    """
    opened = session.get(uri)
    if opened is None:
        raise RequestFailedError(f"`{uri}` is not open")
    return opened
