"""The lines of one region with what they were read as, and the statements in them."""

from __future__ import annotations

import re
from bisect import bisect_left
from functools import cached_property
from itertools import compress
from typing import TYPE_CHECKING, Final, NamedTuple

from ptx_ls.source.steps import finished
from ptx_ls.syntax.offsets import shifted, slice_lines
from ptx_ls.syntax.record import (
    InlineAsmLine,
    InlineAsmPattern,
    Kind,
    MultiLine,
    PartRun,
    Piece,
    Record,
    Shape,
    filled,
    run_start,
)
from ptx_ls.syntax.statements import BLANKS, Cutter

if TYPE_CHECKING:
    from collections.abc import Collection, Generator, Iterable, Iterator, Sequence
    from collections.abc import Set as AbstractSet

    from ptx_ls.syntax.document import Document
    from ptx_ls.syntax.offsets import Place
    from ptx_ls.syntax.outline import Region

_NAME: Final = re.compile(r"[%\w$]*+", re.ASCII).match


_BRACES: Final = ("{", "}")


class RecordIndex:
    """What the records of a region hold, so that each check looks at what concerns it only.

    `kinds` gives the records that are or hold statements of a kind other than instructions,
    `shapes` those that are or hold instructions of a shape; `opcodes` the shapes by their opcodes
    without modifiers.
    """

    __slots__ = ("kinds", "opcodes", "shapes")

    def __init__(self, distinct: AbstractSet[Record]) -> None:
        self.kinds: dict[Kind, list[Record]] = {}
        self.opcodes: dict[str, list[Shape]] = {}
        self.shapes: dict[Shape, list[Record]] = {}
        forms: dict[InlineAsmPattern, list[Record]] = {}
        for read in distinct:
            if isinstance(read, InlineAsmLine):
                forms.setdefault(read.form, []).append(read)
            elif isinstance(read, MultiLine):
                self._add(read.records, [read])
            elif isinstance(read, Shape):
                self.shapes.setdefault(read, []).append(read)
            else:
                self.kinds.setdefault(read.kind, []).append(read)
        for form, holders in forms.items():
            self._add(form.records, holders)
        for shape in self.shapes:
            self.opcodes.setdefault(shape.name, []).append(shape)

    def _add(self, held: Iterable[Record], holders: list[Record]) -> None:
        for read in frozenset(held):
            if isinstance(read, Shape):
                self.shapes.setdefault(read, []).extend(holders)
            else:
                self.kinds.setdefault(read.kind, []).extend(holders)


class Found(NamedTuple):
    """A statement met while a region is walked; positions relative to the region."""

    record: Record
    start: tuple[int, int]
    end: tuple[int, int]
    text: str


class RegionText:
    """The lines of a region with their records; what a worker may keep while the document changes.

    `start`: number of the first line in the document. Where heads share a line, `skip` pieces of
    the first line belong to the region before, and only `limit` pieces of the last run to this one.
    `is_inside`: the function before is never closed, so the rest of it may stand behind this one.
    `is_whole`: all lines are looked at, so that what is not found is not there.
    """

    is_whole = True

    def __init__(
        self,
        start: int,
        lines: list[str],
        records: list[Record],
        skip: int = 0,
        limit: int | None = None,
        *,
        is_inside: bool = False,
    ) -> None:
        self.start, self.lines, self.records = start, lines, records
        self.skip, self.limit, self.is_inside = skip, limit, is_inside

    @property
    def shown(self) -> Sequence[int]:
        """Numbers of the lines that are looked at, in order: all, but of an `Excerpt`."""
        return range(len(self.records))

    @property
    def shown_lines(self) -> list[str]:
        """The lines that are looked at."""
        return self.lines

    @cached_property
    def distinct(self) -> frozenset[Record]:
        """The records of the region, each once."""
        return frozenset(self.records)

    @cached_property
    def contents(self) -> RecordIndex:
        """What statements the region has, and which records hold them; found in one pass."""
        return RecordIndex(self.distinct)

    @cached_property
    def shapes(self) -> frozenset[Shape]:
        """The shapes of the region's instructions, in runs or not."""
        return frozenset(self.contents.shapes)

    def holding(self, *kinds: Kind) -> set[Record]:
        """The records that are, or hold, statements of these kinds, which are no instructions."""
        held = self.contents.kinds
        return set().union(*[held[kind] for kind in kinds if kind in held])

    def shapes_of(self, names: Collection[str]) -> set[Shape]:
        """The shapes of instructions with these opcodes, given without modifiers."""
        held = self.contents.opcodes
        if held.keys().isdisjoint(names):
            return set()
        return set().union(*[held[name] for name in names if name in held])

    def with_opcodes(self, names: Collection[str]) -> set[Record]:
        """The records that are, or hold, instructions with these opcodes."""
        return self.with_shapes(self.shapes_of(names))

    def with_shapes(self, shapes: AbstractSet[Shape]) -> set[Record]:
        """The records that are, or hold, instructions of these shapes."""
        return set().union(*[self.contents.shapes.get(shape, ()) for shape in shapes])

    @cached_property
    def declaring(self) -> list[int]:
        """Numbers of the lines that may declare something."""
        if "distinct" in self.__dict__:
            return self.lines_of({read for read in self.distinct if read.is_declaring})
        return [number for number, read in enumerate(self.records) if read.is_declaring]

    @cached_property
    def declaring_text(self) -> str:
        """The lines that may declare something; of those shared with others, the region's part."""
        return "".join(self._own_parts())

    def _own_parts(self) -> Iterator[str]:
        run, first = None, 0
        for number in self.declaring:
            line, read = self.lines[number], self.records[number]
            if not isinstance(read, PartRun):
                yield line
                continue
            if read is not run:
                run, first = read, run_start(self.records, number)
            yield _own_part(line, number - first, read)

    def lines_of(self, chosen: AbstractSet[Record]) -> list[int]:
        """Numbers of the lines that were read as one of the chosen records."""
        if not chosen:
            return []
        return list(compress(range(len(self.records)), map(chosen.__contains__, self.records)))

    def statements(
        self,
        indices: Iterable[int] | None = None,
        *,
        declaring_only: bool = False,
        since: Place = (0, 0),
    ) -> Iterator[Found]:
        """Statements of the region, or of the lines `indices` of it in order.

        `declaring_only` leaves out those of a run that cannot name anything, `since` those of a run
        that begin before that place.
        """
        previous: Record | None = None
        last = self.records[-1] if self.records and self.limit is not None else None
        for index in filled(self.records) if indices is None else indices:
            read = self.records[index]
            if read is previous and isinstance(read, MultiLine):
                continue
            if isinstance(read, MultiLine):
                index = run_start(self.records, index)  # noqa: PLW2901  asked for from its midst
                start = self.skip if index == 0 else 0
                stop = self.limit if read is last else None
                if since > (index, 0):
                    place = since[0] - index, since[1]
                    start = max(start, bisect_left(read.pieces, place, key=_start_of))
                numbers = range(*slice(start, stop).indices(len(read.pieces)))
                yield from self._pieces(read, numbers, index, declaring_only=declaring_only)
            elif read.kind not in (Kind.BLANK, Kind.COMMENT):
                yield single(self.lines[index], read, index)
            previous = read

    def statements_of(self, chosen: AbstractSet[Record]) -> Iterator[Found]:
        """Statements of the lines that were read as one of the chosen records."""
        return self.statements(self.lines_of(chosen)) if chosen else iter(())

    def _pieces(
        self, run: MultiLine, numbers: range, index: int, *, declaring_only: bool
    ) -> Iterator[Found]:
        pieces = run.pieces
        for number in numbers:
            piece = pieces[number]
            if declaring_only and not piece.record.is_declaring:
                continue
            start, end = shifted(piece.start, (index, 0)), shifted(piece.end, (index, 0))
            yield Found(piece.record, start, end, slice_lines(self.lines, start, end))


