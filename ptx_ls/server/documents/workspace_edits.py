"""Edits of documents in the form that the client takes."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from pygls.capabilities import get_capability

from ptx_ls.server.documents import to_lsp
from ptx_ls.server.scheduling.answers import answered_once

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from ptx_ls.server.documents.open_documents import OpenDocument
    from ptx_ls.server.session import Session
    from ptx_ls.source import TextEdit

    Json = dict[str, Any]

_ANNOTATION: Final = "linked"
_MAX_EDITS_WITHOUT_THREAD: Final = 1000
"""Maximum number of edits that are converted on the loop: waking a thread takes longer."""


async def written(session: Session, opened: OpenDocument, edits: Sequence[TextEdit]) -> Json:
    """Does the same as `workspace_edit`, but converts many edits on a thread.

    Raises:
        JsonRpcContentModified: if the document changes during the conversion.
    """
    if len(edits) <= _MAX_EDITS_WITHOUT_THREAD:
        return workspace_edit(session, opened, edits)
    return await answered_once(session, opened, lambda _: workspace_edit(session, opened, edits))


def workspace_edit(session: Session, opened: OpenDocument, edits: Iterable[TextEdit]) -> Json:
    """Returns the edits of one document as JSON."""
    found = [
        {"range": to_lsp.json_range(opened, edit.range), "newText": edit.new_text} for edit in edits
    ]
    return of_documents(session, [(opened, found)])


def of_documents(
    session: Session, changed: Sequence[tuple[OpenDocument, list[Json]]], warning: str = ""
) -> Json:
    """Returns edits in the client's format; with a warning, the client asks the user first.

    They name the document version if the client supports that, so that none is applied late.
    Files that are not open have no version.
    """
    able = session.capabilities
    if get_capability(able, "workspace.workspace_edit.document_changes") is not True:
        return {"changes": {opened.uri: edits for opened, edits in changed}}
    result: Json = {}
    annotation: Json = {}
    annotations = get_capability(able, "workspace.workspace_edit.change_annotation_support")
    if warning and annotations is not None:
        annotation = {"annotationId": _ANNOTATION}
        result["changeAnnotations"] = {
            _ANNOTATION: {"label": "Rename", "description": warning, "needsConfirmation": True}
        }
    result["documentChanges"] = [
        {
            "textDocument": {
                "uri": opened.uri,
                "version": opened.version if session.get(opened.uri) is opened else None,
            },
            "edits": [{**edit, **annotation} for edit in edits] if annotation else edits,
        }
        for opened, edits in changed
    ]
    return result
