"""The outline: functions and sections as regions, each function head a point to start from.

PTX functions do not nest, so braces are matched per region and one brace too many or too few
never spoils another function (docs/architecture.md).
"""

from __future__ import annotations

from bisect import bisect_right
from itertools import compress
from typing import TYPE_CHECKING, NamedTuple

from ptx_ls.syntax.record import Kind, Record, Run

if TYPE_CHECKING:
    from collections.abc import Iterator

_HEADS = (Kind.FUNCTION, Kind.SECTION)
_MANY_CHANGES = 1000


class BraceProblem(NamedTuple):
    """A brace without partner: its line and which of the line's (run's) pieces it is."""

    line: int
    piece: int
    is_opening: bool


class Region:
    """Lines from one head up to the next one; the first region has no head.

    `close` is the line of the brace that ends the body, None while it is missing.
    `piece` is the head's number among the pieces of its line. `facts` is room for what other
    layers derive from the region's lines; any edit inside the region empties it. `stable` is room
    for what declarations and braces say, whose edits empty it. `moves` are the edits since then
    that left it but for numbers of lines: (first line, line behind the last, lines added).
    """

    __slots__ = ("close", "facts", "kind", "moves", "piece", "problems", "stable", "start")

    def __init__(self, start: int, kind: Kind | None = None, piece: int = 0) -> None:
        self.start, self.kind, self.piece = start, kind, piece
        self.close: int | None = None
        self.problems: list[BraceProblem] = []
        self.facts: dict[str, object] = {}
        self.stable: dict[str, object] = {}
        self.moves: list[tuple[int, int, int]] = []

    def stable_line(self, line: int) -> int:
        """The line, counted from the region's start, that `stable` knows `line` as."""
        for first, stop, delta in reversed(self.moves):
            if line >= stop + delta:
                line -= delta
            elif line >= first:  # in what was edited, where nothing is declared
                line = min(line, stop - 1)
        return line

    def present_line(self, line: int) -> int:
        """The opposite of `stable_line`, for a line that declares something."""
        for _, stop, delta in self.moves:
            if line >= stop:
                line += delta
        return line

    def become(self, other: Region) -> Region:
        """Takes over what another region is made of, forgets what was derived, returns itself."""
        self.start, self.close, self.piece = other.start, other.close, other.piece
        self.problems = other.problems
        for derived in (self.facts, self.stable, self.moves):
            derived.clear()
        return self

    def shift(self, delta: int) -> None:
        """Moves the region by `delta` lines."""
        self.start += delta
        if self.close is not None:
            self.close += delta
        if self.problems:
            self.problems = [one._replace(line=one.line + delta) for one in self.problems]


