"""Measures requests at a cursor in a large file, and opening a large file."""

from __future__ import annotations

import json
import time
from collections.abc import Iterator, Sequence
from typing import Any, NamedTuple, Self

from benchmarks import inputs
from benchmarks.figures import Figure, quantile
from benchmarks.process import cpu_seconds, no_litter, wait_for_rest
from benchmarks.request_scenes import SCENES, Place, Places, Scene
from tests.server.client import SERVE, URI, Client, Message, edit
from tests.server.profiles import NEOVIM, VSCODE

_FILES = ("lines100k", "lines1m")
_N = 100  # of each request on an unedited text, and as many right after an edit
_SEED = 7
_N_OPENED = 9
_OPEN_GOAL = 150  # ms to the first hover
_CHECKED_GOAL = 3000
_PUBLISH = "textDocument/publishDiagnostics"
_NOTHING = "$/nothing"  # unknown to any server
_PATIENCE = 3600


class _Sample(NamedTuple):
    """The cost of one request: wall time and CPU time of the server, in ms."""

    wall: float
    cpu: float


def measure(arguments: Sequence[str] = ()) -> Iterator[Figure]:
    """Yields the figures, or only those of `[FILE...] [SCENE...]` or `open`."""
    names = [name for name in arguments if name in inputs.INPUTS]
    chosen = [scene for scene in SCENES if scene.name in arguments]
    if names or chosen or not arguments:
        for name in names or _FILES:
            yield from _at_cursor(name, chosen or SCENES)
    if "open" in arguments or not arguments:
        yield from _opening()


def _at_cursor(name: str, scenes: Sequence[Scene]) -> Iterator[Figure]:
    with _Session(inputs.make(name).read_text(encoding="utf-8"), VSCODE) as session, no_litter():
        session.rest()  # the user looks at the file first
        for scene in scenes:
            still = [] if scene.typed else session.at_rest(scene)
            edited = session.after_edit(scene)
            high = max(quantile([it.wall for it in each], 0.95) for each in (still, edited) if each)
            remark = ", ".join(
                f"{what} p50 {quantile([it.wall for it in each], 0.5):.1f}"
                f" p95 {quantile([it.wall for it in each], 0.95):.1f}"
                f" max {max(it.wall for it in each):.0f}"
                f" CPU p95 {quantile([it.cpu for it in each], 0.95):.1f}"
                for what, each in (("at rest", still), ("edited", edited))
                if each
            )
            yield Figure(f"{name}: {scene.name}, p95", high, "ms", scene.goal, remark)


class _Session:
    """A server with a document open."""

    def __init__(self, text: str, capabilities: Message) -> None:
        self.client = Client(
            SERVE,
            patience=_PATIENCE,
            answers={"workspace/configuration": lambda params: [None] * len(params["items"])},
        )
        self.client.initialize(capabilities)
        self.it = {"textDocument": {"uri": URI}}
        self._places = Places(text, _SEED)
        self._version = 0
        self._last = _Sample(0, 0)
        self.client.open(text)

    def rest(self) -> None:
        """Waits until the server has finished its background work."""
        self.settle()
        wait_for_rest(self.client.process.pid)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.client.__exit__(None, None, None)

    def ask(self, method: str, params: object) -> Any:  # noqa: ANN401
        """Sends a request and measures it; returns the result, None if it was refused."""
        process = self.client.process.pid
        cpu, begin = cpu_seconds(process), time.perf_counter()
        answer = self.client.response(self.client.start_request(method, params))
        wall = time.perf_counter() - begin
        self._last = _Sample(1000 * wall, 1000 * (cpu_seconds(process) - cpu))
        return answer.get("result")

    def settle(self) -> None:
        """Waits until the text was checked."""
        self.client.response(self.client.start_request("textDocument/diagnostic", self.it))

    def at_rest(self, scene: Scene) -> list[_Sample]:
        """Makes requests in a text that is not edited and has been checked."""
        self.settle()
        return [self._sample(scene, self._places.token()) for _ in range(_N)]

    def after_edit(self, scene: Scene) -> list[_Sample]:
        """Makes requests right after edits: the scene's text, or an additional digit."""
        found = []
        for _ in range(_N):
            place = self._places.token()
            line = self._places.instruction() if scene.typed else place.line
            if scene.typed:
                change = edit((line, 0), (line, 0), scene.typed + "\n")
                back = edit((line, 0), (line + 1, 0), "")
                place = Place(line, len(scene.typed))
            else:
                line = self._near(place.line)
                column = len(self._places.lines[line]) - 1  # before the semicolon
                change = edit((line, column), (line, column), "1")
                back = edit((line, column), (line, column + 1), "")
            if scene.is_shown:
                self._sample(scene, place)
            self._change(change)
            found.append(self._sample(scene, place))
            self._change(back)
            self.client.response(self.client.start_request(_NOTHING, {}))  # wait for that
        return found

    def _near(self, line: int) -> int:
        """Returns the next line that holds an instruction, or any if there is none nearby."""
        lines = self._places.lines
        for number in range(line, min(len(lines), line + 200)):
            if lines[number].startswith("\t") and lines[number].endswith(";"):
                return number
        return self._places.instruction()

    def _sample(self, scene: Scene, place: Place) -> _Sample:
        self._last = _Sample(0, 0)
        scene.ask(self.ask, self._places, place)
        self.client.unread.clear()
        return self._last

    def _change(self, change: Message) -> None:
        self._version += 1
        self.client.change(self._version, change)


def _opening() -> Iterator[Figure]:
    """Yields the time to the first hover, at random places, and to all diagnostics, in 20 MB."""
    text = inputs.make("mb20").read_text(encoding="utf-8")
    places = Places(text, _SEED)
    item = {"uri": URI, "languageId": "ptx", "version": 0, "text": text}
    opening = _framed("textDocument/didOpen", {"textDocument": item})  # an editor's own work
    hovers, checks = [], []
    for _ in range(_N_OPENED):
        place = places.token()
        with Client(SERVE, patience=_PATIENCE) as client:
            client.initialize(NEOVIM)
            client.open("ret;", "file:///small.ptx")  # an editor has been running for long
            client.notification(_PUBLISH)
            client.request(
                "textDocument/hover", {**place.at, "textDocument": {"uri": "file:///small.ptx"}}
            )
            process = client.process.pid
            cpu, begin = cpu_seconds(process), time.perf_counter()
            client.send_bytes(opening)
            client.response(client.start_request("textDocument/hover", place.at))
            hovers.append(_since(begin, cpu, process))
            client.notification(_PUBLISH)
            checks.append(_since(begin, cpu, process))
    for what, each, goal in (
        ("first hover", hovers, _OPEN_GOAL),
        ("all diagnostics", checks, _CHECKED_GOAL),
    ):
        wall = quantile([it.wall for it in each], 0.5)
        remark = (
            f"max {max(it.wall for it in each):.0f} ms,"
            f" CPU {quantile([it.cpu for it in each], 0.5):.0f} ms, {len(text) / 1e6:.1f} MB"
        )
        yield Figure(f"open 20 MB: {what}, p50", wall, "ms", goal, remark)


def _framed(method: str, params: Message) -> bytes:
    body = json.dumps({"jsonrpc": "2.0", "method": method, "params": params}).encode()
    return b"Content-Length: %d\r\n\r\n%b" % (len(body), body)


def _since(begin: float, cpu: float, process: int) -> _Sample:
    wall = time.perf_counter() - begin
    return _Sample(1000 * wall, 1000 * (cpu_seconds(process) - cpu))
