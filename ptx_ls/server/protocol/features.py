"""The methods that the server handles."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from pygls.exceptions import JsonRpcMethodNotFound

Handler = Callable[[Any], Any]
"""Takes the parameters of a message; returns the result, or a coroutine that returns it."""


class Features:
    """The handlers of one session, by method."""

    def __init__(self) -> None:
        self._handlers: dict[str, Handler] = {}

    def add(self, method: str, handler: Handler) -> None:
        """Adds the handler of a method."""
        self._handlers[method] = handler

    @property
    def methods(self) -> frozenset[str]:
        """All methods that have a handler."""
        return frozenset(self._handlers)

    def handler(self, method: str) -> Handler:
        """Returns the handler of a method.

        Raises:
            JsonRpcMethodNotFound: if it has none.
        """
        try:
            return self._handlers[method]
        except KeyError:
            raise JsonRpcMethodNotFound.of(method) from None
