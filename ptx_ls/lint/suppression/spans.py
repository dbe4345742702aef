"""Finds rows in sorted lists, such as the rows of the diagnostics that comments suppress."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from itertools import accumulate
from typing import TYPE_CHECKING

from ptx_ls.lint.suppression.comments import EVERY
from ptx_ls.lint.suppression.surroundings import OF_COMMENTS

if TYPE_CHECKING:
    from collections.abc import Iterable


class RowsOfRules:
    """Rows by rule; `EVERY` stands for all rules that are not about comments."""

    def __init__(self, found: Iterable[tuple[int, str]]) -> None:
        self._rows: dict[str, list[int]] = {}
        for row, rule in sorted(found):
            self._rows.setdefault(rule, []).append(row)
            if rule not in OF_COMMENTS:
                self._rows.setdefault(EVERY, []).append(row)

    def has(self, rule: str, first: int, last: float) -> bool:
        """Whether a rule has a row from `first` to `last`."""
        rows = self._rows.get(rule, [])
        at = bisect_left(rows, first)
        return at < len(rows) and rows[at] <= last

    def bounds(self) -> frozenset[tuple[int, str]]:
        """Returns the first and the last row of each rule."""
        rows = [(at, rule) for rule, it in self._rows.items() for at in (it[0], it[-1])]
        return frozenset([each for each in rows if each[1] != EVERY])


class SpansOfRules:
    """Spans of rows by rule; `EVERY` stands for all rules that are not about comments."""

    def __init__(self, found: Iterable[tuple[int, float, str]]) -> None:
        """`found`: first row, last row and rule of each span."""
        spans: dict[str, list[tuple[int, float]]] = {}
        for first, last, rule in sorted(found):
            spans.setdefault(rule, []).append((first, last))
        self._firsts = {rule: [first for first, _ in each] for rule, each in spans.items()}
        self._lasts = {
            rule: [*accumulate([last for _, last in each], max)] for rule, each in spans.items()
        }

    def cover(self, row: int, rule: str) -> bool:
        """Whether a span of a rule includes a row."""
        return self._cover(row, rule) or (rule not in OF_COMMENTS and self._cover(row, EVERY))

    def _cover(self, row: int, rule: str) -> bool:
        before = bisect_right(self._firsts.get(rule, []), row)
        return before > 0 and self._lasts[rule][before - 1] >= row