def _start_of(piece: Piece) -> Place:
    return piece.start


def region_text(document: Document, index: int) -> RegionText:
    """The text of the region with that number in the document's outline."""
    regions = document.outline.regions
    region = regions[index]
    stop = region_stop(document, index)
    limit = regions[index + 1].piece or None if index + 1 < len(regions) else None
    return RegionText(
        region.start,
        document.lines[region.start : stop],
        _own(document.records[region.start : stop], region.piece, limit),
        region.piece,
        limit,
        is_inside=is_inside(regions, index),
    )


def _own(records: list[Record], skip: int, limit: int | None) -> list[Record]:
    """Records of a region; of runs that it shares with others, only what is its own.

    A module that begins with a head has nothing before it: its first region has no records.
    """
    if not records:
        return records
    first, last = records[0], records[-1]
    if skip and isinstance(first, MultiLine):
        part = PartRun(first, skip, limit if last is first else None)
        records = [part if read is first else read for read in records]
    if limit is not None and isinstance(last, MultiLine) and not (skip and last is first):
        part = PartRun(last, 0, limit)
        records = [part if read is last else read for read in records]
    return records


def region_stop(document: Document, index: int) -> int:
    """The line behind the last one that a region has statements on; heads may share a line."""
    regions = document.outline.regions
    if index + 1 == len(regions):
        return len(document.lines)
    following = regions[index + 1]
    return document.stop_of_run(following.start + 1) if following.piece else following.start


def is_inside(regions: Sequence[Region], index: int) -> bool:
    """Whether a region begins before the function of the one before it is closed."""
    return index > 0 and regions[index - 1].is_open


def label_name(text: str) -> str:
    """The name that a label's text begins with; comments and more may stand before its `:`."""
    match = _NAME(text)
    return match[0] if match is not None else ""


def single(line: str, read: Record, index: int) -> Found:
    """The one statement of a line that stands alone."""
    return finished(single_in_steps(line, read, index))


def single_in_steps(line: str, read: Record, index: int) -> Generator[None, None, Found]:
    """The same in steps."""
    start = len(line) - len(line.lstrip(BLANKS))
    if line.startswith(_BRACES, start):
        end = start + 1
    elif "/" in line or '"' in line:
        cutter = Cutter()
        yield from cutter.feeding(line)
        cutter.close()
        start, end = (cutter.cuts[0].start[1], cutter.cuts[0].end[1]) if cutter.cuts else (0, 0)
    else:
        end = len(line.rstrip(BLANKS))
    return Found(read, (index, start), (index, end), line[start:end])


def _own_part(line: str, row: int, run: PartRun) -> str:
    """What a region has of a line, the given one of a run that it shares with others."""
    if not run.own_pieces:
        return ""
    start, end = run.own_pieces[0].start, run.own_pieces[-1].end
    if not start[0] <= row <= end[0]:
        return ""
    return line[start[1] if row == start[0] else 0 : end[1] if row == end[0] else len(line)]
