"""Answers `initialize` without the modules that can handle other messages."""

from __future__ import annotations

import json
from typing import Any

from ptx_ls.server.capabilities import initialize_result
from ptx_ls.server.client_state import settings
from ptx_ls.server.client_state.abilities import ClientAbilities
from ptx_ls.server.client_state.parent_process import watched
from ptx_ls.server.protocol.decoding import decoded
from ptx_ls.server.protocol.framing import framed
from ptx_ls.server.protocol.initialize_fields import PARAMETERS
from ptx_ls.server.protocol.messages import VERSION, is_deep, is_id
from ptx_ls.server.protocol.validity import is_valid


def answer(body: bytearray) -> bytes | None:
    """Returns the response to `initialize`, with its header.

    Returns None if the message is another one, if a part of it is invalid, or if the client gets
    other messages before the response: about wrong settings, or a trace.
    """
    try:
        message = decoded(body)
    except (ValueError, RecursionError):
        return None
    if not isinstance(message, dict) or message.get("jsonrpc") != VERSION:
        return None
    message_id = message.get("id")
    params: Any = message.get("params")
    if message.get("method") != "initialize" or not is_id(message_id):
        return None
    if is_deep(message) or not is_valid(params, PARAMETERS):
        return None
    if params.get("trace") not in (None, "off"):
        return None
    _, options = settings.split(params.get("initializationOptions"))
    used, problems = settings.read(options)
    if problems:
        return None
    if params.get("processId") is not None:
        watched(params["processId"])  # it may end before the server is loaded
    result = initialize_result(ClientAbilities.of_json(params["capabilities"]), [used])
    response = {"jsonrpc": VERSION, "id": message_id, "result": result}
    return framed(json.dumps(response).encode())
