"""A region in stretches of some hundred lines, each with what was made of its lines.

After an edit only the stretch with the edited lines is a new one, so what is kept with stretches
stays true. A region notes its edits, so no other line is looked at; where they are not known, the
lines are compared object by object, which costs two milliseconds for a hundred thousand.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from itertools import accumulate, pairwise
from typing import TYPE_CHECKING, Final, NamedTuple

from ptx_ls.semantics.symbols.region_text import RegionText, region_stop, region_text

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from ptx_ls.syntax.document import Document
    from ptx_ls.syntax.outline import Outline, Region
    from ptx_ls.syntax.record import Record

Edit = tuple[int, int, int]
"""First line and line behind the last, counted in the region, and the lines added."""

_SIZE: Final = 512
_MOST: Final = 256
"""Regions whose stretches are kept: those looked at last."""
_TEXT: Final = "region text"
_STRETCHES: Final = "stretches"
"""Keys among what is kept with a region until an edit, and with the outline."""


class Stretch:
    """Lines of a region that follow one another, and their records. `kept` is room for others."""

    __slots__ = ("_offsets", "_text", "kept", "lines", "records")

    def __init__(self, lines: list[str], records: list[Record]) -> None:
        self.lines = lines
        self.records = records
        self.kept: dict[str, object] = {}
        self._text: str | None = None
        self._offsets: list[int] | None = None

    @property
    def text(self) -> str:
        """The lines as one text."""
        if self._text is None:
            self._text = "".join(self.lines)
        return self._text

    @property
    def offsets(self) -> list[int]:
        """Where each line begins in the text."""
        if self._offsets is None:
            self._offsets = [0, *accumulate(map(len, self.lines))]
        return self._offsets

    def is_at(self, line: int, document: Document) -> bool:
        """Whether these are the lines of a document from `line` on."""
        stop = line + len(self.lines)
        return document.lines[line:stop] == self.lines and (
            document.records[line:stop] == self.records
        )


def kept_text(document: Document, index: int) -> RegionText:
    """The text of a region, copied once and kept until an edit; main thread only."""
    region = document.outline.regions[index]
    text = region.facts.get(_TEXT)
    if not isinstance(text, RegionText) or text.start != region.start:
        text = region.facts[_TEXT] = region_text(document, index)
    return text


def stretches(document: Document, index: int) -> tuple[Stretch, ...]:
    """The stretches of a region in order; main thread only."""
    region = document.outline.regions[index]
    recent = _recent(document.outline)
    known = recent.pop(region, _UNKNOWN)
    if known.edits is not region.edits or known.n_edits != len(region.edits):
        found = _again(known, document, index)
        known = _Known(region.edits, len(region.edits), found)
    recent[region] = known
    if len(recent) > _MOST:
        del recent[next(iter(recent))]
    return known.stretches


class _Known(NamedTuple):
    """Stretches with the edits that their region had seen by then."""

    edits: list[Edit]
    n_edits: int
    stretches: tuple[Stretch, ...]


_UNKNOWN: Final = _Known([], 0, ())


def _recent(outline: Outline) -> dict[Region, _Known]:
    """The stretches of regions that were looked at, the last one last."""
    found = outline.derived.setdefault(_STRETCHES, {})
    assert isinstance(found, dict)  # noqa: S101  for mypy
    return found


def _again(known: _Known, document: Document, index: int) -> tuple[Stretch, ...]:
    region = document.outline.regions[index]
    first, stop = region.start, region_stop(document, index)
    before = known.stretches
    if len(before) > 2 * ((stop - first) // _SIZE) + 2:
        before = ()  # shreds of many edits
    if not before:
        return tuple(_cut(document, first, stop))
    if known.edits is region.edits:
        parts = _edited(before, region.edits[known.n_edits :])
        if sum(map(_length, parts)) == stop - first:
            return tuple(_filled(parts, document, first))
    return tuple(_compared(before, document, first, stop))


def _edited(before: tuple[Stretch, ...], edits: Sequence[Edit]) -> list[Stretch | int]:
    """Stretches behind edits, with numbers of lines in place of those that were touched."""
    parts: list[Stretch | int] = [*before]
    for first, stop, delta in edits:
        starts = [0, *accumulate(map(_length, parts))]
        low = bisect_right(starts, first, hi=len(parts)) - 1
        high = max(bisect_left(starts, stop, hi=len(parts)), low + 1)
        parts[low:high] = [starts[high] - starts[low] + delta]
    return parts


def _length(part: Stretch | int) -> int:
    return part if isinstance(part, int) else len(part.lines)


def _filled(parts: Sequence[Stretch | int], document: Document, line: int) -> Iterator[Stretch]:
    for part in parts:
        stop = line + _length(part)
        if isinstance(part, int):
            yield from _cut(document, line, stop)
        else:
            yield part
        line = stop


def _compared(
    before: tuple[Stretch, ...], document: Document, first: int, stop: int
) -> Iterator[Stretch]:
    """Stretches of some lines: those of before at both ends that are the same, others between."""
    n_same = 0
    for stretch in before:
        if not stretch.is_at(first, document):
            break
        yield stretch
        first += len(stretch.lines)
        n_same += 1
    last = len(before)
    while last > n_same:
        start = stop - len(before[last - 1].lines)
        if start < first or not before[last - 1].is_at(start, document):
            break
        stop, last = start, last - 1
    yield from _cut(document, first, stop)
    yield from before[last:]


def _cut(document: Document, first: int, stop: int) -> Iterator[Stretch]:
    """New stretches of about the same size."""
    count = max(1, round((stop - first) / _SIZE))
    bounds = [first + (stop - first) * number // count for number in range(count + 1)]
    for start, end in pairwise(bounds if stop > first else ()):
        yield Stretch(document.lines[start:end], document.records[start:end])
