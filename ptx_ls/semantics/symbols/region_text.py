"""The lines of one function with their records, and the statements in them."""

from __future__ import annotations

from bisect import bisect_left
from functools import cached_property, lru_cache
from itertools import compress, count
from operator import attrgetter
from typing import TYPE_CHECKING, Final
from weakref import WeakValueDictionary

from ptx_ls.document.braces import is_left_open
from ptx_ls.document.chunk import LINE_ENDS
from ptx_ls.document.chunk_rows import ChunkRows, PlacedChunk, placed
from ptx_ls.document.coordinates import FUNCTION_START, FunctionPosition, on_row
from ptx_ls.document.rows import rows_of
from ptx_ls.semantics.symbols.declaring_rows import SIMPLE, declaring_rows
from ptx_ls.semantics.symbols.record_index import RecordIndex
from ptx_ls.source.named_tuple import NamedTuple
from ptx_ls.syntax.names import name_at
from ptx_ls.syntax.offsets import RunPosition, shifted, slice_lines
from ptx_ls.syntax.record import Kind, MultiLine, Record, Shape
from ptx_ls.syntax.record_lines import filled, run_start
from ptx_ls.syntax.statements import BLANKS, Cutter

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
    from collections.abc import Set as AbstractSet

    from ptx_ls.document.chunk import Chunk
    from ptx_ls.document.document import Document
    from ptx_ls.document.function import Function
    from ptx_ls.source.text_lines import TextLines
    from ptx_ls.syntax.record import Piece

_BRACES: Final = ("{", "}")
_LINES: Final[Callable[[Chunk], TextLines]] = attrgetter("lines_on_demand")
_RECORDS: Final[Callable[[Chunk], list[Record]]] = attrgetter("records")
MAX_RECENT_FUNCTIONS: Final = 2
"""Number of recently used functions whose lines and symbols are kept."""


class Found(NamedTuple):
    """A statement of a function; its positions are relative to the function."""

    record: Record
    start: FunctionPosition
    end: FunctionPosition
    text: str


