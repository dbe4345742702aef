"""How much around some lines has to be laid out with them, and how deep in braces they are."""

from __future__ import annotations

from bisect import bisect_left
from itertools import compress
from typing import TYPE_CHECKING, Final

from ptx_ls.formatting.engine import Source
from ptx_ls.syntax.record import CLOSE, OPEN, Kind, Record, Run

if TYPE_CHECKING:
    from collections.abc import Sequence

    from ptx_ls.syntax.document import Document
    from ptx_ls.syntax.outline import Region

_FARTHEST: Final = 500
"""Lines of aligned comments or guards that are looked at on either side."""
_KEY: Final = "formatting.levels"
_HEADS: Final = (Kind.FUNCTION, Kind.SECTION)


def source_of(document: Document) -> Source:
    """What the document is now, for a worker: edits of the document do not change it."""
    regions = document.outline.regions
    unmatched = frozenset(
        (problem.line, problem.piece) for region in regions for problem in region.problems
    )
    return Source(document.lines.copy(), document.records.copy(), unmatched)


def source_around(document: Document, span: tuple[int, int]) -> Source:
    """The same without copies, for use at once; only the regions of `span` are looked at."""
    outline = document.outline
    regions = outline.regions[_first_region(document, span[0]) : outline.region_at(span[1] - 1) + 1]
    unmatched = frozenset(
        (problem.line, problem.piece) for region in regions for problem in region.problems
    )
    return Source(document.lines, document.records, unmatched)


def widened(document: Document, first: int, stop: int) -> tuple[int, int]:
    """The lines [first, stop) with what decides how they are laid out: whole units.

    Long runs next to them are left out; they decide no more than whether a blank line stays.
    """
    lines = document.lines
    stop = document.stop_of_run(max(stop, first + 1))
    first = _back(document, document.start_of_run(first))
    lowest, highest = first - _FARTHEST, stop + _FARTHEST
    while first > max(0, lowest) and _is_aligned(lines[first]):
        before = _back(document, first)
        if before == first:
            break
        first = before
    while stop < min(len(lines), highest) and (
        document.records[stop].kind is Kind.BLANK or _is_aligned(lines[stop])
    ):
        behind = _forward(document, stop)
        if behind == stop:
            break
        stop = behind
    return first, _forward(document, stop)


def _back(document: Document, line: int) -> int:
    """Start of the unit before a line, blank lines left out; the line itself behind a long run."""
    at = line
    while at > 0:
        at = document.start_of_run(at - 1)
        if line - at > _FARTHEST:
            return line
        if document.records[at].kind is not Kind.BLANK:
            break
    return at


def _forward(document: Document, line: int) -> int:
    """The line behind the unit that begins on a line; the line itself before a long run."""
    records = document.records
    if line >= len(records):
        return line
    record = records[line]
    stop = line + 1
    while isinstance(record, Run) and stop < len(records) and records[stop] is record:
        if stop - line > _FARTHEST:
            return line
        stop += 1
    return stop


def _is_aligned(line: str) -> bool:
    """Whether what stands on a line may be aligned with its neighbours."""
    return "//" in line or "/*" in line or "@" in line


def level_at(document: Document, line: int) -> int:
    """How many braces are open where a unit begins."""
    index = _first_region(document, line)
    region = document.outline.regions[index]
    if line <= region.start:
        return 0
    starts, levels = _levels(document, region, index)
    at = bisect_left(starts, region.stable_line(line - region.start))
    return levels[at - 1] if at else 0


def _first_region(document: Document, line: int) -> int:
    """Index of the region that the text before a line belongs to."""
    return max(0, document.outline.region_at(line - 1)) if line else 0


def _levels(document: Document, region: Region, index: int) -> tuple[list[int], list[int]]:
    """Lines of a region with braces, from its start, and how many are open behind each of them."""
    known = region.stable.get(_KEY)
    if known is None:
        known = region.stable[_KEY] = _count(document, region, index)
    return known  # type: ignore[return-value]  # what was put there


def _count(document: Document, region: Region, index: int) -> tuple[list[int], list[int]]:
    unmatched = {(problem.line, problem.piece) for problem in region.problems}
    starts: list[int] = []
    levels: list[int] = []
    level = 0
    stop = document.outline.stop(index)
    previous: Record | None = None
    records = document.records[region.start : stop]
    structural = {read for read in set(records) if read.is_structural}
    for offset in compress(range(len(records)), map(structural.__contains__, records)):
        read = records[offset]
        if read is OPEN or read is CLOSE:
            if not unmatched or (region.start + offset, 0) not in unmatched:
                level = level + 1 if read is OPEN else max(0, level - 1)
            starts.append(offset)
            levels.append(level)
            continue
        if isinstance(read, Run) and read is previous:
            continue
        previous = read
        for number, kind in _braces(read):
            if kind in _HEADS:
                level = 1
            elif (region.start + offset, number) not in unmatched:
                level = max(0, level + (1 if kind is Kind.OPEN else -1))
        starts.append(offset)
        levels.append(level)
    return starts, levels


def _braces(read: Record) -> Sequence[tuple[int, Kind]]:
    if not isinstance(read, Run):
        return ((0, read.kind),)
    return [(number, part.kind) for number, part in enumerate(read.records) if part.is_structural]
