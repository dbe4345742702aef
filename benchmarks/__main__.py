"""Runs benchmarks: `python -m benchmarks [NAME...]`. Prints each figure beside its goal.

The machine should have nothing else to do. Only Linux reports the CPU time of a running process.
"""

from __future__ import annotations

import argparse
import importlib
import sys

BENCHMARKS = {
    "all": "everything that has a goal, in turn with other programs; 15 minutes, only by name",
    "format-speed": "formatting of 10 MB",
    "completion-replay": "how early the wanted completion is offered; only by name",
    "hover-length": "lines of the hovers on the instructions of real code",
    "server-latency": "keystroke to hover, and to diagnostics, over stdio",
    "server-requests": "every request at a cursor of a large file, and opening it",
    "server-random": "random edits and requests against answers from scratch; only by name",
    "growth": "time and memory for each thing that a file can repeat; minutes, and only by name",
    "blame": "how often an error names the part that was changed; needs ptxas, only by name",
    "accuracy": "errors against those of ptxas; some minutes, and only by name",
}
"""Name and subject. The module has a function `measure`, and the name with underscores, or another
in `_MODULES`."""
_MODULES = {"all": "performance"}
_ONLY_BY_NAME = ("accuracy", "all", "blame", "completion-replay", "growth", "server-random")
_WITH_OPTIONS = ("accuracy", "all", "growth", "server-random", "server-requests")


def main() -> int:
    """Runs benchmarks, by default those not in `_ONLY_BY_NAME`; returns 1 if a goal is missed."""
    listing = "\n".join(f"  {name:16}{what}" for name, what in BENCHMARKS.items())
    parser = argparse.ArgumentParser(
        prog="./dev bench",
        description=f"Measures:\n{listing}",
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("names", nargs="*", metavar="NAME")
    arguments = sys.argv[1:]
    options: list[list[str]] = []
    if arguments[:1] and arguments[0] in _WITH_OPTIONS:
        arguments, options = arguments[:1], [arguments[1:]]
    names = parser.parse_args(arguments).names or [
        name for name in BENCHMARKS if name not in _ONLY_BY_NAME
    ]
    n_missed = 0
    for name in names:
        if name not in BENCHMARKS:
            parser.error(f"no benchmark {name!r}: choose from {', '.join(BENCHMARKS)}")
        print(f"--- {name}: {BENCHMARKS[name]}", flush=True)
        try:
            module_name = _MODULES.get(name, name.replace("-", "_"))
            module = importlib.import_module(f"benchmarks.{module_name}")
            for figure in module.measure(*options):
                print(figure.row(), flush=True)
                n_missed += not figure.is_met
        except RuntimeError as error:  # nvcc or ptxas is missing, or rejects a file
            print(error, file=sys.stderr)
            return 2
    return 1 if n_missed else 0


if __name__ == "__main__":
    sys.exit(main())