class RegionText:
    """The lines of a function with their records, and the statements in them.

    The function may begin or end within a line of the document. `is_whole`: whether all lines are
    checked, unlike in an `Excerpt`, so that a search without result proves absence.
    """

    is_whole = True

    def __init__(
        self,
        lines: Sequence[str],
        records: Sequence[Record],
        parts: Sequence[PlacedChunk] = (),
    ) -> None:
        """`parts`: the chunks of a long function, which are searched one by one."""
        self.lines, self.records, self.parts = lines, records, parts

    @property
    def end(self) -> FunctionPosition:
        """The place after the last character."""
        if not self.lines or self.lines[-1].endswith(LINE_ENDS):
            return FunctionPosition((len(self.lines), 0))
        return FunctionPosition((len(self.lines) - 1, len(self.lines[-1])))

    @property
    def shown(self) -> Sequence[int]:
        """The numbers of the lines to check, in order: all of them, except in an `Excerpt`."""
        return range(len(self.records))

    @property
    def shown_lines(self) -> list[str]:
        """The lines to check."""
        return self.lines if isinstance(self.lines, list) else [*self.lines]

    @cached_property
    def distinct(self) -> frozenset[Record]:
        """The distinct records of the function."""
        if self.parts:
            return frozenset().union(*[chunk.distinct for _, chunk in self.parts])
        return frozenset(self.records)

    @cached_property
    def contents(self) -> RecordIndex:
        """The index of the function's records."""
        return RecordIndex(self.distinct)

    @cached_property
    def shapes(self) -> frozenset[Shape]:
        """The shapes of all instructions of the function, including those in runs."""
        return frozenset(self.contents.shapes)

    def holding(self, *kinds: Kind) -> set[Record]:
        """Returns the records that are or contain statements of `kinds`; not for instructions."""
        held = self.contents.kinds
        return set().union(*[held[kind] for kind in kinds if kind in held])

    def shapes_of(self, names: Collection[str]) -> set[Shape]:
        """Returns the shapes of the instructions with these opcodes, given without modifiers."""
        held = self.contents.opcodes
        if held.keys().isdisjoint(names):
            return set()
        return set().union(*[held[name] for name in names if name in held])

    def has_opcodes(self, names: Iterable[str]) -> bool:
        """Whether an instruction has one of these opcodes, given without modifiers."""
        return not self.contents.opcodes.keys().isdisjoint(names)

    def with_opcodes(self, names: Collection[str]) -> set[Record]:
        """Returns the records that are or contain instructions with these opcodes."""
        return self.with_shapes(self.shapes_of(names))

    def with_shapes(self, shapes: AbstractSet[Shape]) -> set[Record]:
        """Returns the records that are or contain instructions of these shapes."""
        return set().union(*[self.contents.shapes.get(shape, ()) for shape in shapes])

    @cached_property
    def declaring(self) -> list[int]:
        """The numbers of the lines that may declare something."""
        if self.parts:
            return [first + row for first, it in self.parts for row in declaring_rows(it).all]
        if "distinct" in self.__dict__:
            return self.lines_of({read for read in self.distinct if read.is_declaring})
        return [number for number, read in enumerate(self.records) if read.is_declaring]

    @cached_property
    def declarations(self) -> list[int]:
        """The numbers of the lines that may declare more than a label or a directive."""
        if self.parts:
            return [first + row for first, _, rows in self._declaring_parts for row in rows]
        return [number for number in self.declaring if self.records[number] not in SIMPLE]

    @cached_property
    def declarations_text(self) -> str:
        """The text of the lines `declarations`."""
        return "".join([line for _, line, _ in self.rows(self.declarations)])

    def declarations_with(self, part: str) -> list[int]:
        """Returns the numbers of the lines `declarations` that contain a text."""
        lines = self.lines
        if not self.parts:
            return [number for number in self.declarations if part in lines[number]]
        return [
            first + row
            for first, chunk, rows in self._declaring_parts
            if part in chunk.text
            for row in rows
            if part in lines[first + row]
        ]

    @cached_property
    def _declaring_parts(self) -> list[tuple[int, Chunk, tuple[int, ...]]]:
        """The parts that declare more than labels and directives, with the rows that do so."""
        found = ((first, chunk, declaring_rows(chunk).others) for first, chunk in self.parts)
        return [each for each in found if each[2]]

    def first_row(self, is_wanted: Callable[[Record], bool]) -> int | None:
        """Returns the number of the first line whose record fulfils `is_wanted`, or None."""
        if not self.parts:
            return next(compress(count(), map(is_wanted, self.records)), None)
        found = (first + row for first, it in self.parts for row in it.rows_where(is_wanted))
        return next(found, None)

    def lines_of(self, chosen: AbstractSet[Record]) -> list[int]:
        """Returns the numbers of the lines that have one of the chosen records."""
        if not chosen:
            return []
        records, is_chosen = self.records, chosen.__contains__
        if not self.parts:
            return list(compress(range(len(records)), map(is_chosen, records)))
        return [
            first + row
            for first, chunk in self.parts
            if not chosen.isdisjoint(chunk.distinct)
            for row in chunk.rows_where(is_chosen)
        ]

    def flags(self, flag_of: Callable[[Record], int]) -> bytes:
        """Returns a number below 256 for each line, which only depends on its record."""
        if not self.parts:
            return bytes(map(flag_of, self.records))
        return b"".join([chunk.flags(flag_of) for _, chunk in self.parts])

    def lines_with(
        self, part: str, chosen: AbstractSet[Record], rows: range | None = None
    ) -> list[int]:
        """Returns the numbers of the lines with one of the chosen records that contain a text.

        `rows`: the lines to search; None for all.
        """
        if rows is not None:
            found = self.rows(rows)
            return [number for number, line, read in found if part in line and read in chosen]
        lines = self.lines
        if not self.parts:
            return [number for number in self.lines_of(chosen) if part in lines[number]]
        return [
            first + row
            for first, chunk in self.parts
            if part in chunk.text
            for row in chunk.rows_where(chosen.__contains__)
            if part in lines[first + row]
        ]

    def rows(self, numbers: Sequence[int]) -> Iterator[tuple[int, str, Record]]:
        """Yields the number, text and record of each given line, in order."""
        lines, records = self.lines, self.records
        if isinstance(lines, ChunkRows) and isinstance(records, ChunkRows):
            return zip(numbers, lines.at(numbers), records.at(numbers), strict=False)
        return ((number, lines[number], records[number]) for number in numbers)

    def statements(
        self,
        indices: Iterable[int] | None = None,
        *,
        declaring_only: bool = False,
        since: FunctionPosition = FUNCTION_START,
    ) -> Iterator[Found]:
        """Yields the statements of the function, or of its lines `indices`, which are in order.

        In runs, skips those that declare nothing if `declaring_only`, and those before `since`.
        """
        previous: Record | None = None
        for index in filled(self.records) if indices is None else indices:
            read = self.records[index]
            if read is previous and isinstance(read, MultiLine):
                continue
            if isinstance(read, MultiLine):
                index = run_start(self.records, index)  # noqa: PLW2901  `index` may be within it
                pieces = read.pieces
                if since > (index, 0):
                    place = RunPosition((since[0] - index, since[1]))
                    pieces = pieces[bisect_left(pieces, place, key=attrgetter("start")) :]
                if declaring_only:
                    pieces = tuple(each for each in pieces if each.record.is_declaring)
                yield from self._pieces(pieces, index)
            elif read.kind not in (Kind.BLANK, Kind.COMMENT):
                yield single(self.lines[index], read, index)
            previous = read

    def statements_of(self, chosen: AbstractSet[Record]) -> Iterator[Found]:
        """Yields the statements of the lines that have one of the chosen records."""
        return self.statements(self.lines_of(chosen)) if chosen else iter(())

    def instructions(self, shapes: AbstractSet[Shape]) -> Iterator[Found]:
        """Yields the instructions of some shapes, without those around them on the same lines."""
        previous: Record | None = None
        for row, line, read in self.rows(self.lines_of(self.with_shapes(shapes))):
            if isinstance(read, Shape):
                yield single(line, read, row)
            elif isinstance(read, MultiLine) and read is not previous:
                pieces = [each for each in read.pieces if each.record in shapes]
                yield from self._pieces(pieces, run_start(self.records, row))
            previous = read

    def of_kind(self, *kinds: Kind) -> Iterator[Found]:
        """Yields the statements of these kinds; not for the kind of instructions."""
        found = self.statements_of(self.holding(*kinds))
        return (each for each in found if each.record.kind in kinds)

    def _pieces(self, pieces: Iterable[Piece], index: int) -> Iterator[Found]:
        """Yields statements of a run that begins on a line."""
        row = FunctionPosition((index, 0))
        for piece in pieces:
            start, end = shifted(piece.start, row), shifted(piece.end, row)
            yield Found(piece.record, start, end, slice_lines(self.lines, start, end))


