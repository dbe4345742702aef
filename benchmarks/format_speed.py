"""Measures the formatting of 10 MB: ``python -m benchmarks.format_speed [FILE]``.

Measures whole processes, as the lint benchmark does. `--check` does everything except write the
file. Another program that changes white space runs in turn with it: clang-format if it is installed
(it reads the text as a language with braces), or `expand`, which only replaces tabs.
"""

import shutil
import sys
from collections.abc import Iterator
from pathlib import Path
from statistics import median

from benchmarks import inputs
from benchmarks.cli_cost import alternating, described, lint_command
from benchmarks.figures import Figure

_GOAL = 2.0
_N_RUNS = 5
_OTHERS = {"clang-format": ["--style=LLVM", "--assume-filename=a.java"], "expand": []}


def measure(path: Path | None = None) -> Iterator[Figure]:
    """Yields megabytes per second of CPU time, for `path` or the 10 MB input."""
    path = path or inputs.make("mb10")
    size = path.stat().st_size / 1e6
    command = [sys.executable, "-m", "ptx_ls", "format", "--check", "-q", "-j", "1", str(path)]
    commands = {"ptx-ls format": command, "ptx-ls lint": lint_command("-q", "-j", "1", str(path))}
    for name, options in _OTHERS.items():
        program = shutil.which(name)
        if program is not None:
            commands[name] = [program, *options, str(path)]
            break
    seconds = alternating(commands, _N_RUNS)
    for name, spent in seconds.items():
        goal = _GOAL if name == "ptx-ls format" else None
        remark = f"{size:.1f} MB; {described(spent)}"
        yield Figure(f"{name}, CPU", size / median(spent), "MB/s", goal, remark, is_minimum=True)


if __name__ == "__main__":
    for figure in measure(Path(sys.argv[1]) if len(sys.argv) > 1 else None):
        print(figure.row())
