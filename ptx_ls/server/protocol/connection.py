"""One session over JSON-RPC: messages from the client and messages to it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from lsprotocol import types
from pygls.exceptions import JsonRpcInvalidRequest, JsonRpcParseError

from ptx_ls.server.protocol.back_pressure import BackPressure
from ptx_ls.server.protocol.converter import MessageConverter
from ptx_ls.server.protocol.decoding import decoded
from ptx_ls.server.protocol.dispatch import Dispatcher
from ptx_ls.server.protocol.features import Features
from ptx_ls.server.protocol.framing import FramingError
from ptx_ls.server.protocol.lifecycle import Lifecycle
from ptx_ls.server.protocol.messages import VERSION
from ptx_ls.server.protocol.requests import SentRequests
from ptx_ls.server.protocol.sender import Sender
from ptx_ls.server.protocol.trace import Tracer
from ptx_ls.server.protocol.work_done import WorkDone

if TYPE_CHECKING:
    from collections.abc import Callable
    from concurrent.futures import Future


class Connection:
    """A session with one client.

    Attributes:
        features: the handlers of the methods; a server adds its own.
        sender: sends messages to the client.
        pressure: whether work is held because the client is not reading.
        converter: converts between JSON and lsprotocol's types.
        lifecycle: the state of the session.
        work_done: the requests whose progress the client shows.
    """

    def __init__(
        self,
        on_end: Callable[[int], None],
        on_message: Callable[[], None] = lambda: None,
        on_close: Callable[[], None] = lambda: None,
    ) -> None:
        """Starts a session.

        `on_end` is called with an exit code when the client ends the session, `on_message` before
        each message is handled, and `on_close` when the connection is closed.
        """
        self._on_message, self._on_close = on_message, on_close
        self.features = Features()
        self.pressure = BackPressure()
        self.converter = MessageConverter()
        self.lifecycle = Lifecycle(on_end)
        self.sender = Sender(self.converter, self.pressure)
        self._tracer = Tracer(self.sender.notify_json)
        self.work_done = WorkDone(self.sender.notify_json)
        self._sent = SentRequests(self.sender, self.converter)
        self._dispatcher = Dispatcher(
            self.features,
            self.converter,
            self.lifecycle,
            self.sender,
            self._tracer,
            self.work_done,
        )
        self.features.add(types.SHUTDOWN, self._shut_down)
        self.features.add(types.EXIT, lambda _params: self.lifecycle.exit())
        self.features.add(types.SET_TRACE, self._set_trace)

    # From the client

    def receive(self, body: bytes | bytearray | FramingError) -> None:
        """Handles one message, or responds to a framing error."""
        if isinstance(body, FramingError):
            self._dispatcher.refuse(None, JsonRpcParseError(str(body)))
            return
        self._on_message()
        try:
            message = decoded(body)
        except (ValueError, RecursionError) as error:
            self._dispatcher.refuse(None, JsonRpcParseError(f"not valid JSON: {error}"))
            return
        if not isinstance(message, dict) or message.get("jsonrpc") != VERSION:
            message_id = message.get("id") if isinstance(message, dict) else None
            invalid = JsonRpcInvalidRequest("expected a JSON-RPC 2.0 object")
            self._dispatcher.refuse(message_id, invalid)
        elif "method" not in message:
            self._sent.receive(message)
        elif "id" in message:
            self._dispatcher.request(message)
        else:
            self._dispatcher.notification(message)

    @property
    def is_answering(self) -> bool:
        """Whether the client waits for the response to a request."""
        return bool(self._dispatcher.requests)

    def _shut_down(self, _params: object) -> None:
        self._dispatcher.cancel_all()
        self._sent.cancel_all()
        self.lifecycle.is_shut_down = True

    def _set_trace(self, params: types.SetTraceParams) -> None:
        self._tracer.level = params.value

    # To the client

    def request(self, method: str, params: object = None) -> Future[Any]:
        """Sends a request; see `SentRequests.send`."""
        return self._sent.send(method, params)

    # The end

    def close(self) -> None:
        """Cancels all requests of both sides; nothing more is sent."""
        self.sender.close()
        self._dispatcher.cancel_all()
        self._sent.cancel_all()
        self._on_close()
