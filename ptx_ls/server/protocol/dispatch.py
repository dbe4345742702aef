"""Calls the handlers of messages, and answers each request exactly once.

A handler runs immediately, on the event loop. If it returns a coroutine, that runs as a task, which
`$/cancelRequest` can cancel; long work runs on a thread, for which the coroutine waits.
Errors have the codes of the specification and no Python traceback. An invalid message is logged,
but not shown to the user.
"""

from __future__ import annotations

import asyncio
import logging
from functools import partial
from typing import TYPE_CHECKING, Any, Final

from lsprotocol import types
from pygls.exceptions import (
    JsonRpcException,
    JsonRpcInternalError,
    JsonRpcInvalidRequest,
    JsonRpcMethodNotFound,
    JsonRpcRequestCancelled,
)

from ptx_ls.server.protocol.converter import is_request
from ptx_ls.server.protocol.encoding import Encoded
from ptx_ls.server.protocol.messages import Message, is_id
from ptx_ls.server.protocol.requests import ReceivedRequests

if TYPE_CHECKING:
    from ptx_ls.server.protocol.converter import MessageConverter
    from ptx_ls.server.protocol.features import Features, Handler
    from ptx_ls.server.protocol.lifecycle import Lifecycle
    from ptx_ls.server.protocol.sender import Sender
    from ptx_ls.server.protocol.trace import Tracer
    from ptx_ls.server.protocol.work_done import WorkDone

_log = logging.getLogger(__name__)

_CANCELLED: Final = JsonRpcRequestCancelled("cancelled")


class Dispatcher:
    """Dispatches the requests and notifications of one session.

    Attributes:
        requests: the requests that are running as tasks.
    """

    def __init__(  # the parts of a connection
        self,
        features: Features,
        converter: MessageConverter,
        lifecycle: Lifecycle,
        sender: Sender,
        tracer: Tracer,
        work_done: WorkDone,
    ) -> None:
        self._features, self._codec, self._lifecycle = features, converter, lifecycle
        self._sender, self._tracer, self._work_done = sender, tracer, work_done
        self._tasks: set[asyncio.Future[Any]] = set()  # of notifications
        self.requests = ReceivedRequests()

    def request(self, message: Message) -> None:
        """Handles a request."""
        message_id, method = message["id"], message["method"]
        try:
            handler = self._handler(message_id, method)
            params = self._codec.params(message)
        except JsonRpcException as error:
            self.refuse(message_id, error)
            return
        if method == types.INITIALIZE:
            self._lifecycle.is_initialized = True
            self._tracer.level = params.trace or types.TraceValue.Off
        self._tracer.received(message)
        self._work_done.begin(message_id, method, params)
        try:
            result = handler(params)
        except Exception as error:  # noqa: BLE001  # whatever a handler may raise
            self._fail(message_id, error)
            return
        if asyncio.iscoroutine(result):
            task = asyncio.ensure_future(result)
            self.requests.add(message_id, task)
            task.add_done_callback(partial(self._end, message_id))
        else:
            self._answer(message_id, result)

    def _handler(self, message_id: object, method: object) -> Handler:
        """Returns the handler of a request.

        Raises:
            JsonRpcException: if the request is invalid, or not allowed now.
        """
        if not is_id(message_id) or not isinstance(method, str):
            raise JsonRpcInvalidRequest(
                "expected a number or a string as id, and a string as method"
            )
        self._lifecycle.check_request(method)
        handler = self._features.handler(method)
        if message_id in self.requests:
            raise JsonRpcInvalidRequest("another request has this id")
        return handler

    def notification(self, message: Message) -> None:
        """Handles a notification."""
        method = message["method"]
        if not isinstance(method, str) or not self._lifecycle.takes_notification(method):
            _log.info("ignored notification %r", method)
            return
        if is_request(method):
            _log.warning("ignored %r without an id", method)
            return
        try:
            is_cancel = method == types.CANCEL_REQUEST
            handler = self._cancel if is_cancel else self._features.handler(method)
            params = self._codec.params(message)
        except JsonRpcMethodNotFound:
            _log.info("ignored unknown notification %r", method)
            return
        except JsonRpcException as error:
            _log.warning("ignored notification %r: %s", method, error)
            return
        self._tracer.received(message)
        try:
            result = handler(params)
        except Exception as error:  # noqa: BLE001  # whatever a handler may raise
            _log.error("a notification could not be handled", exc_info=error)
            return
        if asyncio.iscoroutine(result):
            task = asyncio.ensure_future(result)
            self._tasks.add(task)
            task.add_done_callback(self._end_notification)

    def _cancel(self, params: types.CancelParams) -> None:
        self.requests.cancel(params.id)

    def _end_notification(self, task: asyncio.Future[Any]) -> None:
        self._tasks.discard(task)
        if not task.cancelled() and task.exception() is not None:
            _log.error("a notification could not be handled", exc_info=task.exception())

    def refuse(self, message_id: object, error: JsonRpcException) -> None:
        """Answers a request with an error, without an id if it has none."""
        known_id = message_id if is_id(message_id) else None
        if known_id not in self.requests:  # else another request uses this id
            self._work_done.end(known_id, None)
        self._tracer.answered(known_id, lambda: f"Code: {error.code}", error.message)
        self._sender.error(known_id, error)

    def _end(self, message_id: int | str, task: asyncio.Future[Any]) -> None:
        self.requests.remove(message_id)
        error = _CANCELLED if task.cancelled() else task.exception()
        if error is None:
            self._answer(message_id, task.result())
        else:
            self._fail(message_id, error)

    def _answer(self, message_id: int | str, result: Any) -> None:  # noqa: ANN401
        try:
            result = self._work_done.end(message_id, result)
            self._tracer.answered(message_id, lambda: f"Result: {self._text(result)}")
            self._sender.result(message_id, result)
        except Exception as error:  # noqa: BLE001  # a result that cannot be written as JSON
            self._fail(message_id, error)

    def _text(self, result: object) -> str:
        return result.text if isinstance(result, Encoded) else self._codec.text(result, 4)

    def _fail(self, message_id: int | str, error: BaseException) -> None:
        if not isinstance(error, JsonRpcException):
            _log.error("request %r failed", message_id, exc_info=error)
            error = JsonRpcInternalError(f"internal error ({type(error).__name__}), see the log")
        self.refuse(message_id, error)

    def cancel_all(self) -> None:
        """Cancels all requests and notifications that are being handled."""
        self.requests.cancel_all()
        for task in self._tasks:
            task.cancel()
