"""A part of a function, checked as if the rest were correct."""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING

from ptx_ls.document.coordinates import FUNCTION_START
from ptx_ls.semantics.symbols.region_text import RegionText
from ptx_ls.syntax.record import MultiLine

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence
    from collections.abc import Set as AbstractSet

    from ptx_ls.document.coordinates import FunctionPosition
    from ptx_ls.semantics.symbols.region_text import Found
    from ptx_ls.source import LineSpan
    from ptx_ls.syntax.record import Record


class Excerpt(RegionText):
    """The lines of a function for checks that visit only some of them, but may examine others.

    `ranges`: the line numbers [first, stop) to visit, among those that checks of `text` visit. A
    run that is partly in a range is visited as a whole.
    """

    is_whole = False

    def __init__(self, text: RegionText, *ranges: LineSpan) -> None:
        super().__init__(text.lines, text.records)
        shown = {number for each in ranges for number in range(*self._whole(*each))}
        self._shown = sorted(number for number in shown if number in text.shown)

    def _whole(self, first: int, stop: int) -> LineSpan:
        """Returns the lines, extended to whole runs."""
        records = self.records
        first, stop = max(first, 0), min(stop, len(records))
        while 0 < first < len(records) and _is_same_run(records[first - 1], records[first]):
            first -= 1
        while 0 < stop < len(records) and _is_same_run(records[stop - 1], records[stop]):
            stop += 1
        return first, stop

    @property
    def shown(self) -> Sequence[int]:
        """The numbers of the lines to check, in order."""
        return self._shown

    @property
    def shown_lines(self) -> list[str]:
        """The lines to check."""
        return [self.lines[number] for number in self._shown]

    @cached_property
    def distinct(self) -> frozenset[Record]:
        """The distinct records of the lines to check."""
        return frozenset(self.records[number] for number in self._shown)

    @cached_property
    def declaring(self) -> list[int]:
        """The numbers of the lines to check that may declare something."""
        return [number for number in self._shown if self.records[number].is_declaring]

    def lines_of(self, chosen: AbstractSet[Record]) -> list[int]:
        """Returns the numbers of the lines to check that have one of the chosen records."""
        return [number for number in self._shown if self.records[number] in chosen]

    def statements(
        self,
        indices: Iterable[int] | None = None,
        *,
        declaring_only: bool = False,
        since: FunctionPosition = FUNCTION_START,
    ) -> Iterator[Found]:
        """Yields the statements of the lines to check, or of the lines `indices`."""
        chosen = self._shown if indices is None else indices
        return super().statements(chosen, declaring_only=declaring_only, since=since)


def _is_same_run(one: Record, other: Record) -> bool:
    return one is other and isinstance(one, MultiLine)
