"""The time of an error: of an illegal instruction beyond a legal one, for each opcode."""

from __future__ import annotations

import subprocess
import sys
from functools import cache
from pathlib import Path

from benchmarks.figures import quantile
from benchmarks.illegal_instructions import OPCODES, instructions, module
from benchmarks.performance import lint_times
from benchmarks.performance.measurement import Goal, Sample, Samples, Situation
from benchmarks.performance.subject import Subject

_N_MEASURED = 100
_N_WARM = 30
"""Instructions that are linted before the measurement, so that one-time costs do not count."""
_FEW = 50
"""With fewer different legal instructions, the time of a legal one is not known."""
_USUAL, _WORST = "usual", "worst"


def situations(scratch: Path) -> list[Situation[Subject]]:
    """Returns the only one; the texts are written to `scratch`."""
    title = "the error for an illegal instruction, {}, CPU"
    goals = (
        Goal(_USUAL, title.format(f"median of {len(OPCODES)} opcodes"), "ms", 0.3),
        Goal(_WORST, title.format("the slowest opcode"), "ms", 0.3),
    )

    @cache
    def texts() -> dict[str, tuple[int, int]]:
        return {opcode: _write(opcode, scratch) for opcode in OPCODES}

    def run(subject: Subject) -> Samples:
        counts = texts()
        files = {
            (opcode, kind): str(scratch / f"{opcode}.{kind}.ptx")
            for opcode in counts
            for kind in ("warm", "none", "wrong", "right")
        }
        command = [sys.executable, str(Path(lint_times.__file__)), *files.values()]
        done = subprocess.run(
            command, env=subject.environment, capture_output=True, text=True, check=False
        )
        if done.returncode:
            raise RuntimeError(f"this version has another interface: {done.stderr[-300:]}")
        seconds = dict(zip(files, map(float, done.stdout.split()), strict=True))
        each = {opcode: _milliseconds(opcode, *counts[opcode], seconds) for opcode in counts}
        slowest = max(each, key=lambda opcode: each[opcode])
        usual = quantile([*each.values()], 0.5)
        return {_USUAL: [Sample(usual)], _WORST: [Sample(each[slowest], note=slowest)]}

    return [Situation("mistakes", goals, run, n_rounds=3)]


def _write(opcode: str, folder: Path) -> tuple[int, int]:
    """Writes the files of an opcode; returns how many illegal and legal instructions they have."""
    wrong, right = ([*map(str, each)] for each in instructions(opcode, _N_WARM + _N_MEASURED))
    contents = {
        "warm": [*wrong[_N_MEASURED:], *right[_N_MEASURED:]],
        "none": [],
        "wrong": wrong[:_N_MEASURED],
        "right": right[:_N_MEASURED],
    }
    for kind, statements in contents.items():
        path = folder / f"{opcode}.{kind}.ptx"
        path.write_text(module(opcode, statements), encoding="utf-8", newline="\n")
    return len(contents["wrong"]), len(contents["right"])


def _milliseconds(
    opcode: str, n_wrong: int, n_right: int, seconds: dict[tuple[str, str], float]
) -> float:
    nothing = seconds[opcode, "none"]
    needed = (seconds[opcode, "right"] - nothing) / n_right if n_right >= _FEW else 0
    return 1000 * ((seconds[opcode, "wrong"] - nothing) / n_wrong - needed)
