"""Measures the time from a keystroke until the editor can show something about it."""

from __future__ import annotations

import random
import time
from collections.abc import Iterator
from typing import Self

from benchmarks import inputs
from benchmarks.figures import Figure, quantile
from benchmarks.process import cpu_seconds
from tests.server.client import SERVE, URI, Client, Message, at, edit

_GOALS = {"lines1k": (1, 5), "lines100k": (1, 5), "lines1m": (1, 10)}  # p50, p95 in ms
_N_FAST, _FAST = 400, (0.0, 0.0)  # keystrokes, and seconds between them
_N_SLOW, _SLOW = 80, (0.14, 0.4)  # checks start, and are interrupted
_N_NOTHING = 30
_N_PUBLISHED = 20
_PUBLISH_GOAL = 250  # ms, with the pause that the server waits for
_SHARE_OF_NEWLINES = 0.2
_PUBLISH = "textDocument/publishDiagnostics"


def measure() -> Iterator[Figure]:
    """Yields the time to a hover while typing fast and slowly, and to published diagnostics.

    The machine may sleep between slow keystrokes, so their median has no goal; the remark has the
    time of a request without any work.
    """
    for name, (middle, high) in _GOALS.items():
        with _opened(name) as session:
            session.type(30, _FAST)  # one-time costs
            for manner, count, pause, goal in (
                ("fast", _N_FAST, _FAST, middle),
                ("slowly", _N_SLOW, _SLOW, None),
            ):
                times, cpu = session.type(count, pause)
                title = f"{name}, typing {manner}: to hover"
                nothing = f"a request for nothing {session.ask_nothing(pause):.2f} ms"
                yield Figure(f"{title}, p50", quantile(times, 0.5), "ms", goal, nothing)
                remark = f"max {max(times):.1f} ms, server CPU {1000 * cpu:.2f} ms per keystroke"
                yield Figure(f"{title}, p95", quantile(times, 0.95), "ms", high, remark)
            if name == "lines100k":
                times, cpu = session.publish(_N_PUBLISHED)
                yield Figure(f"{name}: to diagnostics, p50", quantile(times, 0.5), "ms")
                remark = f"server CPU {1000 * cpu:.0f} ms per edit"
                value = quantile(times, 0.95)
                yield Figure(f"{name}: to diagnostics, p95", value, "ms", _PUBLISH_GOAL, remark)


def _opened(name: str) -> _Session:
    return _Session(inputs.make(name).read_text(encoding="utf-8"))


class _Session:
    """A server with a document open and checked."""

    def __init__(self, text: str) -> None:
        self._random = random.Random(1)  # noqa: S311  the same places in every run
        self._lines = text.splitlines()
        self._places = [i for i, line in enumerate(self._lines) if _is_instruction(line)]
        self._version = 0
        self._client = Client(SERVE, patience=900)
        self._client.initialize()
        self._client.open(text)
        self._client.notification(_PUBLISH)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self._client.__exit__(None, None, None)

    def type(self, count: int, pause: tuple[float, float]) -> tuple[list[float], float]:
        """Types and deletes; returns times to the hover in ms, and CPU seconds per keystroke."""
        times: list[float] = []
        process = self._client.process.pid
        cpu = cpu_seconds(process)
        while len(times) < count:
            line = self._random.choice(self._places)
            for change in self._keystrokes(line):
                time.sleep(self._random.uniform(*pause))
                begin = time.perf_counter()
                self._change(change)
                hover = self._client.start_request("textDocument/hover", at(line, 2))
                self._client.response(hover)
                times.append(1000 * (time.perf_counter() - begin))
        self._client.unread.clear()
        return times, (cpu_seconds(process) - cpu) / len(times)

    def ask_nothing(self, pause: tuple[float, float]) -> float:
        """Returns the median time in ms to an answer that costs the server nothing."""
        times = []
        for _ in range(_N_NOTHING):
            time.sleep(self._random.uniform(*pause))
            begin = time.perf_counter()
            self._client.response(self._client.start_request("ptx/nothing"))
            times.append(1000 * (time.perf_counter() - begin))
        return quantile(times, 0.5)

    def _keystrokes(self, line: int) -> tuple[Message, Message]:
        """Returns the insertion of a character or a line end, and its removal."""
        if self._random.random() < _SHARE_OF_NEWLINES:
            return edit((line, 0), (line, 0), "\n"), edit((line, 0), (line + 1, 0), "")
        column = self._random.randrange(2, len(self._lines[line]))
        character = self._random.choice("1r.%;")
        insertion = edit((line, column), (line, column), character)
        return insertion, edit((line, column), (line, column + 1), "")

    def publish(self, count: int) -> tuple[list[float], float]:
        """Breaks and restores opcodes; returns times to diagnostics in ms, and CPU per edit."""
        times: list[float] = []
        process = self._client.process.pid
        self._settle()
        cpu = cpu_seconds(process)
        while len(times) < count:
            line = self._random.choice(self._places)
            column = len(self._lines[line]) - len(self._lines[line].lstrip())
            for change in (
                edit((line, column), (line, column), "x"),
                edit((line, column), (line, column + 1), ""),
            ):
                begin = time.perf_counter()
                self._change(change)
                while self._client.notification(_PUBLISH)["version"] != self._version:
                    pass
                times.append(1000 * (time.perf_counter() - begin))
        return times, (cpu_seconds(process) - cpu) / len(times)

    def _settle(self) -> None:
        """Makes an empty edit, and waits until it was checked."""
        self._change(edit((0, 0), (0, 0), ""))
        while self._client.notification(_PUBLISH)["version"] != self._version:
            pass

    def _change(self, change: Message) -> None:
        self._version += 1
        self._client.change(self._version, change, uri=URI)


def _is_instruction(line: str) -> bool:
    return line.startswith("\t") and line.endswith(";") and line[1:2].isalpha()
