"""The register of a range that a new value would be put into: the next one that is not used yet."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

from ptx_ls.source.numerals import decimal

if TYPE_CHECKING:
    from ptx_ls.semantics.analysis import Analysis
    from ptx_ls.semantics.symbols import Symbol

_FAR: Final = 400
"""Lines of the function that are looked at, above and below."""
_LONG: Final = 1000
_NUMBERED: Final = re.compile(r"(?<![%\w$])([%\w$]*?[%$_A-Za-z])(\d{1,9})(?![\w$])", re.ASCII)


class FreshRegisters:
    """Which registers are used around a line of a function; one look serves all ranges."""

    def __init__(self, analysis: Analysis, line: int) -> None:
        document = analysis.document
        index = document.outline.region_at(line)
        start = max(document.outline.regions[index].start, line - _FAR)
        stop = min(document.outline.stop(index), line + _FAR)
        self._above = _numbers(document.lines[start:line])
        self._below = _numbers(document.lines[line + 1 : stop])

    def number(self, symbol: Symbol) -> int | None:
        """The number behind the highest one above that is not used below; None for no such one."""
        below = self._below.get(symbol.name, frozenset[int]())
        found = max(self._above.get(symbol.name, ()), default=-1) + 1
        while found in below:
            found += 1
        return found if found < symbol.count else None


def _numbers(lines: list[str]) -> dict[str, set[int]]:
    """The numbers of names in some lines; a range's own declaration has none."""
    found: dict[str, set[int]] = {}
    for line in lines:
        if len(line) < _LONG:
            for name, digits in _NUMBERED.findall(line):
                found.setdefault(name, set()).add(decimal(digits))
    return found
