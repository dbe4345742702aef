"""An editor that measures how long it waits for a server of any language."""

from __future__ import annotations

import re
import time
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any, NamedTuple

from benchmarks.performance.measurement import Sample
from benchmarks.performance.peers import clangd_command, ruff_command
from benchmarks.performance.subject import Subject
from benchmarks.process import cpu_seconds
from tests.server.client import Client, Message, NoMessageError, edit, framed

_STATEMENT = re.compile(r"\t[a-z].*;$|    a = ")
_PATIENCE = 600
_PUBLISH = "textDocument/publishDiagnostics"
_ANSWERS = {"workspace/configuration": lambda params: [None] * len(params["items"])}


class Language(NamedTuple):
    """A language server: its command, with the environment for it, and what its documents are."""

    command: tuple[str, ...]
    environment: Mapping[str, str] | None
    name: str
    suffix: str

    def uri(self, name: str) -> str:
        """Returns the URI of a document, which is not on the disk."""
        return f"file:///tmp/ptx-ls-benchmark/{name}.{self.suffix}"


def ptx(subject: Subject) -> Language:
    """Returns the server of a version of ptx-ls."""
    return Language(subject.command("serve", "--stdio"), subject.environment, "ptx", "ptx")


def python() -> Language:
    """Returns ruff. Raises `RuntimeError` if it is not installed."""
    return Language(tuple(ruff_command("server", "--isolated")), None, "python", "py")


def c() -> Language:
    """Returns clangd. Raises `RuntimeError` if it is not installed."""
    return Language(tuple(clangd_command()), None, "c", "c")


class TimedEditor(Client):
    """A client with one document at a time. Times are in ms, up to the arrival of an answer.

    Raises `RuntimeError` if the server ends.
    """

    def __init__(self, language: Language, capabilities: Message | None = None) -> None:
        self._began = time.perf_counter()
        self._language = language
        super().__init__(language.command, _ANSWERS, _PATIENCE, language.environment)
        self._uri = ""
        self.document: Message = {}
        self._arrived = 0.0
        self._version = 0
        try:
            self.initialize(capabilities or {"textDocument": {"publishDiagnostics": {}}})
        except RuntimeError:
            self.__exit__(None, None, None)
            raise
        self.initialized = self.since_start()

    def send_bytes(self, data: bytes) -> None:
        """Sends anything."""
        try:
            super().send_bytes(data)
        except BrokenPipeError as error:
            raise self._ended() from error

    def read_body(self) -> bytes:
        """Waits for the next message, and notes when it came."""
        try:
            body = super().read_body()
        except NoMessageError as error:
            raise self._ended() from error
        self._arrived = time.perf_counter()
        return body

    def opens(self, text: str, name: str = "document") -> None:
        """Opens a document, with which everything that follows is done."""
        self._uri = self._language.uri(name)
        self.document = {"textDocument": {"uri": self._uri}}
        item = {"uri": self._uri, "languageId": self._language.name, "version": 0, "text": text}
        self.notify("textDocument/didOpen", {"textDocument": item})

    def types(self, *changes: Message) -> None:
        """Edits the document."""
        self._version += 1
        self.change(self._version, *changes, uri=self._uri)

    def asks(self, method: str, **parameters: object) -> Any:  # noqa: ANN401
        """Makes a request about the document, and returns the result; None if it is refused."""
        message = {**self.document, **parameters}
        answer = self.response(self.start_request(f"textDocument/{method}", message))
        self.unread.clear()
        return answer.get("result")

    def asks_all(self, requests: Iterable[tuple[str, Mapping[str, object]]]) -> None:
        """Makes requests about the document at once, and waits until all are answered."""
        asked = list(requests)
        first = self._n_requests + 1
        self._n_requests += len(asked)
        messages = [
            framed({"id": first + number, "method": f"textDocument/{method}", "params": params})
            for number, (method, more) in enumerate(asked)
            for params in ({**self.document, **more},)
        ]
        self.send_bytes(b"".join(messages))
        waiting = set(range(first, first + len(asked)))
        while waiting:
            waiting.remove(self.response_of(waiting)["id"])
        self.unread.clear()

    def waits_for_diagnostics(self) -> None:
        """Waits for the published diagnostics of the present version."""
        while True:
            found = self.notification(_PUBLISH)
            version = found.get("version", self._version)
            if found["uri"] == self._uri and version == self._version:
                return

    def measured(self, act: Callable[[], object]) -> Sample:
        """Returns the time from the start of an action to the arrival of the last message."""
        cpu, begin = cpu_seconds(self.process.pid), time.perf_counter()
        act()
        return self._since(begin, cpu)

    def since_start(self) -> Sample:
        """Returns the time from the start of the server to the arrival of the last message."""
        return self._since(self._began, 0)

    def edited(self, *changes: Message) -> Sample:
        """Returns the time from an edit to the published diagnostics."""

        def act() -> None:
            self.types(*changes)
            self.waits_for_diagnostics()

        self.unread.clear()
        return self.measured(act)

    def _ended(self) -> RuntimeError:
        return RuntimeError(f"the server for {self._language.name} ended")

    def _since(self, begin: float, cpu: float) -> Sample:
        spent = cpu_seconds(self.process.pid) - cpu
        return Sample(1000 * (self._arrived - begin), 1000 * spent)


def statement_lines(lines: Sequence[str]) -> list[int]:
    """Returns the numbers of lines with a statement of a function, in any of the languages."""
    return [number for number, line in enumerate(lines) if _STATEMENT.match(line)]


def operand_end(line: str) -> int:
    """Returns the column at the end of the last operand of a statement."""
    return len(line.rstrip(")];"))


def digit(line: int, column: int) -> tuple[Message, Message]:
    """Returns the edit that types a digit, and the one that deletes it."""
    place = (line, column)
    return edit(place, place, "1"), edit(place, (line, column + 1), "")
