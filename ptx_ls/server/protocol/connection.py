"""JSON-RPC and the life of a session as LSP wants them, where pygls' own protocol does otherwise.

Every request gets exactly one answer, errors have the codes of the specification and no Python
traceback, and nothing that a client sends makes a message pop up in front of the user.
"""

from __future__ import annotations

import asyncio
import contextvars
import inspect
import json
import logging
from collections import deque
from concurrent.futures import Future
from functools import partial
from typing import TYPE_CHECKING, Any, Final

from lsprotocol import types
from pygls.exceptions import (
    JsonRpcException,
    JsonRpcInternalError,
    JsonRpcInvalidParams,
    JsonRpcInvalidRequest,
    JsonRpcMethodNotFound,
    JsonRpcParseError,
    JsonRpcRequestCancelled,
    JsonRpcServerNotInitialized,
)
from pygls.protocol import (
    JsonRPCNotification,
    JsonRPCRequestMessage,
    JsonRPCResponseMessage,
    LanguageServerProtocol,
    lsp_method,
)

from ptx_ls.server.collector import Pauses
from ptx_ls.server.protocol import tolerant_initialize
from ptx_ls.server.protocol.decoding import decoded
from ptx_ls.server.protocol.encoding import Encoded, with_field
from ptx_ls.server.protocol.messages import is_deep, is_id, is_request, wording
from ptx_ls.server.protocol.trace import Tracer
from ptx_ls.server.protocol.work_done import Shown
from ptx_ls.source.printable import without_links

if TYPE_CHECKING:
    from collections.abc import Callable, Generator

    from ptx_ls.server.language_server import PtxServer

_log = logging.getLogger(__name__)

# pygls would keep documents of its own for these, and rebuild them on every edit. Of commands it
# would check the arguments by the types of Python functions.
_NOT_OF_PYGLS = (
    types.WORKSPACE_EXECUTE_COMMAND,
    types.TEXT_DOCUMENT_DID_OPEN,
    types.TEXT_DOCUMENT_DID_CHANGE,
    types.TEXT_DOCUMENT_DID_CLOSE,
    types.NOTEBOOK_DOCUMENT_DID_OPEN,
    types.NOTEBOOK_DOCUMENT_DID_CHANGE,
    types.NOTEBOOK_DOCUMENT_DID_CLOSE,
)


_CANCELLED: Final = JsonRpcRequestCancelled("cancelled")


