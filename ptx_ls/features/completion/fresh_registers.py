"""The registers of a range that a new value would be put into.

First those that are read below and written nowhere: the line that writes them is being typed. Then
the next one that is not used yet.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

from ptx_ls.features.completion.recent import results_of
from ptx_ls.source.numerals import decimal
from ptx_ls.syntax.names import FIRST_OF_NAME, NAME_ENDS, NOT_IN_NAME, OF_NAMES

if TYPE_CHECKING:
    from collections.abc import Iterable

    from ptx_ls.semantics.analysis import Analysis
    from ptx_ls.semantics.symbols.symbols import Symbol
    from ptx_ls.source import Position

_MAX_LINES_AWAY: Final = 400
"""Lines of the function that are looked at, above and below."""
_MAX_LINES_BELOW: Final = 100
"""Lines below where something is read that nobody writes."""
_MAX_LINE_LENGTH: Final = 1000
_NUMBERED: Final = re.compile(
    rf"{NOT_IN_NAME}([%{OF_NAMES}]*?{FIRST_OF_NAME})(\d{{1,9}}){NAME_ENDS}", re.ASCII
)


class FreshRegisters:
    """Which registers are used around a place in a function; one look serves all ranges."""

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
        self._below = _numbers(below)
        self._awaited = _numbers(below[:_MAX_LINES_BELOW], without=written)

    def likely(self, symbol: Symbol) -> list[int]:
        """The numbers that are awaited below, the nearest first, and the next that is free."""
        name = symbol.name
        above, below = self._above.get(name, {}), self._below.get(name, {})
        found = [number for number in self._awaited.get(name, ()) if number not in above]
        free = max(above, default=-1) + 1
        while free in below:
            free += 1
        return [number for number in (*found, free) if number < symbol.count]


def _numbers(
    lines: Iterable[str], without: frozenset[str] | set[str] = frozenset()
) -> dict[str, dict[int, None]]:
    """The numbers of names in some lines in order; a range's own declaration has none."""
    found: dict[str, dict[int, None]] = {}
    for line in lines:
        for name, digits in _NUMBERED.findall(line):
            if f"{name}{digits}" not in without:
                found.setdefault(name, {})[decimal(digits)] = None
    return found
