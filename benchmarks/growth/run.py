"""Measures all series, or some: `./dev bench growth [NAME...] [--write]`."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from benchmarks.figures import Figure
from benchmarks.growth import bodies, computations, layouts, long_lines, mistakes, modules
from benchmarks.growth.growth import growth
from benchmarks.growth.sampling import Sampler
from benchmarks.growth.series import Series
from benchmarks.growth.serving import Editor
from benchmarks.growth.table import Row, page

SERIES: tuple[Series, ...] = (
    *modules.SERIES,
    *bodies.SERIES,
    *computations.SERIES,
    *mistakes.SERIES,
    *layouts.SERIES,
    *long_lines.SERIES,
)
PAGE = Path(__file__).parents[2] / "docs" / "growth.md"
_SERVED = 25_000
"""Size in bytes of the text that the server opens: more than it reads in one step."""


def measure(arguments: Sequence[str] = ()) -> Iterator[Figure]:
    """Prints a row for each series, and yields how many series miss a goal."""
    parser = argparse.ArgumentParser(prog="./dev bench growth")
    parser.add_argument("names", nargs="*", metavar="NAME", help="a series, or a part of its name")
    parser.add_argument("--write", action="store_true", help=f"write docs/{PAGE.name}, too")
    options = parser.parse_args(arguments)
    chosen = [one for one in SERIES if _is_chosen(one, options.names)]
    if sys.platform != "linux":
        raise RuntimeError("growth is measured on Linux only")
    rows = []
    print(f"{'':42}{'lint':^27}{'format':^27}{'server':>9}")
    names = ["exponent", "s/100kB", "memory"] * 2
    print(f"{'':42}{''.join([f'{name:>9}' for name in names])}{'step ms':>9}", flush=True)
    with Sampler() as sampler, Editor() as editor, ThreadPoolExecutor(1) as served:
        # The server has its own process, so two cores work at the same time.
        steps = served.map(lambda one: editor.longest_step(one.of_size(_SERVED)), chosen)
        for one in chosen:
            lint, layout = (growth(sampler, command, one) for command in ("lint", "format"))
            step = next(steps)
            rows.append(Row(one.name, lint, layout, step))
            print(rows[-1].text(), flush=True)
            if options.write:  # after each series, because all take long
                PAGE.write_text(page(rows), encoding="utf-8", newline="\n")
    n_bad = sum(bool(row.n_missed) for row in rows)
    yield Figure("series that miss a goal", n_bad, "", 0, f"of {len(rows)}")


def _is_chosen(series: Series, names: Sequence[str]) -> bool:
    if series.name in names:
        return True
    is_exact = any(name == one.name for name in names for one in SERIES)
    return not names or (not is_exact and any(name in series.name for name in names))
