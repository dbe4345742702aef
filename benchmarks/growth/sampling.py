"""Measures CPU time and memory of one command on one text, in its own process. Linux only.

Each sample is a fork of a process that has imported everything and does nothing else, so it has
only the costs of the text, and reuses no memory that another sample has freed.
"""

from __future__ import annotations

import multiprocessing
import os
import re
import resource
import sys
import time
from contextlib import suppress
from multiprocessing.connection import Connection
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Final, NamedTuple, Self

from ptx_ls.cli import main as cli
from ptx_ls.cli.status import ExitStatus

MAX_CPU_SECONDS = 10
MAX_BYTES = 4_000_000_000
"""Limit on the address space of the process of a sample."""
_CONTEXT: Final = multiprocessing.get_context("fork")
_SMALL = ".version 8.5\n.target sm_90\n.entry k()\n{\n\tadd.u32 %r1, 1;\n\tret;\n}\n"


class Sample(NamedTuple):
    """The cost of a command: CPU seconds, and bytes by which the peak of memory grew."""

    cpu: float
    memory: int


class Sampler:
    """Runs `lint` and `format` on texts. Use it in a `with` statement, on one thread."""

    def __init__(self) -> None:
        self._folder = TemporaryDirectory()
        self._path = Path(self._folder.name) / "series.ptx"
        self._asking, asked = _CONTEXT.Pipe()
        self._process = _CONTEXT.Process(target=_serve, args=(asked, self._asking, self._path))

    def __enter__(self) -> Self:
        self._process.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._asking.close()
        self._process.join()
        self._folder.cleanup()

    def sample(self, command: str, text: str) -> Sample | None:
        """Runs a command on a text once; None if it took too much time or memory."""
        self._path.write_text(text, encoding="utf-8", newline="")
        self._asking.send(command)
        found: Sample | None = self._asking.recv()
        return found


def _serve(asked: Connection, asking: Connection, path: Path) -> None:
    """Takes one sample per requested command, until the input ends."""
    asking.close()  # otherwise the end of the pipe would never be seen
    path.write_text(_SMALL, encoding="utf-8")
    for command in ("lint", "format"):
        _run(command, path)  # imports all that a file with a mistake needs
    with suppress(EOFError):
        while True:
            command = asked.recv()
            receiver, sender = _CONTEXT.Pipe(duplex=False)
            process = _CONTEXT.Process(target=_child, args=(sender, command, path))
            process.start()
            sender.close()
            try:
                found: Sample | None = receiver.recv()
            except EOFError:
                found = None
            process.join()
            receiver.close()
            asked.send(found)


def _child(sender: Connection, command: str, path: Path) -> None:
    resource.setrlimit(resource.RLIMIT_CPU, (MAX_CPU_SECONDS, MAX_CPU_SECONDS))
    resource.setrlimit(resource.RLIMIT_AS, (MAX_BYTES, MAX_BYTES))
    Path("/proc/self/clear_refs").write_text("5", encoding="ascii")  # resets the peak of memory
    memory, cpu = _peak(), time.process_time()
    status = _run(command, path)
    cpu, memory = time.process_time() - cpu, _peak() - memory
    if status != ExitStatus.INTERNAL_ERROR:  # refusing a file that is not PTX is fine
        sender.send(Sample(cpu, memory))
    sender.close()


def _run(command: str, path: Path) -> int:
    options = ["-j", "1"] if command == "lint" else ["--check", "-j", "1"]
    nothing = os.open(os.devnull, os.O_WRONLY)
    kept = os.dup(1), os.dup(2)
    try:
        os.dup2(nothing, 1)
        os.dup2(nothing, 2)
        return cli.main([command, *options, str(path)])
    finally:
        sys.stdout.flush()
        for number, descriptor in enumerate(kept, start=1):
            os.dup2(descriptor, number)
            os.close(descriptor)
        os.close(nothing)


def _peak() -> int:
    """Returns the most memory that was in use, in bytes."""
    status = Path("/proc/self/status").read_text(encoding="ascii")
    match = re.search(r"^VmHWM:\s+(\d+) kB", status, re.MULTILINE)
    if match is None:
        raise ValueError("no VmHWM in /proc/self/status")
    return int(match[1]) * 1024
