"""Finds the registers of a range that a new value is likely to be written to.

First come those that are read below but written nowhere, since the line being typed may write them,
then the one after the last result, and the next one that is not used yet.
"""

from __future__ import annotations

from itertools import count
from typing import TYPE_CHECKING, Final

from ptx_ls.features.completion.ranking.recent import results_of
from ptx_ls.source.numerals import decimal
from ptx_ls.syntax.names import names_in

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Sequence

    from ptx_ls.semantics.analysis import Analysis
    from ptx_ls.semantics.symbols.symbols import Symbol
    from ptx_ls.source import Position

_MAX_LINES_AWAY: Final = 400
"""Maximum number of lines of the function to read above and below the place."""
_MAX_LINES_OF_RESULTS: Final = 24
"""Maximum number of lines above the place to search for the last result."""
_MAX_LINES_BELOW: Final = 100
"""Maximum number of lines below the place to search for reads of unwritten registers."""
_MAX_LINE_LENGTH: Final = 1000


class FreshRegisters:
    """The numbers in names of registers around a place in a function, for all ranges."""

    def __init__(self, analysis: Analysis, position: Position) -> None:
        document, line = analysis.document, position.line
        located = document.located_on(line)
        start = max(located.first_line, line - _MAX_LINES_AWAY)
        stop = min(located.stop_line, line + _MAX_LINES_AWAY)
        typed = document.lines[line][: position.column]
        above = [
            text for text in (*document.lines[start:line], typed) if len(text) < _MAX_LINE_LENGTH
        ]
        below = [text for text in document.lines[line + 1 : stop] if len(text) < _MAX_LINE_LENGTH]
        written = {name for text in below[:_MAX_LINES_BELOW] for name in results_of(text)}
        self._above = _numbers(above)
        self._last = _last_results(above)
        self._below = _numbers(below)
        self._awaited = _numbers(below[:_MAX_LINES_BELOW], without=written)

    def likely(self, symbol: Symbol) -> list[int]:
        """Returns numbers, the likeliest first.

        They are those that are read but not written, then the next one after the last result, the
        one after all others, the lowest one that is not used, and the second one after the result.
        """
        name = symbol.name
        above, below = self._above.get(name, {}), self._below.get(name, {})
        found = [number for number in self._awaited.get(name, ()) if number not in above]
        used = {*above, *below}
        following = [unused_number(self._last[name] + 1, used)] if name in self._last else []
        after_it = [unused_number(number + 1, used) for number in following]
        free = unused_number(max(above, default=-1) + 1, used)
        numbers = (*found, *following, free, unused_number(1, used), *after_it)
        return [number for number in dict.fromkeys(numbers) if number < symbol.count]


def unused_number(start: int, used: Collection[int]) -> int:
    """Returns the first number from a start that is not used."""
    return next(number for number in count(start) if number not in used)


def _last_results(lines: Sequence[str]) -> dict[str, int]:
    """Returns the number of the last register of each range that lines write to."""
    found: dict[str, int] = {}
    for line in reversed(lines[-_MAX_LINES_OF_RESULTS:]):
        for stem, numbers in _numbers([" ".join(results_of(line))]).items():
            found.setdefault(stem, max(numbers))
    return found


def _numbers(
    lines: Iterable[str], without: frozenset[str] | set[str] = frozenset()
) -> dict[str, dict[int, None]]:
    """Maps the prefixes of names to the numbers after them, in the order of the lines."""
    found: dict[str, dict[int, None]] = {}
    for line in lines:
        for name in names_in(line):
            stem = name.rstrip("0123456789")
            if stem != name and name not in without:
                found.setdefault(stem, {})[decimal(name[len(stem) :])] = None
    return found
