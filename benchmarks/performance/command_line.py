"""The cost of the command line: CPU time of whole processes, and memory."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import cache
from pathlib import Path

from benchmarks import inputs, many_files
from benchmarks.cli_cost import cpu_seconds, peak_bytes
from benchmarks.performance import peers
from benchmarks.performance.measurement import Goal, Peer, Sample, Samples, Situation
from benchmarks.performance.subject import Subject
from ptx_ls.lint.checks import COMPUTATION_GROUPS

_CPU = "cpu"
_MEMORY = "memory"
_STATUSES = (0, 1)
_EMPTY_PYTHON = (sys.executable, "-c", "pass")


def situations(scratch: Path) -> list[Situation[Subject]]:
    """Returns all of them; files that are needed meanwhile are written to `scratch`."""
    return [
        _many("many-nvcc", "files from nvcc", many_files.of_nvcc),
        _many("many-others", "files from Triton and other compilers", many_files.of_others),
        _one(scratch, "tiny", "lint of a file of 35 lines, CPU", "tiny", 0.07),
        _one(scratch, "triton", "lint of 0.14 MB of Triton, CPU", "triton", 0.1),
        _one(scratch, "cutlass", "lint of 0.16 MB of PTX like CUTLASS's, CPU", "cutlass", 0.1),
        _one(scratch, "nvcc", "lint of 10 MB of nvcc, CPU", "mb10", 0.6, "ptxas"),
        _one(scratch, "debug", "lint of 12 MB of `nvcc -G`, CPU", "debug", 0.8, "ptxas"),
        _computation("mb10", "10 MB of nvcc"),
        _computation("debug", "12 MB of `nvcc -G`"),
        _memory(scratch),
    ]


def _lint(subject: Subject, paths: Sequence[Path]) -> list[str]:
    return [*subject.command("lint", "-q", "-j", "1"), *map(str, paths)]


def _cost(commands: Iterable[Sequence[str]], environment: Mapping[str, str] | None) -> Samples:
    """Returns the CPU time of all commands together."""
    return {_CPU: [Sample(sum(cpu_seconds(it, _STATUSES, environment) for it in commands))]}


def _many(name: str, what: str, files: Callable[[], list[Path]]) -> Situation[Subject]:
    make = cache(files)
    title = f"lint of hundreds of {what} in one process, CPU"
    return Situation(
        name,
        (Goal(_CPU, title, "s", 0.4, relative_to="ptxas"),),
        lambda subject: _cost([_lint(subject, make())], subject.environment),
        (Peer("ptxas", lambda: _cost(map(peers.ptxas_command, make()), None)),),
        3,
    )


def _one(
    scratch: Path, name: str, title: str, source: str, limit: float, relative_to: str = ""
) -> Situation[Subject]:
    def text() -> Path:
        return inputs.make(source)

    def python() -> Path:
        return peers.python_file(scratch, n_bytes=text().stat().st_size)

    others = [
        Peer("ptxas", lambda: _cost([peers.ptxas_command(text())], None)),
        Peer("ruff", lambda: _cost([peers.ruff_check(python())], None)),
    ]
    if source == "tiny":
        others.append(Peer("an empty Python", lambda: _cost([_EMPTY_PYTHON], None)))
    return Situation(
        name,
        (Goal(_CPU, title, "s", limit, relative_to=relative_to),),
        lambda subject: _cost([_lint(subject, [text()])], subject.environment),
        tuple(others),
        7 if relative_to else 15,
        is_warmed=True,
    )


def _computation(source: str, what: str) -> Situation[Subject]:
    """Compares a lint with one without the rules about what functions compute."""

    def run(subject: Subject) -> Samples:
        command = _lint(subject, [inputs.make(source)])
        ignoring = [*command, "--ignore", ",".join(COMPUTATION_GROUPS)]
        plain, whole = (
            cpu_seconds(each, _STATUSES, subject.environment) for each in (ignoring, command)
        )
        return {_CPU: [Sample(whole / plain)]}

    title = f"lint of {what}, against a lint without rules about computations, CPU"
    return Situation(f"computation-{source}", (Goal(_CPU, title, "x", 1.6),), run, (), 7)


def _memory(scratch: Path) -> Situation[Subject]:
    def path() -> Path:
        return inputs.make("mb70")

    def size() -> int:
        return path().stat().st_size

    def run(subject: Subject) -> Samples:
        peak = peak_bytes(_lint(subject, [path()]), subject.environment)
        return {_MEMORY: [Sample(peak / size())]}

    def peer(of: Callable[[], list[str]]) -> Samples:
        return {_MEMORY: [Sample(peak_bytes(of(), os.environ) / size())]}

    goal = Goal(_MEMORY, "memory of the lint of 70 MB, the peak", "x its size", 3)
    others = (
        Peer("ptxas", lambda: peer(lambda: peers.ptxas_command(path())), 1),
        Peer("ruff", lambda: peer(lambda: peers.ruff_check(peers.python_file(scratch, size()))), 1),
    )
    return Situation("lint-memory", (goal,), run, others, 2)
