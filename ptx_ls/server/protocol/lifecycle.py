"""The lifecycle of a session, from `initialize` to `exit`: which messages are allowed when."""

from __future__ import annotations

from typing import TYPE_CHECKING

from lsprotocol import types
from pygls.exceptions import JsonRpcInvalidRequest, JsonRpcServerNotInitialized

if TYPE_CHECKING:
    from collections.abc import Callable


class Lifecycle:
    """The state of one session. Calls `on_end` with the exit code when the session should end.

    Attributes:
        is_initialized: whether the client has sent a valid `initialize`.
        is_shut_down: whether the client has asked to shut down.
    """

    def __init__(self, on_end: Callable[[int], None]) -> None:
        self.end = on_end
        self.is_initialized = False
        self.is_shut_down = False

    def check_request(self, method: str) -> None:
        """Checks that a request is allowed now.

        Raises:
            JsonRpcInvalidRequest: after `shutdown`, or if `initialize` is repeated.
            JsonRpcServerNotInitialized: before `initialize`.
        """
        if self.is_shut_down:
            raise JsonRpcInvalidRequest("the server is shutting down")
        if method == types.INITIALIZE and self.is_initialized:
            raise JsonRpcInvalidRequest("the server is already initialized")
        if method != types.INITIALIZE and not self.is_initialized:
            raise JsonRpcServerNotInitialized("the first request must be `initialize`")

    def takes_notification(self, method: str) -> bool:
        """Whether a notification is allowed now; others are dropped, as LSP requires."""
        return method == types.EXIT or (self.is_initialized and not self.is_shut_down)

    def exit(self) -> None:
        """Ends the session because the client sent `exit`, or closed the connection."""
        self.end(0 if self.is_shut_down else 1)
