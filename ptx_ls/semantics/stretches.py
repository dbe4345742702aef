"""A region in stretches of some hundred lines, each with what was made of its lines.

After an edit only the stretch with the edited lines is a new one, so what is kept with stretches
stays true without anybody being told of the edit: they are compared with the lines of the document,
object by object, which costs a millisecond for a hundred thousand lines.
"""

from __future__ import annotations

from itertools import accumulate
from typing import TYPE_CHECKING, Final, NamedTuple

from ptx_ls.semantics.region_text import RegionText, region_text

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from ptx_ls.syntax.document import Document
    from ptx_ls.syntax.outline import Outline, Region
    from ptx_ls.syntax.record import Record

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

    def is_at(self, line: int, lines: Sequence[str], records: Sequence[Record]) -> bool:
        """Whether these are the lines of a region from `line` on."""
        stop = line + len(self.lines)
        return lines[line:stop] == self.lines and records[line:stop] == self.records


def kept_text(document: Document, index: int) -> RegionText:
    """The text of a region, copied once and kept until an edit; main thread only."""
    region = document.outline.regions[index]
    text = region.facts.get(_TEXT)
    if not isinstance(text, RegionText) or text.start != region.start:
        text = region.facts[_TEXT] = region_text(document, index)
    return text


def stretches(document: Document, index: int) -> tuple[Stretch, ...]:
    """The stretches of a region in order; main thread only."""
    outline = document.outline
    region, text = outline.regions[index], kept_text(document, index)
    recent = _recent(outline)
    known = recent.get(region)
    if known is not None and known.text is text:
        return known.stretches
    before = recent.pop(region).stretches if known is not None else ()
    found = tuple(_again(before, text.lines, text.records))
    recent[region] = _Known(text, found)
    if len(recent) > _MOST:
        del recent[next(iter(recent))]
    return found


class _Known(NamedTuple):
    text: RegionText
    stretches: tuple[Stretch, ...]


def _recent(outline: Outline) -> dict[Region, _Known]:
    """The stretches of regions that were looked at, the last one last."""
    found = outline.derived.setdefault(_STRETCHES, {})
    assert isinstance(found, dict)  # noqa: S101  for mypy
    return found


def _again(
    before: tuple[Stretch, ...], lines: Sequence[str], records: Sequence[Record]
) -> Iterator[Stretch]:
    """Stretches of some lines: those of before at both ends that are the same, others between."""
    if len(before) > 2 * (len(lines) // _SIZE) + 2:
        before = ()  # shreds of many edits
    first, n_same = 0, 0
    for stretch in before:
        if not stretch.is_at(first, lines, records):
            break
        yield stretch
        first += len(stretch.lines)
        n_same += 1
    stop, last = len(lines), len(before)
    while last > n_same:
        start = stop - len(before[last - 1].lines)
        if start < first or not before[last - 1].is_at(start, lines, records):
            break
        stop, last = start, last - 1
    for start in range(first, stop, _SIZE):
        end = min(start + _SIZE, stop)
        yield Stretch(list(lines[start:end]), list(records[start:end]))
    yield from before[last:]
