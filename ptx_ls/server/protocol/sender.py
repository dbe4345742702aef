"""Sends messages to the client, and keeps them while the client is not reading."""

from __future__ import annotations

import logging
from collections import deque
from typing import TYPE_CHECKING, Any, Protocol

from ptx_ls.server.protocol.encoding import Encoded, with_field
from ptx_ls.server.protocol.framing import framed
from ptx_ls.server.protocol.messages import VERSION
from ptx_ls.source.printable import without_links

if TYPE_CHECKING:
    from collections.abc import Callable

    from pygls.exceptions import JsonRpcException

    from ptx_ls.server.protocol.back_pressure import BackPressure
    from ptx_ls.server.protocol.converter import MessageConverter

_log = logging.getLogger(__name__)


class Writer(Protocol):
    """Writes to the client."""

    def write(self, data: bytes, /) -> object:
        """Writes a whole message, now or later; keeps the order of the calls."""


class Sender:
    """Sends the messages of one session. Without a writer, they are dropped."""

    def __init__(self, converter: MessageConverter, pressure: BackPressure) -> None:
        self._codec, self._pressure = converter, pressure
        self._writer: Writer | None = None
        self._has_headers = True
        self._unsent: deque[Callable[[], str]] = deque()
        pressure.when_released(self._send_unsent)

    def set_writer(self, writer: Writer, *, has_headers: bool = True) -> None:
        """Sets the writer; `has_headers`: whether to send a `Content-Length` with each message."""
        self._writer, self._has_headers = writer, has_headers

    def close(self) -> None:
        """Drops all later messages."""
        self._writer = None
        self._unsent.clear()

    def notify(self, method: str, params: object) -> None:
        """Sends a notification; its parameters have the type of the method in lsprotocol."""
        self._send(lambda: self._codec.message(method, params))

    def notify_json(self, method: str, params: dict[str, Any] | Encoded) -> None:
        """Sends a notification; its parameters are JSON values, or encoded already."""
        self._send_field({"jsonrpc": VERSION, "method": method}, "params", params)

    def request(self, message_id: int | str, method: str, params: object) -> None:
        """Sends a request; its parameters have the type of the method in lsprotocol."""
        self._send(lambda: self._codec.message(method, params, id=message_id))

    def result(self, message_id: int | str, result: object) -> None:
        """Sends the result of a request.

        Raises:
            Exception: if it cannot be encoded as JSON; only logged if it has to be sent later.
        """
        self._send_field({"jsonrpc": VERSION, "id": message_id}, "result", result)

    def error(self, message_id: int | str | None, error: JsonRpcException) -> None:
        """Answers a request with an error; `message_id` is None if the request has no valid id."""
        fields = {"code": error.code, "message": without_links(error.message)}
        if error.data is not None:
            fields["data"] = error.data
        self._send_field({"jsonrpc": VERSION, "id": message_id}, "error", fields)

    def _send_field(self, message: dict[str, Any], key: str, value: object) -> None:
        if isinstance(value, Encoded):
            self._send(lambda: with_field(message, key, value).text)
        else:
            self._send(lambda: self._codec.text({**message, key: value}))

    def _send(self, encode: Callable[[], str]) -> None:
        """Encodes and sends a message, or keeps it for later if the client is not reading."""
        if self._writer is None:
            return
        if self._pressure.is_held:
            self._unsent.append(encode)
        else:
            self._write(self._writer, encode())

    def _send_unsent(self) -> None:
        """Sends the messages that were kept, as long as the client reads."""
        while self._writer is not None and self._unsent and not self._pressure.is_held:
            try:
                self._write(self._writer, self._unsent.popleft()())
            except Exception as error:  # noqa: BLE001  # one bad result must not block the others
                _log.error("a message could not be sent", exc_info=error)

    def _write(self, writer: Writer, body: str) -> None:
        data = body.encode()
        writer.write(framed(data) if self._has_headers else data)
