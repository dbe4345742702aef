"""Refusals: a request that is in order, but cannot be done, with a reason for the user."""

from __future__ import annotations

from lsprotocol.types import LSPErrorCodes
from pygls.exceptions import JsonRpcException


class RequestFailedError(JsonRpcException):
    """What was asked for cannot be done; the message says why."""

    CODE = LSPErrorCodes.RequestFailed.value
