"""How much around some lines has to be laid out with them, and how deep in braces they are."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from ptx_ls.formatting.engine import LayoutInput
from ptx_ls.syntax.record import Kind, MultiLine

if TYPE_CHECKING:
    from ptx_ls.syntax.document import Document

_MAX_ALIGNED_LINES: Final = 500
"""Lines of aligned comments or guards that are looked at on either side."""


def source_of(document: Document) -> LayoutInput:
    """What the document is now, for a worker: edits of the document do not change it."""
    regions = document.outline.regions
    unmatched = frozenset(
        (problem.line, problem.piece) for region in regions for problem in region.problems
    )
    return LayoutInput(document.lines.copy(), document.records.copy(), unmatched)


def source_around(document: Document, span: tuple[int, int]) -> LayoutInput:
    """The same without copies, for use at once; only the regions of `span` are looked at."""
    outline = document.outline
    regions = outline.regions[_first_region(document, span[0]) : outline.region_at(span[1] - 1) + 1]
    unmatched = frozenset(
        (problem.line, problem.piece) for region in regions for problem in region.problems
    )
    return LayoutInput(document.lines, document.records, unmatched)


def widened(document: Document, first: int, stop: int) -> tuple[int, int]:
    """The lines [first, stop) with what decides how they are laid out: whole units.

    Long runs next to them are left out; they decide no more than whether a blank line stays.
    """
    lines = document.lines
    stop = document.stop_of_run(max(stop, first + 1))
    first = _back(document, document.start_of_run(first))
    lowest, highest = first - _MAX_ALIGNED_LINES, stop + _MAX_ALIGNED_LINES
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
        if line - at > _MAX_ALIGNED_LINES:
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
    while isinstance(record, MultiLine) and stop < len(records) and records[stop] is record:
        if stop - line > _MAX_ALIGNED_LINES:
            return line
        stop += 1
    return stop


def _is_aligned(line: str) -> bool:
    """Whether what stands on a line may be aligned with its neighbours."""
    return "//" in line or "/*" in line or "@" in line


def level_at(document: Document, line: int) -> int:
    """How many braces are open where a unit begins."""
    return document.outline.regions[_first_region(document, line)].level(line)


def _first_region(document: Document, line: int) -> int:
    """Index of the region that the text before a line belongs to."""
    return max(0, document.outline.region_at(line - 1)) if line else 0
