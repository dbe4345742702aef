"""The error of a valid request that cannot be fulfilled."""

from __future__ import annotations

from lsprotocol.types import LSPErrorCodes
from pygls.exceptions import JsonRpcException


class RequestFailedError(JsonRpcException):
    """Raised if a valid request cannot be fulfilled; the message says why."""

    CODE = LSPErrorCodes.RequestFailed.value
