"""Measures all figures with goals: `./dev bench all [NAME...]`, see its `--help`."""

from __future__ import annotations

import argparse
import os
import platform
import time
from collections.abc import Iterator, Sequence
from pathlib import Path
from tempfile import TemporaryDirectory

from benchmarks.figures import Figure
from benchmarks.performance import (
    command_line,
    giant_function,
    large_document,
    lint_cache,
    mistakes,
    server,
)
from benchmarks.performance.measurement import MAX_ROUNDS, OURS, Row, Situation, measured
from benchmarks.performance.page import Circumstances, line, page
from benchmarks.performance.peers import versions
from benchmarks.performance.subject import ROOT, Subject, checked_out, installed, name_of

PAGE = ROOT / "docs" / "performance.md"


def situations(scratch: Path) -> list[Situation[Subject]]:
    """Returns all situations, in the order of the page."""
    return [
        *command_line.situations(scratch),
        *lint_cache.situations(scratch),
        *server.situations(),
        *large_document.situations(),
        *giant_function.situations(),
        *mistakes.situations(scratch),
    ]


def measure(arguments: Sequence[str] = ()) -> Iterator[Figure]:
    """Prints a row for each figure, and yields how many miss their goals."""
    with TemporaryDirectory(prefix="ptx-ls-benchmark-") as name:
        folder = Path(name)
        scratch = folder / "texts"
        scratch.mkdir()
        known = situations(scratch)
        chosen = options(arguments, [it.name for it in known])
        begin = time.monotonic()
        against = name_of(chosen.against) if chosen.against else ""
        subjects = {OURS: installed(ROOT, folder / "ours")}
        if against:
            theirs = checked_out(chosen.against, folder / "sources")
            subjects[against] = installed(theirs, folder / "theirs")
        rows: list[Row] = []
        for situation in known:
            if chosen.names and situation.name not in chosen.names:
                continue
            for row in measured(situation, subjects, chosen.rounds):
                print(line(row, against), flush=True)
                rows.append(row)
        minutes = (time.monotonic() - begin) / 60
        if chosen.write:
            circumstances = Circumstances(minutes, _machine(), versions(), against)
            PAGE.write_text(page(rows, circumstances), encoding="utf-8", newline="\n")
    remark = f"of {len(rows)}, in {minutes:.1f} minutes"
    yield Figure("figures that miss their goal", sum(not it.is_met for it in rows), "", 0, remark)


def options(arguments: Sequence[str], names: Sequence[str]) -> argparse.Namespace:
    """Returns the options. Ends the process if they are wrong; `names` are those of situations."""
    parser = argparse.ArgumentParser(prog="./dev bench all")
    parser.add_argument("names", nargs="*", metavar="NAME", help=", ".join(names))
    parser.add_argument("--against", metavar="REV", help="also measure this commit, in turn")
    parser.add_argument(
        "--rounds", type=int, default=MAX_ROUNDS, metavar="N", help="measure at most N times"
    )
    parser.add_argument("--write", action="store_true", help=f"write docs/{PAGE.name}")
    found = parser.parse_args(arguments)
    unknown = set(found.names) - set(names)
    if unknown:
        parser.error(f"no {', '.join(sorted(unknown))}: choose from {', '.join(names)}")
    if found.write and (found.names or found.rounds < MAX_ROUNDS):
        parser.error("--write needs all figures, and all rounds")
    if found.rounds < 1:
        parser.error("--rounds needs a number from 1")
    return found


def _machine() -> str:
    model = ""
    if Path("/proc/cpuinfo").exists():
        lines = Path("/proc/cpuinfo").read_text(encoding="utf-8").splitlines()
        names = [it.partition(":")[2].strip() for it in lines if it.startswith("model name")]
        model = f" ({names[0]})" if names else ""
    return f"{os.cpu_count()} cores{model}, Python {platform.python_version()}"
