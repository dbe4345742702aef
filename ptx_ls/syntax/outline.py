"""The outline: functions and sections as regions, each function head a point to start from.

PTX functions do not nest, so braces are matched per region and one brace too many or too few
never spoils another function (docs/architecture.md).
"""

from __future__ import annotations

from bisect import bisect_right
from typing import TYPE_CHECKING

from ptx_ls.syntax.nesting import Nesting
from ptx_ls.syntax.record import Kind, MultiLine, Record

if TYPE_CHECKING:
    from collections.abc import Iterator

    from ptx_ls.syntax.nesting import BraceProblem

_HEADS = (Kind.FUNCTION, Kind.SECTION)
_MANY_CHANGES = 1000
_MANY_EDITS = 100


class Region:
    """Lines from one head up to the next one; the first region has no head.

    `piece` is the head's number among the pieces of its line. `facts` is room for what other
    layers derive from the region's lines; any edit inside the region empties it. `former` is what
    was there before, for what may come out the same. `edits` are all
    edits of its lines: (first line, line after the last, lines added); when that is no longer
    known, it is a new list.
    """

    __slots__ = (
        "edits",
        "facts",
        "former",
        "kind",
        "nesting",
        "piece",
        "start",
    )

    def __init__(self, start: int, kind: Kind | None = None, piece: int = 0) -> None:
        self.start, self.kind, self.piece = start, kind, piece
        self.nesting = Nesting(has_head=kind is not None)
        self.facts: dict[str, object] = {}
        self.former: dict[str, object] = {}
        self.edits: list[tuple[int, int, int]] = []

    @property
    def close(self) -> int | None:
        """Line of the brace that ends the body, None while it is missing."""
        end = self.nesting.end
        return None if end is None else self.start + end

    @property
    def problems(self) -> list[BraceProblem]:
        """Braces without partner: those that close, then those that open, each in order."""
        return self.nesting.problems(self.start)

    @property
    def is_open(self) -> bool:
        """Whether an opening brace has no partner, so that what follows may be inside."""
        return self.nesting.is_open

    def level(self, line: int) -> int:
        """How many braces of the region are open where a line of the document begins.

        The head's counts even if its partner is missing, others without partner do not.
        """
        return self.nesting.depth(line - self.start)

    def note_edit(self, first: int, stop: int, delta: int) -> None:
        """Lines [first, stop) of the document, all of them the region's, become `delta` more."""
        if len(self.edits) >= _MANY_EDITS:
            self.edits = []
        self.edits.append((first - self.start, stop - self.start, delta))

    def forget(self) -> None:
        """Forgets what was derived from the region's lines, as an edit changes them."""
        self.former |= self.facts
        self.facts.clear()

    def become(self, other: Region) -> Region:
        """Takes over what another region is made of, forgets what was derived, returns itself."""
        self.start, self.piece, self.nesting = other.start, other.piece, other.nesting
        self.forget()
        return self


class Outline:
    """Regions of a document in order, kept up to date through edits.

    `derived` is room for what other layers make of all regions together. `changed` are the regions
    whose declarations were edited, or that came or went, since a reader cleared it; None if these
    were too many.
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
        region.nesting.lines_inserted(line - region.start, delta)
        self._shift_from(index + 1, delta)

    def touched(self, first: int, stop: int, delta: int, *, is_declaring: bool) -> None:
        """Lines [first, stop) become `delta` more: forgets what was derived from their regions.

        `is_declaring`: what was there, or what is there now, may declare names.
        """
        regions = self._edited(first, stop, delta)
        for region in regions:
            region.forget()
        if is_declaring:
            self._note(regions)

    def _note(self, regions: list[Region]) -> None:
        if self.changed is not None:
            self.changed += regions
            if len(self.changed) > _MANY_CHANGES:
                self.changed = None

    def _edited(self, first: int, stop: int, delta: int) -> list[Region]:
        """The regions of lines that become `delta` more, with a note of that."""
        last = self.region_at(max(first, stop - 1))
        found = self.regions[self._first_region(first) : last + 1]
        for region in found:
            if len(found) == 1:
                region.note_edit(first, stop, delta)
            else:
                region.edits = []
        return found

    def _first_region(self, line: int) -> int:
        """First region that may have text on `line`: heads can share a line."""
        index = self.region_at(line)
        while index > 0 and self._starts[index] == line:
            index -= 1
        return index

    def replaced(self, first: int, old_stop: int, delta: int) -> None:
        """Records of lines [first, old_stop) were replaced by `delta` more, braces among them.

        Only these are looked at: of the regions around, the braces are known.
        """
        begin = self._first_region(first)
        end = max(begin, self.region_at(old_stop - 1)) + 1
        before, behind = self.regions[begin], self.regions[end - 1]
        found = self._scan(first, old_stop + delta)
        new = [Region(before.start, before.kind, before.piece), *found[1:]]
        kept = before.nesting.n_before(first - before.start)
        new[0].nesting.take(before.nesting, 0, kept, 0)
        new[0].nesting.take(found[0].nesting, 0, len(found[0].nesting), first - before.start)
        left = behind.nesting.n_before(old_stop - behind.start)
        further = behind.start + delta - new[-1].start
        new[-1].nesting.take(behind.nesting, left, len(behind.nesting), further)
        self._shift_from(end, delta)
        self._note(self.regions[begin:end] + new)
        if len(new) == end - begin:  # the same functions: what others keep by region stays with it
            new = [
                was.become(now) if was.kind is now.kind else now
                for was, now in zip(self.regions[begin:end], new, strict=True)
            ]
        if len(new) > 1:
            for region in new:
                region.edits = []
        self.regions[begin:end] = new
        self._starts[begin:end] = [region.start for region in new]

    def _shift_from(self, index: int, delta: int) -> None:
        if not delta:
            return
        for region in self.regions[index:]:
            region.start += delta
        self._starts[index:] = [start + delta for start in self._starts[index:]]

    def _scan(self, low: int, high: int) -> list[Region]:
        """Regions of lines [low, high); what stands before a head makes one without any."""
        current = Region(low)
        regions = [current]
        start, add = low, current.nesting.add
        for line, piece, kind in self._braces(low, high):
            if kind in _HEADS:
                current = Region(line, kind, piece)
                regions.append(current)
                start, add = line, current.nesting.add
            add(line - start, piece, -1 if kind is Kind.CLOSE else 1)
        return regions

    def _braces(self, low: int, high: int) -> Iterator[tuple[int, int, Kind]]:
        """(line, number of the piece, kind) of heads and braces in lines [low, high)."""
        previous: Record | None = None
        for line, read in enumerate(self._records[low:high], low):
            if not read.is_structural or read is previous:
                continue
            if isinstance(read, MultiLine):
                previous = read
                for number, part in enumerate(read.records):
                    if part.is_structural:
                        yield line, number, part.kind
            else:
                previous = None
                yield line, 0, read.kind
