"""Finds runs, and lines with statements, in the records of consecutive lines."""

from __future__ import annotations

from itertools import compress
from operator import not_
from typing import TYPE_CHECKING, Final

from ptx_ls.syntax.record import BLANK, COMMENT, MultiLine, Record

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence


def run_start(records: Sequence[Record], line: int) -> int:
    """Returns the first line of the run that contains `line`, or `line` if it is not in a run.

    Uses a binary search, as a run may be long.
    """
    run = records[line]
    if not isinstance(run, MultiLine):
        return line
    step, low = 1, line
    while low > 0 and records[max(0, low - step)] is run:
        low = max(0, low - step)
        step *= 2
    bound = max(0, low - step)
    while bound < low:
        middle = (bound + low) // 2
        if records[middle] is run:
            low = middle
        else:
            bound = middle + 1
    return low


def run_stop(records: Sequence[Record], start: int) -> int:
    """Returns the line after the run that begins on `start`; the next line if no run does."""
    run, stop = records[start], start + 1
    if isinstance(run, MultiLine):
        while stop < len(records) and records[stop] is run:
            stop += 1
    return stop


_LINES_OF_PORTION: Final = 256
"""Number of records to examine together when empty lines are skipped."""
_is_silent: Final = frozenset({BLANK, COMMENT}).__contains__


def filled(records: Sequence[Record], start: int = 0, stop: int | None = None) -> Iterator[int]:
    """Yields the numbers of those lines in [start, stop) that have statements, in order.

    Skips blank lines and comments without running Python code for each.
    """
    start, stop, _ = slice(start, stop).indices(len(records))
    for first in range(start, stop, _LINES_OF_PORTION):
        numbers = range(first, min(first + _LINES_OF_PORTION, stop))
        silent = map(_is_silent, records[first : numbers.stop])
        yield from compress(numbers, map(not_, silent))
