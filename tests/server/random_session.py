"""A client that edits and asks at random, and compares with a server that read the text anew."""

from __future__ import annotations

import json
import threading
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field
from random import Random
from types import TracebackType
from typing import Any, Final, Self

from ptx_ls.source.columns import ColumnUnit
from tests.server.client import Client, Message
from tests.server.probes import PROBES, Scene
from tests.server.random_text import RandomText

_REFUSED: Final = {-32803: "refused", -32801: "modified", -32800: "cancelled"}
"""Answers that are not errors of the server: it gave a reason, or the text had changed."""
_NOT_LAID_OUT: Final = "ptx-ls: not formatted, because it cannot be parsed as PTX"
_MOST_KEPT: Final = 20


@dataclass(slots=True)
class Outcome:
    """The events of a session.

    Attributes:
        n_edits: notifications of changes.
        n_requests: requests, without those for comparison.
        n_compared: answers that were compared.
        errors: answers that are errors, popups, and what the server wrote in its log.
        differences: answers that are not those about the same text read from scratch.
        refusals: how often requests were refused, and as what.
    """

    n_edits: int = 0
    n_requests: int = 0
    n_compared: int = 0
    errors: list[str] = field(default_factory=list)
    differences: list[str] = field(default_factory=list)
    refusals: Counter[str] = field(default_factory=Counter)

    @property
    def n_steps(self) -> int:
        """Random edits and requests."""
        return self.n_edits + self.n_requests


class _Server:
    """A client of a server whose log is read while it runs."""

    def __init__(self, capabilities: Message, patience: float) -> None:
        answers = {"workspace/configuration": lambda params: [None] * len(params["items"])}
        self.client = Client(answers=answers, patience=patience)
        self.log: list[str] = []
        self._reader = threading.Thread(target=self._read_log, daemon=True)
        self._reader.start()
        result = self.client.initialize(capabilities)
        self.unit = ColumnUnit(result["capabilities"]["positionEncoding"])
        self.offered: frozenset[str] = _offered(result["capabilities"])

    def _read_log(self) -> None:
        assert self.client.process.stderr is not None
        for line in self.client.process.stderr:
            self.log.append(line.decode(errors="replace"))


def _offered(capabilities: Message) -> frozenset[str]:
    actions = capabilities.get("codeActionProvider")
    found = {"textDocument/codeAction"} if actions else set()
    if isinstance(actions, dict) and actions.get("resolveProvider"):
        found.add("codeAction/resolve")
    return frozenset(found)


