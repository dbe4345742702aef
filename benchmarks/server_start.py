"""Measures how long an editor waits for the server to start."""

import sys
import time
from collections.abc import Iterator
from statistics import median

from benchmarks.figures import Figure
from benchmarks.process import cpu_seconds
from tests.server.client import SERVE, Client

_N_RUNS = 9
_GOAL = 0.45


def measure() -> Iterator[Figure]:
    """Yields CPU and wall time up to the answer, and the CPU time of Python alone."""
    cpu, wall = [], []
    for _ in range(_N_RUNS):
        begin = time.perf_counter()
        with Client(SERVE) as client:
            client.initialize()
            wall.append(time.perf_counter() - begin)
            cpu.append(cpu_seconds(client.process.pid))
    yield Figure("process start to initialize reply, CPU", median(cpu), "s", _GOAL)
    yield Figure("process start to initialize reply, wall", median(wall), "s")
    bare = []
    for _ in range(_N_RUNS):
        with Client((sys.executable, "-c", "print('Content-Length: 2\\n\\n{}');input()")) as client:
            client.read()
            bare.append(cpu_seconds(client.process.pid))
    yield Figure("of that, Python itself, CPU", median(bare), "s")