class PtxProtocol(LanguageServerProtocol):
    """One session with one client.

    Attributes:
        shown: the requests being answered that the client shows.
        pauses: for how long the client has been silent.
    """

    _server: PtxServer

    def _register_builtin_features(self) -> None:
        super()._register_builtin_features()  # type: ignore[no-untyped-call]
        for method in _NOT_OF_PYGLS:
            del self.fm.builtin_features[method]
        # lsprotocol takes anything for these; what is no key of a dictionary would be our fault.
        for kind in (types.ProgressToken, types.ProgressToken | None):
            self._converter.register_structure_hook(kind, _structure_name)
        self._is_initialized = False
        self._sending: set[asyncio.Future[Any]] = set()
        self._unsent: deque[Callable[[], str]] = deque()
        self._tracer = Tracer(self)
        # `_result_types` has what the server asked for itself.
        self.pauses = Pauses(lambda: bool(self._request_futures.keys() - self._result_types.keys()))
        self.shown = Shown(self.notify_json)

    @property
    def is_shut_down(self) -> bool:
        """Whether the client has asked to shut down."""
        return self._shutdown

    # From the client

    def receive(self, body: bytes | bytearray) -> None:
        """Handles one message."""
        self.pauses.end()
        try:
            message = decoded(body)
        except (ValueError, RecursionError) as error:
            self.refuse(None, JsonRpcParseError(f"not valid JSON: {error}"))
            return
        if not isinstance(message, dict) or message.get("jsonrpc") != self.VERSION:
            message_id = message.get("id") if isinstance(message, dict) else None
            self.refuse(message_id, JsonRpcInvalidRequest("expected a JSON-RPC 2.0 object"))
        elif "method" not in message:
            self._receive_response(message)
        elif "id" in message:
            contextvars.copy_context().run(self._receive_request, message)
        else:
            contextvars.copy_context().run(self._receive_notification, message)

    def _receive_request(self, message: dict[str, Any]) -> None:
        message_id, method = message["id"], message["method"]
        try:
            self._check_request(message_id, method)
            if message_id in self._request_futures:
                raise JsonRpcInvalidRequest("another request has this id")
            params = self._params(message, JsonRPCRequestMessage)
        except JsonRpcException as error:
            self.refuse(message_id, error)
            return
        if method == types.INITIALIZE:
            self._is_initialized = True
            self.trace = params.trace or types.TraceValue.Off
        self._tracer.received(message)
        self.shown.begin(message_id, method, params)
        self._handle_request(message_id, method, params)

    def _check_request(self, message_id: object, method: object) -> None:
        if not is_id(message_id) or not isinstance(method, str):
            raise JsonRpcInvalidRequest("expected a number or a string as id, a string as method")
        if self._shutdown:
            raise JsonRpcInvalidRequest("the server is shutting down")
        if method == types.INITIALIZE and self._is_initialized:
            raise JsonRpcInvalidRequest("the server is initialized already")
        if method != types.INITIALIZE and not self._is_initialized:
            raise JsonRpcServerNotInitialized("the first request has to be initialize")
        self._get_handler(method)

    def _receive_notification(self, message: dict[str, Any]) -> None:
        method = message["method"]
        is_expected = self._is_initialized and not self._shutdown
        if not isinstance(method, str) or not (is_expected or method == types.EXIT):
            _log.info("ignored notification %r", method)
            return
        if is_request(method):
            _log.warning("ignored %r without an id", method)
            return
        try:
            if method != types.CANCEL_REQUEST:
                self._get_handler(method)
            params = self._params(message, JsonRPCNotification)
        except JsonRpcMethodNotFound:
            _log.info("ignored unknown notification %r", method)
        except JsonRpcException as error:
            _log.warning("ignored notification %r: %s", method, error)
        else:
            self._tracer.received(message)
            self._handle_notification(method, params)

    def _receive_response(self, message: dict[str, Any]) -> None:
        message_id = message.get("id")
        if not is_id(message_id) or message_id not in self._result_types:
            _log.warning("ignored an answer to what was not asked: %.99r", message_id)
            return
        result_type = self._result_types.pop(message_id)
        if self._request_futures[message_id].cancelled():
            del self._request_futures[message_id]
            return
        try:
            if is_deep(message):
                raise ValueError("nested too deeply")  # noqa: TRY301  # as whatever else is wrong
            if message.get("error") is not None:
                error = self._converter.structure(message["error"], types.ResponseError)
                self._handle_response(message_id, None, error)
            else:
                kind = result_type or JsonRPCResponseMessage
                response = self._converter.structure({"result": None, **message}, kind)
                self._handle_response(message_id, response.result)
        except Exception as error:  # noqa: BLE001  # whatever a client may answer
            words = wording(error)
            _log.warning("response %r cannot be understood: %s", message_id, words)
            if message_id in self._request_futures:  # else who asked would wait for ever
                code = types.LSPErrorCodes.RequestFailed.value
                self._handle_response(message_id, None, types.ResponseError(code, words))

    def _handle_notification(self, method_name: str, params: Any) -> None:  # noqa: ANN401
        if method_name != types.TEXT_DOCUMENT_DID_CHANGE:
            super()._handle_notification(method_name, params)
            return
        try:  # it comes with every key, and pygls makes ready for handlers of all sorts
            self.fm.features[method_name](params)
        except Exception as error:  # noqa: BLE001  # as in `_check_handler_result`
            _log.error("a notification could not be handled", exc_info=error)

    def _handle_cancel_notification(self, msg_id: int | str) -> None:
        if msg_id not in self._result_types:  # what the server asks is not the client's to cancel
            super()._handle_cancel_notification(msg_id)

    def prepare(self, method: str) -> None:
        """Makes what converts the parameters of a method, which takes milliseconds."""
        kind = self.get_message_type(method)
        if kind is not None:
            self._converter.get_structure_hook(kind)

    def _params(self, message: dict[str, Any], fallback: type) -> Any:  # noqa: ANN401
        """Converts the parameters of a message into the type that its method has.

        Raises:
            JsonRpcInvalidParams: if they do not fit.
        """
        kind = self.get_message_type(message["method"]) or fallback

        def structure(sent: dict[str, Any]) -> Any:  # noqa: ANN401
            return self._converter.structure(sent, kind).params

        message = {"params": None, **message}
        if is_deep(message):
            raise JsonRpcInvalidParams("nested too deeply")
        try:
            if message["method"] == types.INITIALIZE:
                return tolerant_initialize.convert(message, structure)
            return structure(message)
        except Exception as error:
            raise JsonRpcInvalidParams(wording(error)) from error

    # To the client

    def refuse(self, message_id: Any, error: JsonRpcException) -> None:  # noqa: ANN401
        """Answers a request by an error; `None` if it could not be read which request it was."""
        if not is_id(message_id):
            message_id = None
        if message_id not in self._request_futures:  # else another one has this id
            self.shown.end(message_id, None)
        self._tracer.answered(message_id, lambda: f"Code: {error.code}", error.message)
        answer = {"code": error.code, "message": without_links(error.message)}
        if error.data is not None:
            answer["data"] = error.data
        self._send_data({"jsonrpc": self.VERSION, "id": message_id, "error": answer})

    def notify_json(self, method: str, params: dict[str, Any] | Encoded) -> None:
        """Sends a notification whose parameters are JSON already."""
        message = {"jsonrpc": self.VERSION, "method": method}
        if isinstance(params, Encoded):
            self._send_when_read(lambda: with_field(message, "params", params).text)
        else:
            self._send_data({**message, "params": params})

    def _send_data(self, data: Any) -> None:  # noqa: ANN401
        """Sends a message."""
        self._send_when_read(lambda: json.dumps(data, default=self._serialize_message))

    def _send_when_read(self, encode: Callable[[], str]) -> None:
        """Sends a message, which is only encoded once the client reads."""
        if self.writer is not None and self._server.pressure.is_held:
            self._unsent.append(encode)
        else:
            self._send_body(encode())

    def send_unsent(self) -> None:
        """Sends what waited until the client reads, as long as it does."""
        while self._unsent and not self._server.pressure.is_held:
            try:
                self._send_body(self._unsent.popleft()())
            except Exception as error:  # noqa: BLE001  # what cannot be JSON must not keep the rest
                _log.error("a message could not be sent", exc_info=error)

    def _send_body(self, body: str) -> None:
        """Sends a message that is encoded already."""
        if self.writer is None:
            return
        data = body.encode(self.CHARSET)
        if self._include_headers:
            data = b"Content-Length: %d\r\n\r\n%b" % (len(data), data)
        sending = self.writer.write(data)
        if inspect.isawaitable(sending):
            sending_task = asyncio.ensure_future(sending)
            self._sending.add(sending_task)
            sending_task.add_done_callback(self._sending.discard)

    def _send_response(
        self,
        msg_id: int | str,
        result: Any = None,  # noqa: ANN401
        error: types.ResponseError | None = None,
    ) -> None:
        result = self.shown.end(msg_id, result)
        self._tracer.answered(
            msg_id, lambda: self._worded(result), error.message if error is not None else ""
        )
        if error is not None:
            self._send_data({"jsonrpc": self.VERSION, "id": msg_id, "error": error})
        elif isinstance(result, Encoded):
            message = {"jsonrpc": self.VERSION, "id": msg_id}
            self._send_when_read(lambda: with_field(message, "result", result).text)
        else:
            self._send_data({"jsonrpc": self.VERSION, "id": msg_id, "result": result})

    def _worded(self, result: Any) -> str:  # noqa: ANN401
        text = result.text if isinstance(result, Encoded) else None
        return f"Result: {text or json.dumps(result, default=self._serialize_message, indent=4)}"

    def _send_handler_result(self, future: Future[Any], *, msg_id: int | str) -> None:
        self._request_futures.pop(msg_id, None)
        error: BaseException | None = _CANCELLED if future.cancelled() else future.exception()
        if error is None:
            result = future.result()
            if asyncio.iscoroutine(result):  # of a handler that only takes long at times
                later: Any = asyncio.ensure_future(result)  # pygls keeps both sorts of futures
                self._request_futures[msg_id] = later
                later.add_done_callback(partial(self._send_handler_result, msg_id=msg_id))
                return
            try:
                self._send_response(msg_id, result)
            except Exception as failure:  # noqa: BLE001  # an answer that cannot be written as JSON
                error = failure
            else:
                return
        if not isinstance(error, JsonRpcException):
            _log.error("request %r failed", msg_id, exc_info=error)
            error = JsonRpcInternalError(f"internal error ({type(error).__name__}), see the log")
        self.refuse(msg_id, error)

    def _check_handler_result(self, future: Future[Any]) -> None:
        if not future.cancelled() and future.exception() is not None:
            _log.error("a notification could not be handled", exc_info=future.exception())

    # The life of a session

    @lsp_method(types.INITIALIZE)
    def lsp_initialize(
        self, params: types.InitializeParams
    ) -> Generator[Any, Any, types.InitializeResult]:
        """Opens the session."""
        result: types.InitializeResult = yield from super().lsp_initialize(params)
        self._server.registrations.shape(result.capabilities)
        return result

    @lsp_method(types.EXIT)
    def lsp_exit(self, *_: object) -> None:  # type: ignore[override]  # needs no generator
        """Ends the session."""
        self._server.end(0 if self._shutdown else 1)

    def close(self) -> None:
        """Gives up whatever is asked, by the client or of it; nothing is sent any more."""
        self.writer = None
        for future in list(self._request_futures.values()):
            future.cancel()


def _structure_name(value: object, kind: object) -> int | str | None:
    """Takes the id of a request or the token of a progress, which may be absent."""
    if value is None and kind == types.ProgressToken | None:
        return None
    if not is_id(value):
        raise ValueError("expected a number or a string")
    return value