class RandomSession:
    """Two servers: one receives every edit, and one receives the text now and then."""

    def __init__(
        self, texts: Mapping[str, str], seed: int, capabilities: Message, patience: float = 60
    ) -> None:
        self.outcome = Outcome()
        self._random = Random(seed)  # noqa: S311  # the same in every run
        self._live = _Server(capabilities, patience)
        self._anew = _Server(capabilities, patience)
        self._texts = {uri: RandomText(text, self._live.unit) for uri, text in texts.items()}
        self._versions = dict.fromkeys(texts, 0)
        self._edited = set(texts)  # what the second server does not know the text of
        for uri, text in texts.items():
            self._live.client.open(text, uri)

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        for server in (self._live, self._anew):
            server.client.__exit__(kind, error, trace)

    def step(self, uri: str) -> None:
        """Edits a document, or asks something about it, or both at once."""
        kind = self._random.random()
        if kind < 0.55:
            self._edit(uri)
        elif kind < 0.92:
            name = self._random.choice(list(PROBES))
            PROBES[name](self._ask_by_the_way, self._scene(uri))
        else:
            self._interrupt(uri)

    def compare(self, uri: str, names: list[str] | None = None) -> None:
        """Compares the answers to all requests about one place.

        Edited documents are saved first: while the user types, some diagnostics are held back.
        """
        for edited in sorted(self._edited | {uri}):
            if edited in self._versions:
                document = {"textDocument": {"uri": edited}}
                self._live.client.notify("textDocument/didSave", document)
                self._anew.client.open(self._texts[edited].text, edited)
        self._edited.clear()
        scene = self._scene(uri)
        for name in names or list(PROBES):
            found, expected = (
                _comparable(PROBES[name](ask, scene)) for ask in (self._ask_live, self._ask_anew)
            )
            if found != expected:
                self._differ(name, scene, found, expected)

    def close(self, uri: str) -> None:
        """Closes a document and opens it again, as it is."""
        self._live.client.notify("textDocument/didClose", {"textDocument": {"uri": uri}})
        self._live.client.open(self._texts[uri].text, uri)
        self._versions[uri] = 0

    def finish(self) -> Outcome:
        """Ends the session and returns what happened."""
        for server in (self._live, self._anew):
            code = server.client.leave()
            if code:
                self._fail(f"exit code {code}")
            for line in server.log:
                self._fail(f"log: {line.strip()}")
        return self.outcome

    def _edit(self, uri: str) -> None:
        changes = self._texts[uri].change(self._random)
        self._versions[uri] += 1
        self._live.client.change(self._versions[uri], *changes, uri=uri)
        self._edited.add(uri)
        self.outcome.n_edits += 1

    def _interrupt(self, uri: str) -> None:
        """Sends requests and, before they are answered, edits or cancels."""
        scene, client = self._scene(uri), self._live.client
        methods = {
            "textDocument/documentSymbol": scene.document,
            "textDocument/semanticTokens/full": scene.document,
            "textDocument/references": {**scene.at, "context": {"includeDeclaration": True}},
            "textDocument/formatting": {
                **scene.document,
                "options": {"tabSize": 8, "insertSpaces": True},
            },
            "textDocument/foldingRange": scene.document,
            "textDocument/hover": scene.at,
            "textDocument/codeLens": scene.document,
            "textDocument/diagnostic": scene.document,
        }
        asked = self._random.sample(sorted(methods), 3)
        ids = {client.start_request(method, methods[method]): method for method in asked}
        if self._random.random() < 0.5:
            client.notify("$/cancelRequest", {"id": self._random.choice(list(ids))})
        if self._random.random() < 0.7:
            self._edit(uri)
        while ids:
            answer = client.response_of(ids)
            self._result(ids.pop(answer["id"]), answer)
            self.outcome.n_requests += 1

    def _scene(self, uri: str) -> Scene:
        text, random = self._texts[uri], self._random
        place = text.sent(text.place(random))
        if random.random() < 0.02:
            place = random.choice(
                [{"line": 10**6, "character": 3}, {"line": 0, "character": 10**9}]
            )
        first = random.randrange(len(text.lines))
        last = min(len(text.lines) - 1, first + random.randint(0, 60))
        area = {"start": text.sent((first, 0)), "end": text.sent((last, len(text.lines[last])))}
        typed = random.choice([";", "}", "\n"])
        return Scene(uri, place, area, random.randrange(1000), typed, str(random.randint(0, 9)))

    def _ask_by_the_way(self, method: str, params: object) -> Any:  # noqa: ANN401
        self.outcome.n_requests += 1
        return self._ask_live(method, params)

    def _ask_live(self, method: str, params: object) -> Any:  # noqa: ANN401
        return self._ask(self._live, method, params)

    def _ask_anew(self, method: str, params: object) -> Any:  # noqa: ANN401
        self.outcome.n_compared += 1
        return self._ask(self._anew, method, params)

    def _ask(self, server: _Server, method: str, params: object) -> Any:  # noqa: ANN401
        if "odeAction" in method and method not in server.offered:
            return None
        answer = server.client.response(server.client.start_request(method, params))
        return self._result(method, answer)

    def _result(self, method: str, answer: Message) -> Any:  # noqa: ANN401
        for client in (self._live.client, self._anew.client):
            if any(map(_is_popup, client.unread)):
                self._fail(f"a popup: {client.unread}")
            client.unread.clear()
        if "error" not in answer:
            return answer["result"]
        code = answer["error"]["code"]
        if code not in _REFUSED:
            self._fail(f"{method}: {answer['error']}")
            return {"error": code}
        self.outcome.refusals[f"{method}: {_REFUSED[code]}"] += 1
        return {"error": code, "message": answer["error"]["message"]}

    def _fail(self, what: str) -> None:
        if len(self.outcome.errors) < _MOST_KEPT:
            self.outcome.errors.append(what)

    def _differ(self, name: str, scene: Scene, found: object, expected: object) -> None:
        one, other = (json.dumps(it, sort_keys=True) for it in (found, expected))
        same = next((i for i, (a, b) in enumerate(zip(one, other, strict=False)) if a != b), 0)
        part = slice(max(0, same - 200), same + 300)
        self.outcome.differences.append(
            f"{name} at {scene.place} of {scene.uri}, {self._versions[scene.uri]}: "
            f"{one[part]}\n  instead of {other[part]}"
        )


def _comparable(found: Any) -> Any:  # noqa: ANN401
    """An answer without what belongs to the session."""
    if isinstance(found, dict):
        return {
            key: _comparable(value)
            for key, value in found.items()
            if key not in ("resultId", "version")
        }
    return [_comparable(item) for item in found] if isinstance(found, list) else found


def _is_popup(message: Message) -> bool:
    """Whether a message shows something that was not asked for.

    Why a broken text is not laid out is an answer to the request.
    """
    if not message["method"].startswith("window/show"):
        return False
    return not str(message["params"].get("message")).startswith(_NOT_LAID_OUT)
