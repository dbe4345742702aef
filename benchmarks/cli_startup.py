"""`ptx-ls lint` of a small file, the whole process: ``python -m benchmarks.cli_startup``."""

import subprocess
import sys
from pathlib import Path
from statistics import median

from benchmarks import inputs
from benchmarks.cli_cost import Figure, alternating, described, lint_command

GOAL = 0.25  # seconds
N_RUNS = 15
N_SLOWEST = 10


def measure(path: Path | None = None, n_runs: int = N_RUNS) -> list[Figure]:
    """CPU seconds from the start of the process to its end, for `path` or the small input."""
    path = path or inputs.make("small")
    commands = {
        "lint": lint_command(str(path)),
        "version": [sys.executable, "-m", "ptx_ls", "--version"],
        "python": [sys.executable, "-c", "pass"],
    }
    seconds = alternating(commands, n_runs)
    detail = (
        f"{path.name}, {path.stat().st_size} bytes: {described(seconds['lint'])};"
        f" `ptx-ls --version` {described(seconds['version'])},"
        f" an empty Python {described(seconds['python'])}"
    )
    return [Figure("ptx-ls lint of a small file, CPU", median(seconds["lint"]), GOAL, " s", detail)]


def slowest_imports(path: Path) -> list[str]:
    """The modules whose own import takes longest, a line each: microseconds and name."""
    command = [sys.executable, "-X", "importtime", *lint_command(str(path))[1:]]
    report = subprocess.run(command, capture_output=True, text=True, check=False).stderr
    rows = [line.removeprefix("import time:").split("|") for line in report.splitlines()]
    timed = [(int(row[0]), row[2].strip()) for row in rows if row[0].strip().isdigit()]
    return [f"{spent:8} {name}" for spent, name in sorted(timed, reverse=True)[:N_SLOWEST]]


def main() -> int:
    """Prints the figure and the slowest imports, for the file named on the command line if any."""
    path = Path(sys.argv[1]) if len(sys.argv) > 1 else inputs.make("small")
    for figure in measure(path):
        print(figure)
    print("slowest imports, us each:", *slowest_imports(path), sep="\n")
    return 0


if __name__ == "__main__":
    sys.exit(main())
