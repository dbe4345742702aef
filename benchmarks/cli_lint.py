"""Full lint of 10 MB against ptxas: ``python -m benchmarks.cli_lint [FILE]``.

Both read, parse and check the same file in whole processes of their own; ptxas is asked for a
virtual architecture, for which it generates no code.
"""

import os
import re
import sys
from pathlib import Path
from statistics import median

from benchmarks import inputs
from benchmarks.cli_cost import Figure, alternating, described, lint_command
from ptx_ls.toolchain import ptxas

GOAL = 1.0
N_RUNS = 7


def measure(path: Path | None = None, n_runs: int = N_RUNS) -> list[Figure]:
    """CPU time of `ptx-ls lint` over that of ptxas, for `path` or the 10 MB input.

    Raises `RuntimeError` when ptxas is missing, or one of the two refuses the file.
    """
    program = ptxas.find()
    if program is None:
        raise RuntimeError(f"ptxas not found: {ptxas.INSTALL_HINT}")
    path = path or inputs.make("mb10")
    content = path.read_bytes()
    architecture = ptxas.architecture(_target(content))
    oracle = [str(program), f"-arch={architecture}", "-o", os.devnull, str(path)]
    seconds = alternating({"lint": lint_command(str(path)), "ptxas": oracle}, n_runs)
    ours, theirs = median(seconds["lint"]), median(seconds["ptxas"])
    size = len(content) / 1e6
    detail = (
        f"{path.name}, {size:.1f} MB: lint {described(seconds['lint'])}, {size / ours:.1f} MB/s;"
        f" ptxas {described(seconds['ptxas'])}, {size / theirs:.1f} MB/s; {n_runs} runs each"
    )
    return [Figure("full lint, CPU time against ptxas", ours / theirs, GOAL, "x", detail)]


def _target(content: bytes) -> str:
    found = re.search(rb"^\s*\.target\s+(\w+)", content, re.MULTILINE)
    return found[1].decode() if found else ""


def main() -> int:
    """Prints the figure, of the file named on the command line if there is one."""
    named = Path(sys.argv[1]) if len(sys.argv) > 1 else None
    for figure in measure(named):
        print(figure)
    return 0


if __name__ == "__main__":
    sys.exit(main())
