"""Measures the process that lints a small file: ``python -m benchmarks.cli_startup [FILE]``."""

import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from statistics import median

from benchmarks import inputs
from benchmarks.cli_cost import alternating, described, lint_command
from benchmarks.figures import Figure

_GOAL = 0.07
_N_RUNS = 15
_N_SLOWEST = 10


def measure(path: Path | None = None) -> Iterator[Figure]:
    """Yields CPU seconds from the start of the process to its end, for `path` or a small input."""
    path = path or inputs.make("small")
    commands = {
        "ptx-ls lint of a small file, CPU": lint_command(str(path)),
        "ptx-ls --version, CPU": [sys.executable, "-m", "ptx_ls", "--version"],
        "an empty Python, CPU": [sys.executable, "-c", "pass"],
    }
    for name, seconds in alternating(commands, _N_RUNS).items():
        goal = _GOAL if "lint" in name else None
        yield Figure(name, median(seconds), "s", goal, f"median of {described(seconds)}")


def slowest_imports(path: Path) -> list[str]:
    """Returns a line for each of the slowest imported modules: own microseconds and name."""
    command = [sys.executable, "-X", "importtime", *lint_command(str(path))[1:]]
    report = subprocess.run(command, capture_output=True, text=True, check=False).stderr
    rows = [line.removeprefix("import time:").split("|") for line in report.splitlines()]
    timed = [(int(row[0]), row[2].strip()) for row in rows if row[0].strip().isdigit()]
    return [f"{spent:8} {name}" for spent, name in sorted(timed, reverse=True)[:_N_SLOWEST]]


if __name__ == "__main__":
    chosen = Path(sys.argv[1]) if len(sys.argv) > 1 else inputs.make("small")
    for figure in measure(chosen):
        print(figure.row())
    print("slowest imports, us each:", *slowest_imports(chosen), sep="\n")
