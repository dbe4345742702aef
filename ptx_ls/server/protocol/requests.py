"""Pending requests: those of the client and those of the server."""

from __future__ import annotations

import logging
from concurrent.futures import Future
from itertools import count
from typing import TYPE_CHECKING, Any, Final

from lsprotocol import types
from pygls.exceptions import JsonRpcException

from ptx_ls.server.protocol.converter import wording
from ptx_ls.server.protocol.messages import Message, is_id

if TYPE_CHECKING:
    import asyncio

    from ptx_ls.server.protocol.converter import MessageConverter
    from ptx_ls.server.protocol.sender import Sender

_log = logging.getLogger(__name__)

_ID: Final = "ptx-ls-{}"
"""The format of the ids of the server's requests, unlike the numbers that clients use."""


class ReceivedRequests:
    """The requests of the client that are running as tasks."""

    def __init__(self) -> None:
        self._tasks: dict[int | str, asyncio.Task[Any]] = {}

    def __contains__(self, message_id: object) -> bool:
        return message_id in self._tasks

    def __len__(self) -> int:
        return len(self._tasks)

    def add(self, message_id: int | str, task: asyncio.Task[Any]) -> None:
        """Adds a request."""
        self._tasks[message_id] = task

    def remove(self, message_id: int | str) -> None:
        """Removes a request whose task has ended."""
        del self._tasks[message_id]

    def cancel(self, message_id: int | str) -> None:
        """Cancels a request, unless it has already been answered."""
        task = self._tasks.get(message_id)
        if task is not None:
            _cancel(task)

    def cancel_all(self) -> None:
        """Cancels every request."""
        for task in self._tasks.values():
            _cancel(task)


def _cancel(task: asyncio.Task[Any]) -> None:
    if not task.cancelling():  # else it is cleaning up, which another cancel would interrupt
        task.cancel()


class SentRequests:
    """The requests of the server to the client that have no response yet."""

    def __init__(self, sender: Sender, converter: MessageConverter) -> None:
        self._sender, self._codec = sender, converter
        self._numbers = count(1)
        self._waiting: dict[int | str, tuple[str, Future[Any]]] = {}

    def send(self, method: str, params: object = None) -> Future[Any]:
        """Sends a request; returns a future for its result, which may raise JsonRpcException.

        The callbacks of the future are called before the next message is handled.
        """
        message_id, future = _ID.format(next(self._numbers)), Future[Any]()
        self._waiting[message_id] = method, future
        self._sender.request(message_id, method, params)
        return future

    def receive(self, message: Message) -> None:
        """Handles a response of the client."""
        message_id = message.get("id")
        if not is_id(message_id) or message_id not in self._waiting:
            _log.warning("ignored an answer to an unknown request: %.99r", message_id)
            return
        method, future = self._waiting.pop(message_id)
        if future.cancelled():
            return
        try:
            if message.get("error") is not None:
                future.set_exception(self._codec.error(message))
            else:
                future.set_result(self._codec.result(method, message))
        except Exception as error:  # noqa: BLE001  # whatever a client may answer
            words = wording(error)
            _log.warning("response %r is invalid: %s", message_id, words)
            code = types.LSPErrorCodes.RequestFailed.value
            future.set_exception(JsonRpcException(words, code))

    def cancel_all(self) -> None:
        """Stops waiting for responses; later ones are dropped."""
        for _, future in list(self._waiting.values()):
            future.cancel()
