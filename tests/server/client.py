"""A language client that hides nothing: it writes and reads JSON-RPC on the server's pipes."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import threading
from collections.abc import Callable, Container, Mapping
from contextlib import suppress
from types import TracebackType
from typing import Any, Final, Self

import orjson

from tests.server.forked import ForkedServer

Message = dict[str, Any]
SERVE = (sys.executable, "-m", "ptx_ls", "serve", "--stdio")
URI = "file:///kernel.ptx"
_LARGE: Final = 1_000_000


class NoMessageError(Exception):
    """The server closed its output, or was killed because it stayed silent for too long."""


class ServerError(Exception):
    """A request is answered by an error: by the server, or, in `answers`, by the client."""


class Client:
    """Starts a server and talks to it. `answers` has the answers to the server's requests.

    A test of how the process itself starts or ends, or of what it loads, gives the command.
    `environment` is for that alone, and by default the one of this process.
    """

    def __init__(
        self,
        command: tuple[str, ...] | None = None,
        answers: Mapping[str, Callable[[Any], Any]] | None = None,
        patience: float = 60,
        environment: Mapping[str, str] | None = None,
    ) -> None:
        self.process = _start(command, environment)
        self.unread: list[Message] = []  # what came while something else was waited for
        self.asked: list[str] = []  # methods of the server's own requests
        self._answers = answers or {}
        self._n_requests = 0
        self._watchdog = threading.Timer(patience, self.process.kill)
        self._watchdog.start()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, _error: object, _trace: TracebackType | None
    ) -> None:
        self._watchdog.cancel()
        self.process.kill()
        self.process.wait()
        for stream in (self.process.stdin, self.process.stdout, self.process.stderr):
            assert stream is not None
            with suppress(OSError):  # what could not be written to a process that is gone
                stream.close()

    def send_bytes(self, data: bytes) -> None:
        """Sends anything."""
        assert self.process.stdin is not None
        self.process.stdin.write(data)
        self.process.stdin.flush()

    def send(self, message: Message) -> None:
        """Sends a message."""
        self.send_bytes(framed(message))

    def read(self) -> Message:
        """Waits for the next message, whatever it is."""
        body = self.read_body()
        message = (orjson if len(body) > _LARGE else json).loads(body)  # as fast as an editor
        assert isinstance(message, dict)
        return message

    def read_body(self) -> bytes:
        """Waits for the next message, and returns it as it came."""
        stdout, length = self.process.stdout, 0
        assert stdout is not None
        while header := stdout.readline().strip():
            name, _, value = header.partition(b":")
            if name.lower() == b"content-length":
                length = int(value)
        body = stdout.read(length)
        if not body:
            raise NoMessageError
        return body

    def response(self, request_id: int | str | None) -> Message:
        """Waits for the response to a request."""
        return self._wait(lambda message: "method" not in message and message["id"] == request_id)

    def response_of(self, request_ids: Container[int]) -> Message:
        """Waits for the first response to one of some requests."""
        return self._wait(lambda message: "method" not in message and message["id"] in request_ids)

    def notification(self, method: str) -> Any:  # noqa: ANN401
        """Waits for a notification, or takes one that came already, and returns its parameters."""
        for message in self.unread:
            if message.get("method") == method:
                self.unread.remove(message)
                return message["params"]
        return self._wait(lambda message: message.get("method") == method)["params"]

    def server_request(self, method: str) -> None:
        """Waits until the server has sent a request, or returns at once if it has."""
        if method not in self.asked:
            self._wait(lambda message: message.get("method") == method)

    def _wait(self, is_wanted: Callable[[Message], bool]) -> Message:
        while True:
            message = self.read()
            if "method" in message and "id" in message:
                self._answer(message)
            if is_wanted(message):
                return message
            if "method" in message and "id" not in message:
                self.unread.append(message)

    def _answer(self, message: Message) -> None:
        self.asked.append(message["method"])
        answer = self._answers.get(message["method"])
        try:
            result = answer(message.get("params")) if answer is not None else None
        except ServerError as error:
            self.send({"id": message["id"], "error": error.args[0]})
        else:
            self.send({"id": message["id"], "result": result})

    def start_request(self, method: str, params: object = None) -> int:
        """Sends a request and returns its id."""
        self._n_requests += 1
        message = {"id": self._n_requests, "method": method}
        self.send(message if params is None else {**message, "params": params})
        return self._n_requests

    def request(self, method: str, params: object = None) -> Any:  # noqa: ANN401
        """Sends a request and returns its result."""
        response = self.response(self.start_request(method, params))
        if "error" in response:
            raise ServerError(response["error"])
        return response["result"]

    def notify(self, method: str, params: object = None) -> None:
        """Sends a notification."""
        self.send({"method": method} if params is None else {"method": method, "params": params})

    # Steps of every session

    def initialize(self, capabilities: object = None, **more: object) -> Any:  # noqa: ANN401
        """Opens the session and returns the server's answer."""
        params = {"processId": None, "rootUri": None, "capabilities": capabilities or {}, **more}
        result = self.request("initialize", params)
        self.notify("initialized", {})
        return result

    def open(self, text: str, uri: str = URI) -> None:
        """Opens a document, version 0."""
        item = {"uri": uri, "languageId": "ptx", "version": 0, "text": text}
        self.notify("textDocument/didOpen", {"textDocument": item})

    def change(self, version: int, *changes: Message, uri: str = URI) -> None:
        """Edits a document."""
        identifier = {"uri": uri, "version": version}
        self.notify(
            "textDocument/didChange", {"textDocument": identifier, "contentChanges": list(changes)}
        )

    def ask(self, feature: str, line: int, character: int) -> Any:  # noqa: ANN401
        """Asks for a feature at a place: `ask("hover", 0, 3)`."""
        return self.request(f"textDocument/{feature}", at(line, character))

    def leave(self) -> int:
        """Closes the session as LSP wants it, and returns the exit code."""
        assert self.request("shutdown") is None
        self.notify("exit")
        return self.process.wait(10)


def _start(
    command: tuple[str, ...] | None, environment: Mapping[str, str] | None
) -> subprocess.Popen[bytes] | ForkedServer:
    if command is None and hasattr(os, "fork"):
        return ForkedServer()
    pipe = subprocess.PIPE
    return subprocess.Popen(command or SERVE, stdin=pipe, stdout=pipe, stderr=pipe, env=environment)


def framed(message: Message) -> bytes:
    """A message as it is sent."""
    body = json.dumps({"jsonrpc": "2.0", **message}).encode()
    return b"Content-Length: %d\r\n\r\n%b" % (len(body), body)


def at(line: int, character: int) -> Message:
    """Returns the parameters of a request about a place."""
    place = {"line": line, "character": character}
    return {"textDocument": {"uri": URI}, "position": place}


def edit(start: tuple[int, int], end: tuple[int, int], text: str) -> Message:
    """Returns the replacement of a range."""
    first, last = ({"line": line, "character": character} for line, character in (start, end))
    return {"range": {"start": first, "end": last}, "text": text}
