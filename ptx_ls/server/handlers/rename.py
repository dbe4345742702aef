"""Renaming, and editing all places of a local name at once."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from pygls.capabilities import get_capability

from ptx_ls.features import rename as feature
from ptx_ls.features.references import shown
from ptx_ls.semantics.analysis import Analysis
from ptx_ls.server import from_lsp, to_lsp
from ptx_ls.server.failures import RequestFailedError
from ptx_ls.server.finding import find

if TYPE_CHECKING:
    from lsprotocol import types

    from ptx_ls.server.documents import OpenDocument
    from ptx_ls.server.session import Session

    Json = dict[str, Any]

_ANNOTATION: Final = "linked"


def prepare(session: Session, params: types.PrepareRenameParams) -> Json | None:
    """Tells what would be renamed, or why it cannot be."""
    opened = session.get(params.text_document.uri)
    if opened is None:
        return None
    place = from_lsp.position(opened, params.position)
    try:
        asked = feature.prepare(Analysis(opened.document), place)
    except feature.RefusalError as error:
        raise RequestFailedError(str(error)) from error
    if asked is None:
        return None
    return {"range": to_lsp.json_range(opened, asked.range), "placeholder": asked.name}


async def rename(session: Session, params: types.RenameParams) -> Json | None:
    """Renames what is at a position."""
    opened = session.get(params.text_document.uri)
    if opened is None:
        return None
    analysis = Analysis(opened.document)
    try:
        asked = feature.prepare(analysis, from_lsp.position(opened, params.position))
        if asked is None:
            return None
        if params.new_name == asked.name:
            return {"changes": {}}
        found = await find(session, opened, asked.wanted)
        places = shown(asked.wanted, found, include_declaration=True)
        analysis = Analysis(opened.document)
        feature.check(analysis, asked, params.new_name, places)
    except feature.RefusalError as error:
        raise RequestFailedError(str(error)) from error
    edits = [
        {"range": to_lsp.json_range(opened, each.range), "newText": each.text}
        for each in feature.replacements(analysis, asked, params.new_name, places)
    ]
    return workspace_edit(session, opened, edits, feature.needs_confirmation(asked))


def workspace_edit(
    session: Session, opened: OpenDocument, edits: list[Json], warning: str = ""
) -> Json:
    """Edits of one document as the client takes them; with a warning it asks the user first."""
    able = session.capabilities
    if get_capability(able, "workspace.workspace_edit.document_changes") is not True:
        return {"changes": {opened.uri: edits}}
    result: Json = {}
    annotations = get_capability(able, "workspace.workspace_edit.change_annotation_support")
    if warning and annotations is not None:
        edits = [{**edit, "annotationId": _ANNOTATION} for edit in edits]
        result["changeAnnotations"] = {
            _ANNOTATION: {"label": "Rename", "description": warning, "needsConfirmation": True}
        }
    identifier = {"uri": opened.uri, "version": opened.version}
    result["documentChanges"] = [{"textDocument": identifier, "edits": edits}]
    return result
