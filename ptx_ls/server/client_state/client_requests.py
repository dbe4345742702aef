"""Requests to the client: to apply an edit, and to show a place."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, Any

from lsprotocol import types
from pygls.capabilities import get_capability
from pygls.exceptions import JsonRpcException

from ptx_ls.server.protocol.errors import RequestFailedError

if TYPE_CHECKING:
    from ptx_ls.server.client_state.client import Client


async def apply_edit(client: Client, edit: dict[str, Any]) -> bool:
    """Asks the client to apply an edit; returns whether it did.

    Raises:
        RequestFailedError: if the client answers with an error.
    """
    connection = client.connection
    structured = connection.converter.structure(edit, types.WorkspaceEdit)
    asked = connection.request(
        types.WORKSPACE_APPLY_EDIT, types.ApplyWorkspaceEditParams(structured)
    )
    try:
        result: types.ApplyWorkspaceEditResult = await asyncio.wrap_future(asked)
    except JsonRpcException as error:
        raise RequestFailedError(f"the editor did not apply the edit: {error.message}") from error
    return result.applied


async def show_place(client: Client, uri: str, line: int, column: int) -> bool:
    """Asks the client to show a place; returns whether it did. Some clients cannot."""
    if get_capability(client.client_capabilities, "window.show_document.support") is not True:
        return False
    place = types.Position(line, column)
    params = types.ShowDocumentParams(uri, take_focus=True, selection=types.Range(place, place))
    asked = client.connection.request(types.WINDOW_SHOW_DOCUMENT, params)
    try:
        result: types.ShowDocumentResult = await asyncio.wrap_future(asked)
    except JsonRpcException:
        return False
    return result.success
