"""The methods that the server handles, and the capabilities that follow from them."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from lsprotocol import types
from pygls.capabilities import ServerCapabilitiesBuilder
from pygls.exceptions import JsonRpcMethodNotFound

if TYPE_CHECKING:
    from collections.abc import Sequence

Handler = Callable[[Any], Any]
"""Takes the parameters of a message; returns the result, or a coroutine that returns it."""


class Features:
    """The handlers of one session, by method."""

    def __init__(self) -> None:
        self._handlers: dict[str, Handler] = {}
        self._options: dict[str, object] = {}

    def add(self, method: str, handler: Handler, options: object = None) -> None:
        """Adds the handler of a method; `options`: the options of its server capability."""
        self._handlers[method] = handler
        if options is not None:
            self._options[method] = options

    def set_options(self, method: str, options: object) -> None:
        """Sets the options of a method's server capability."""
        self._options[method] = options

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

    def capabilities(
        self,
        able: types.ClientCapabilities,
        encoding: types.PositionEncodingKind | str,
        commands: Sequence[str],
    ) -> types.ServerCapabilities:
        """Returns the server capabilities for a client with the capabilities `able`."""
        builder = ServerCapabilitiesBuilder(
            able,
            set(self._handlers),
            self._options,
            list(commands),
            types.TextDocumentSyncKind.Incremental,
            position_encoding=encoding,
        )
        capabilities: types.ServerCapabilities = builder.build()  # type: ignore[no-untyped-call]
        return capabilities


def position_encoding(able: types.ClientCapabilities) -> types.PositionEncodingKind | str:
    """Returns the first position encoding in the client's list that is supported; else UTF-16."""
    return ServerCapabilitiesBuilder.choose_position_encoding(able)
