"""Compares the lint of 10 MB with ptxas: ``python -m benchmarks.cli_lint [FILE]``.

Both read, parse and check the same file in processes of their own; ptxas gets a virtual
architecture, for which it generates no code.
"""

import os
import re
import sys
from collections.abc import Iterator
from pathlib import Path
from statistics import median

from benchmarks import inputs
from benchmarks.accuracy.verdicts import find_ptxas
from benchmarks.cli_cost import alternating, described, lint_command
from benchmarks.figures import Figure
from ptx_ls.toolchain import ptxas

_GOAL = 1.0
_N_RUNS = 7


def measure(path: Path | None = None) -> Iterator[Figure]:
    """Yields the CPU time of `ptx-ls lint` over that of ptxas, for `path` or the 10 MB input.

    Raises `RuntimeError` if ptxas is missing, or one of the two fails.
    """
    program = find_ptxas()
    path = path or inputs.make("mb10")
    content = path.read_bytes()
    architecture = ptxas.architecture(target_of(content))
    oracle = [str(program), f"-arch={architecture}", "-o", os.devnull, str(path)]
    seconds = alternating({"lint": lint_command(str(path)), "ptxas": oracle}, _N_RUNS)
    ours, theirs = median(seconds["lint"]), median(seconds["ptxas"])
    size = len(content) / 1e6
    remark = f"{size:.1f} MB, {size / ours:.1f} MB/s; median of {described(seconds['lint'])}"
    yield Figure("full lint, CPU", ours, "s", remark=remark)
    remark = f"{size / theirs:.1f} MB/s; median of {described(seconds['ptxas'])}"
    yield Figure("ptxas, CPU", theirs, "s", remark=remark)
    yield Figure("full lint against ptxas, CPU", ours / theirs, "x", _GOAL)


def target_of(content: bytes) -> str:
    """Returns the first target of a module; "" if it has none."""
    found = re.search(rb"^\s*\.target\s+(\w+)", content, re.MULTILINE)
    return found[1].decode() if found else ""


if __name__ == "__main__":
    for figure in measure(Path(sys.argv[1]) if len(sys.argv) > 1 else None):
        print(figure.row())
