"""Measures how long an editor waits for the server to start.

The server answers `initialize` while it is being loaded, so the CPU time, which is read when the
answer arrives, includes a part of the loading.
"""

import sys
import time
from collections.abc import Iterator
from pathlib import Path
from statistics import median
from typing import Final

from benchmarks.figures import Figure
from benchmarks.process import cpu_seconds
from tests.server.client import SERVE, Client

_N_RUNS: Final = 9
_ANSWER_GOAL: Final = 0.05
_HOVER_GOAL: Final = 0.45
_EXAMPLE: Final = Path(__file__).resolve().parents[1] / "examples" / "saxpy.ptx"


def measure() -> Iterator[Figure]:
    """Yields CPU and wall time up to the answer and a hover, and the CPU time of Python alone."""
    text = _EXAMPLE.read_text("utf-8")
    row, line = next(it for it in enumerate(text.splitlines()) if "mad.lo" in it[1])
    answers, hovers = [], []
    for _ in range(_N_RUNS):
        begin = time.perf_counter()
        with Client(SERVE) as client:
            client.initialize()
            answers.append((cpu_seconds(client.process.pid), time.perf_counter() - begin))
            client.open(text)
            client.ask("hover", row, line.index("mad"))
            hovers.append((cpu_seconds(client.process.pid), time.perf_counter() - begin))
    for name, times, goal in (
        ("process start to initialize reply", answers, _ANSWER_GOAL),
        ("process start to hover on an opened document", hovers, _HOVER_GOAL),
    ):
        yield Figure(f"{name}, CPU", median(cpu for cpu, _ in times), "s", goal)
        yield Figure(f"{name}, wall", median(wall for _, wall in times), "s")
    bare = []
    for _ in range(_N_RUNS):
        with Client((sys.executable, "-c", "print('Content-Length: 2\\n\\n{}');input()")) as client:
            client.read()
            bare.append(cpu_seconds(client.process.pid))
    yield Figure("of that, Python itself, CPU", median(bare), "s")
