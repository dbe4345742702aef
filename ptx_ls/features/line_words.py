"""Names lines in sentences: `lines 3, 5 and 7`."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from ptx_ls.source.english import listed

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

MAX_NAMED: Final = 4
"""Number of lines up to which each is named."""


def on_lines(lines: Iterable[int], *, joint: str = "and") -> str:
    """Returns the words for some lines, numbered from 1; of many, the first and the last one."""
    numbers = sorted({*lines})
    is_one = len(numbers) == 1 or joint != "and"
    is_long = len(numbers) > MAX_NAMED
    shown = f"{numbers[0]} to {numbers[-1]}" if is_long else listed(map(str, numbers), joint)
    return f"{'line' if is_one else 'lines'} {shown}"


def counted_lines(lines: Iterable[int]) -> str:
    """Returns the words for some lines, numbered from 1; of many, also their number."""
    numbers = sorted({*lines})
    if len(numbers) > MAX_NAMED:
        return f"{len(numbers):,} lines from {numbers[0]} to {numbers[-1]}"
    return on_lines(numbers)


def on_runs(runs: Sequence[Sequence[int]]) -> str:
    """Returns the words for the lines of statements that come one after another, by runs."""
    if len(runs) == 1 or sum(map(len, runs)) <= MAX_NAMED:
        return on_lines(line for run in runs for line in run)
    parts = [f"{run[0]} to {run[-1]}" if len(run) > 1 else f"{run[0]}" for run in runs]
    if len(parts) > MAX_NAMED:
        return f"lines {runs[0][0]} to {runs[-1][-1]}, not on all of them"
    return f"lines {listed(parts, 'and')}"


def in_runs(numbers: Sequence[int], all_numbers: Sequence[int]) -> list[list[int]]:
    """Splits sorted numbers into those that come one after another among all numbers."""
    places = {each: place for place, each in enumerate(all_numbers)}
    runs: list[list[int]] = []
    for each in numbers:
        if runs and places[each] == places[runs[-1][-1]] + 1:
            runs[-1].append(each)
        else:
            runs.append([each])
    return runs
