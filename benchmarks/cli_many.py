"""Compares the lint of many small files with ptxas: ``python -m benchmarks.cli_many [FOLDER]``.

One process lints all files; ptxas runs once for each, with a virtual architecture, for which it
generates no code. Without a folder, the files are the smaller ones of the corpus, which several
compilers made.
"""

import os
import sys
from collections.abc import Iterator
from pathlib import Path
from statistics import median

from benchmarks.accuracy.verdicts import find_ptxas
from benchmarks.cli_cost import cpu_seconds, described, lint_command
from benchmarks.cli_lint import target_of
from benchmarks.figures import Figure
from ptx_ls.toolchain import ptxas

_CORPUS = Path(__file__).resolve().parents[1] / "tests" / "corpus" / "ptx"
_MAX_SIZE = 64_000
_GOAL = 0.4
_N_RUNS = 5


def measure(folder: Path | None = None) -> Iterator[Figure]:
    """Yields the CPU time of one `ptx-ls lint` over that of ptxas for each of many files.

    Raises `RuntimeError` if ptxas is missing, or fails.
    """
    program = find_ptxas()
    files = sorted((folder or _CORPUS).glob("*.ptx"))
    files = [path for path in files if path.stat().st_size <= _MAX_SIZE]
    lint = lint_command("-j", "1", *map(str, files))
    architectures = [ptxas.architecture(target_of(path.read_bytes())) for path in files]
    oracles = [
        [str(program), f"-arch={architecture}", "-o", os.devnull, str(path)]
        for path, architecture in zip(files, architectures, strict=True)
    ]
    ours: list[float] = []
    theirs: list[float] = []
    for _ in range(_N_RUNS):  # in turns, so that a busy machine slows both alike
        ours.append(cpu_seconds(lint, statuses=(0, 1)))
        theirs.append(sum(map(cpu_seconds, oracles)))
    size = sum(path.stat().st_size for path in files) / 1e6
    remark = f"{len(files)} files, {size:.1f} MB; median of {described(ours)}"
    yield Figure("lint of many small files, CPU", median(ours), "s", remark=remark)
    remark = f"as many runs; median of {described(theirs)}"
    yield Figure("ptxas, CPU", median(theirs), "s", remark=remark)
    ratio = median(ours) / median(theirs)
    yield Figure("lint of many small files against ptxas, CPU", ratio, "x", _GOAL)


if __name__ == "__main__":
    for figure in measure(Path(sys.argv[1]) if len(sys.argv) > 1 else None):
        print(figure.row())