class Outline:
    """Regions of a document in order, kept up to date through edits.

    `derived` is room for what other layers make of all regions together. `changed` are the regions
    whose `stable` was emptied or that came or went since a reader cleared it; None if too many did.
    """

    __slots__ = ("_records", "_starts", "changed", "derived", "regions")

    def __init__(self, records: list[Record]) -> None:
        self._records = records
        self.derived: dict[str, object] = {}
        self.changed: list[Region] | None = None
        self.regions = self._scan(0, len(records))
        self._starts = [region.start for region in self.regions]

    def region_at(self, line: int) -> int:
        """Index of the region that holds `line`; the last one where several begin on it."""
        return bisect_right(self._starts, line) - 1

    def index_of(self, region: Region) -> int | None:
        """Number of a region; None if it is no longer one of the document's."""
        index = self.region_at(region.start)
        while index >= 0 and self._starts[index] == region.start:
            if self.regions[index] is region:
                return index
            index -= 1
        return None

    def stop(self, index: int) -> int:
        """Line behind the last line of a region."""
        if index + 1 < len(self._starts):
            return max(self._starts[index + 1], self._starts[index])
        return len(self._records)

    def lines_inserted(self, line: int, delta: int) -> None:
        """`delta` lines were added behind `line` (removed if negative); no brace was touched."""
        index = self.region_at(line)
        region = self.regions[index]
        if region.close is not None and region.close > line:
            region.close += delta
        region.problems = [
            problem._replace(line=problem.line + delta) if problem.line > line else problem
            for problem in region.problems
        ]
        self._shift_from(index + 1, delta)

    def touched(self, first: int, stop: int) -> None:
        """Forgets what was derived from the regions of lines [first, stop)."""
        for region in self._regions(first, stop):
            region.facts.clear()
            region.stable.clear()
            region.moves.clear()
            self._note([region])

    def _note(self, regions: list[Region]) -> None:
        if self.changed is not None:
            self.changed += regions
            if len(self.changed) > _MANY_CHANGES:
                self.changed = None

    def shifted(self, first: int, stop: int, delta: int, *, is_exact: bool) -> None:
        """Lines [first, stop) became `delta` more, and nothing is declared by either.

        `is_exact`: only instructions changed, and no line was added or removed.
        """
        for region in self._regions(first, stop):
            region.facts.clear()
            if region.stable and not is_exact:
                region.moves.append((first - region.start, stop - region.start, delta))

    def _regions(self, first: int, stop: int) -> list[Region]:
        last = self.region_at(max(first, stop - 1))
        return self.regions[self._first_region(first) : last + 1]

    def _first_region(self, line: int) -> int:
        """First region that may have text on `line`: heads can share a line."""
        index = self.region_at(line)
        while index > 0 and self._starts[index] == line:
            index -= 1
        return index

    def replaced(self, first: int, old_stop: int, delta: int) -> None:
        """Records of lines [first, old_stop) were replaced by `delta` more, braces among them."""
        begin = self._first_region(first)
        end = self.region_at(old_stop - 1) + 1 if old_stop > first else begin + 1
        end = max(end, begin + 1)
        while end < len(self._starts) and self._starts[end] <= old_stop:
            end += 1
        low = self._starts[begin]
        high = (
            self._starts[end] if end < len(self._starts) else len(self._records) - delta
        ) + delta
        old = self.regions[begin]
        new = self._scan(low, high, keep=old if begin else None, until=end < len(self._starts))
        self._shift_from(end, delta)
        self._note(self.regions[begin:end] + new)
        if len(new) == end - begin:  # the same functions: what others keep by region stays with it
            new = [
                was.become(now) if was.kind is now.kind else now
                for was, now in zip(self.regions[begin:end], new, strict=True)
            ]
        self.regions[begin:end] = new
        self._starts[begin:end] = [region.start for region in new]

    def _shift_from(self, index: int, delta: int) -> None:
        if not delta:
            return
        for region in self.regions[index:]:
            region.shift(delta)
        self._starts[index:] = [start + delta for start in self._starts[index:]]

    def _scan(
        self, low: int, high: int, keep: Region | None = None, *, until: bool = False
    ) -> list[Region]:
        """Regions of lines [low, high).

        `keep`: the first region starts with this head, and pieces before it are not its own.
        `until`: line `high` starts with pieces that still belong to the last region.
        """
        current = Region(low)
        regions = [current]
        stack: list[tuple[int, int, bool]] = []
        skipping = keep is not None
        for line, number, kind in self._braces(low, high, until=until):
            if skipping and keep is not None and line == low:
                if number < keep.piece:
                    continue
                if number == keep.piece and kind in _HEADS:
                    current.kind, current.piece = kind, number
                    stack = [(line, number, True)]
                    skipping = False
                    continue
            skipping = False
            if kind in _HEADS:
                _unclosed(current, stack)
                current = Region(line, kind=kind, piece=number)
                regions.append(current)
                stack = [(line, number, True)]
            elif kind is Kind.OPEN:
                stack.append((line, number, False))
            elif not stack:
                current.problems.append(BraceProblem(line, number, is_opening=False))
            elif stack.pop()[2]:
                current.close = line
        _unclosed(current, stack)
        return regions

    def _braces(self, low: int, high: int, *, until: bool) -> Iterator[tuple[int, int, Kind]]:
        """(line, number of the piece, kind) of heads and braces in lines [low, high)."""
        records = self._records
        previous: Record | None = None
        area = records[low:high]
        structural = {read for read in set(area) if read.is_structural}
        for line in compress(range(low, high), map(structural.__contains__, area)):
            read = records[line]
            if isinstance(read, Run):
                if read is previous:
                    continue
                for number, part in enumerate(read.records):
                    if part.is_structural:
                        yield line, number, part.kind
            else:
                yield line, 0, read.kind
            previous = read
        last = records[high] if until else None
        if isinstance(last, Run) and last is not previous:
            yield from _before_head(last, high)


def _before_head(run: Run, line: int) -> Iterator[tuple[int, int, Kind]]:
    for number, part in enumerate(run.records):
        if part.kind in _HEADS:
            return
        if part.is_structural:
            yield line, number, part.kind


def _unclosed(region: Region, stack: list[tuple[int, int, bool]]) -> None:
    region.problems.extend(BraceProblem(line, piece, is_opening=True) for line, piece, _ in stack)
    if stack and stack[0][2]:
        region.close = None
