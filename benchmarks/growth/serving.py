"""Measures the longest step of the server's loop while an editor opens a text and uses it."""

from __future__ import annotations

import sys
import threading
import time
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, NamedTuple, Self

from benchmarks.process import wait_for_rest
from tests.server.client import URI, Client, Message, NoMessageError, edit
from tests.server.profiles import VSCODE

MAX_STEP = 0.02
"""Limit on the CPU seconds of one step, during which no other request is answered."""
_TIMEOUT = 60  # seconds for one text
_SESSION_TIMEOUT = 3_600  # seconds for all
_DOCUMENT = {"textDocument": {"uri": URI}}
_OF_DOCUMENT = (
    "semanticTokens/full",
    "documentSymbol",
    "foldingRange",
    "codeLens",
    "documentLink",
)
_LAYOUT = {"tabSize": 8, "insertSpaces": False}
_SCREENFUL = 60
_SMALL = ".version 8.5\n.target sm_90\n.entry k()\n{\n\tadd.u32 %r1, 1;\n\tret;\n}\n"


class Step(NamedTuple):
    """A step of the loop: CPU seconds, and the function or coroutine that it ran."""

    cpu: float
    name: str


class Editor:
    """A server, and a client that opens one text after another. Use it in a `with` statement."""

    def __init__(self) -> None:
        self._folder = TemporaryDirectory()
        self._steps = Path(self._folder.name) / "steps"
        self._client: Client | None = None

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self._stop()
        self._folder.cleanup()

    def longest_step(self, text: str) -> Step | None:
        """Returns the longest step while a text is open; None if the server took too long."""
        client = self._client or self._start()
        begin = time.monotonic()
        watchdog = threading.Timer(_TIMEOUT, client.process.kill)
        watchdog.start()
        try:
            self._visit(client, text)
        except (NoMessageError, OSError):
            self._stop()
            return None
        finally:
            watchdog.cancel()
        return self._longest_since(begin)

    def _start(self) -> Client:
        command = (sys.executable, "-m", "benchmarks.growth.loop_meter", str(self._steps))
        client = self._client = Client(
            command,
            answers={"workspace/configuration": lambda params: [None] * len(params["items"])},
            patience=_SESSION_TIMEOUT,
        )
        client.initialize(VSCODE)
        self._visit(client, _SMALL)  # one-time imports are not part of a text's cost
        wait_for_rest(client.process.pid)
        return client

    def _stop(self) -> None:
        if self._client is not None:
            self._client.__exit__(None, None, None)
        self._client = None

    def _visit(self, client: Client, text: str) -> None:
        """Opens a text, sends requests, inserts a line end, sends requests again, and closes it."""
        client.open(text)
        found = self._ask(client)
        client.change(1, edit((0, 0), (0, 0), "\n"))
        self._ask(client)
        for one in found[:1]:
            params = {**_DOCUMENT, "range": one["range"], "context": {"diagnostics": [one]}}
            client.response(client.start_request("textDocument/codeAction", params))
            params = {**_DOCUMENT, "position": one["range"]["start"]}
            client.response(client.start_request("textDocument/hover", params))
        client.response(
            client.start_request("textDocument/formatting", {**_DOCUMENT, "options": _LAYOUT})
        )
        client.notify("textDocument/didClose", _DOCUMENT)
        client.unread.clear()

    def _ask(self, client: Client) -> list[Message]:
        """Sends the requests that an editor sends by itself; returns the diagnostics."""
        screen = {"start": {"line": 0, "character": 0}, "end": {"line": _SCREENFUL, "character": 0}}
        asked = [
            client.start_request(f"textDocument/{method}", _DOCUMENT) for method in _OF_DOCUMENT
        ]
        asked.append(client.start_request("textDocument/inlayHint", {**_DOCUMENT, "range": screen}))
        for _ in asked:
            client.response_of(asked)
        report = client.response(client.start_request("textDocument/diagnostic", _DOCUMENT))
        items: list[Any] = report.get("result", {}).get("items", [])
        return items

    def _longest_since(self, begin: float) -> Step:
        found = Step(0, "")
        for line in self._steps.read_text(encoding="utf-8").splitlines():
            start, cpu, name = line.split(" ", 2)
            if float(start) >= begin and float(cpu) > found.cpu:
                found = Step(float(cpu), name)
        return found
