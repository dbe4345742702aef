"""Shows rows in a terminal, and writes docs/performance.md."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from statistics import median

from benchmarks.performance.measurement import OURS, Row

_HEAD = """\
# Performance

This page shows how long users wait for ptx-ls, and how much memory ptx-ls takes. \
`./dev bench all --write` writes it.

"""
_NOTES = """
Each goal applies to the median, or to the 95th percentile (p95). A goal such as `0.4x ptxas` \
applies to the ratio of the two medians. A row whose title ends with *CPU* measures the CPU time \
of all processes. All other rows measure the time until the answer arrives; their column CPU has \
the CPU time of the server until then. Bold figures miss their goals.

The programs run in turns. *Load* is the highest load average during these runs; if it is above \
1.5, the measured times are too long. The PTX is output of nvcc and Triton \
(`benchmarks/inputs.py`). The other programs get this input:

| program | what it does |
| --- | --- |
| ptxas | reads and checks the same PTX, and generates no code; with many files, one run for each |
| ruff | checks Python of the same size without its cache, or runs as its language server |
| clangd | runs as the language server for C of the same size |
| Pygments, tree-sitter | find the colours of C: CPU time for 1 MB, multiplied |
| an empty Python | starts and ends |
"""


@dataclass(frozen=True, slots=True)
class Circumstances:
    """Under which conditions all rows were measured; `against` is another version, or ""."""

    minutes: float
    machine: str
    versions: str
    against: str = ""


def line(row: Row, against: str = "") -> str:
    """Returns a row as text for a terminal."""
    goal = row.goal
    ours = row.samples.get(OURS, [])
    if row.measured is None:
        return f"{goal.title:66} missing  {'; '.join(f'{k}: {v}' for k, v in row.missing.items())}"
    verdict = "ok" if row.is_met else "MISSED"
    values = [it.value for it in ours]
    parts = [
        f"{goal.title:66}{_measured(row):>12}  <= {_limit(row):9} {verdict:7}",
        f"min {_number(min(values))}, median {_number(median(values))} of {len(values)}",
    ]
    if _cpu(row):
        parts.append(f"CPU {_cpu(row)}")
    if against:
        parts.append(f"{against}: {_against(row, against)}")
    parts += [others] if (others := _others(row, against)) else []
    return "; ".join([*parts, f"load {row.load:.1f}"])


def page(rows: Sequence[Row], circumstances: Circumstances) -> str:
    """Returns the page in Markdown."""
    against = circumstances.against
    columns = ["what", "goal", "measured", "min", "median", "CPU"]
    columns += [f"{against}: measured, ours/its"] if against else []
    columns += ["others", "load"]
    table = [columns, [":---" if it in ("what", "others") else "---:" for it in columns]]
    table += [_cells(row, against) for row in rows]
    text = "".join([f"| {' | '.join(cells)} |\n" for cells in table])
    n_missed = sum(not row.is_met for row in rows)
    end = (
        f"\n{len(rows) - n_missed} of {len(rows)} goals are met. Measured in "
        f"{circumstances.minutes:.0f} minutes on {circumstances.machine}, with "
        f"{circumstances.versions}.\n"
    )
    return _HEAD + text + _NOTES + end


def _cells(row: Row, against: str) -> list[str]:
    values = [it.value for it in row.samples.get(OURS, [])]
    measured = _measured(row)
    cells = [
        row.goal.title,
        f"{_limit(row)}",
        measured if row.is_met else f"**{measured}**",
        _number(min(values)) if values else "",
        _number(median(values)) if values else "",
        _cpu(row),
    ]
    cells += [_against(row, against)] if against else []
    return [*cells, _others(row, against), f"{row.load:.1f}"]


def _limit(row: Row) -> str:
    goal = row.goal
    unit = "x " + goal.relative_to if goal.relative_to else f" {goal.unit}"
    return f"{goal.limit:g}{unit}"


def _measured(row: Row) -> str:
    if row.measured is None:
        return "missing"
    unit = "x" if row.goal.relative_to else f" {row.goal.unit}"
    notes = sorted({it.note for it in row.samples.get(OURS, [])} - {""})
    note = f" ({', '.join(notes)})" if notes else ""
    return f"{_number(row.measured)}{unit}{note}"


def _cpu(row: Row) -> str:
    """Returns the median CPU time of the server, if the figure has one."""
    spent = [it.cpu for it in row.samples.get(OURS, []) if it.cpu is not None]
    return f"{_number(median(spent))} ms" if spent else ""


def _against(row: Row, name: str) -> str:
    """Returns the statistic of another version, and our ratio to it."""
    ours, theirs = row.statistic(), row.statistic(name)
    if ours is None or not theirs:
        return "missing"
    return f"{_number(theirs)}, {ours / theirs:.2f}x"


def _others(row: Row, against: str) -> str:
    """Returns the statistics of all peers, and which are missing."""
    found = [
        f"{name} {_number(value)}"
        for name in row.samples
        if name not in (OURS, against) and (value := row.statistic(name)) is not None
    ]
    missing = [f"{name} missing" for name in row.missing if name not in (OURS, against)]
    return ", ".join(found + missing)


def _number(value: float) -> str:
    """Returns a number with at least two digits that count."""
    digits = 0 if value >= 100 else 1 if value >= 10 else 2 if value >= 0.1 else 3  # noqa: PLR2004
    return f"{value:,.{digits}f}"