_HELD: Final = WeakValueDictionary["Function", RegionText]()
"""The lines of functions that are in use."""


@lru_cache(maxsize=MAX_RECENT_FUNCTIONS)
def region_text(function: Function) -> RegionText:
    """Returns the lines of a function with their records; the same object while one is in use."""
    text = _HELD.get(function)
    if text is None:
        text = _HELD[function] = _text_of(function)
    return text


def _text_of(function: Function) -> RegionText:
    if function.n_leaves <= 1 or function.shares_lines:
        return RegionText(*rows_of(function.leaves()))
    parts = placed(function.leaves())
    return RegionText(ChunkRows(parts, _LINES), ChunkRows(parts, _RECORDS), parts)


def is_inside(document: Document, number: int) -> bool:
    """Whether a function begins before the body of the previous one is closed."""
    return number > 0 and is_left_open(document.leaf(number - 1))


def label_name(text: str) -> str:
    """Returns the name at the start of a label's text; comments may precede the `:`."""
    match = name_at(text)
    return match[0] if match is not None else ""


def single(line: str, read: Record, index: int) -> Found:
    """Returns the only statement of a line."""
    start = len(line) - len(line.lstrip(BLANKS))
    if isinstance(read, Shape) and "/" not in line and '"' not in line and start < len(line):
        text = line.strip(BLANKS)
        return Found(read, *on_row(index, start, start + len(text)), text)
    code = line if read.kind is Kind.LINE or '"' in line else line.partition("//")[0]
    if line.startswith(_BRACES, start):
        end = start + 1
    elif "/" in code or (read.kind is Kind.LINE and '"' in line) or len(code) <= start:
        cutter = Cutter()
        cutter.feed(line)
        cutter.close()
        start, end = (cutter.cuts[0].start[1], cutter.cuts[0].end[1]) if cutter.cuts else (0, 0)
    else:
        end = len(code.rstrip(BLANKS))
    return Found(read, *on_row(index, start, end), line[start:end])
