"""Finds the rows of semantic tokens in the lines of one document; see `semantic_tokens`."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, NamedTuple

from ptx_ls.features.control_flow.unreachable import unreachable
from ptx_ls.features.tokens.name_styles import ModuleStyles, RegionStyles
from ptx_ls.features.tokens.run_tokens import RunTokens
from ptx_ls.features.tokens.token_forms import (
    ENTERED,
    FALLS_THROUGH,
    LEAVES,
    Forms,
    is_head,
    without_digits,
)
from ptx_ls.features.tokens.token_patterns import encoded, in_units
from ptx_ls.semantics.symbols.module import region_facts_in_steps
from ptx_ls.semantics.symbols.module_names import module_names_in_steps
from ptx_ls.source.columns import ColumnUnit
from ptx_ls.source.steps import finished
from ptx_ls.syntax.record import InlineAsmLine, MultiLine

if TYPE_CHECKING:
    from collections.abc import Generator

    from ptx_ls.features.control_flow.unreachable import Unreachable
    from ptx_ls.features.tokens.token_patterns import TokenRowCache
    from ptx_ls.syntax.document import Document
    from ptx_ls.syntax.outline import Region
    from ptx_ls.syntax.record import Record

_KEPT: Final = "semantic tokens"
"""Key of a region's rows among what is kept with it."""
_BLOCK: Final = 1000
"""Lines that are looked at between two moments of giving way."""
_BACK: Final = 20_000
"""Lines before the first one that are searched for what makes it unreachable."""


class _RegionRows(NamedTuple):
    """Rows of a region; the first has no lines in front. `outer`: names the module was asked."""

    forms: Forms
    outer: dict[str, int]
    rows: list[str]
    first: int
    last: int


class Painter:
    """Finds the rows of one document, for one request."""

    def __init__(self, document: Document, forms: Forms) -> None:
        self._document = document
        self._forms = forms
        self._palette = forms.palette
        self._module = ModuleStyles(document)
        self._rows: list[str] = []
        self._last = 0
        self._is_dead = False
        self._dead: Unreachable | None = None
        self._styles: dict[int, RegionStyles] = {}

    def all_rows(self) -> Generator[None, None, list[str]]:
        """The rows of the whole document."""
        outline = self._document.outline
        rows: list[str] = []
        last = 0
        yield from module_names_in_steps(self._document)
        for index, region in enumerate(list(outline.regions)):
            stop = outline.stop(index)
            if stop <= region.start:
                continue  # its line is looked at with the last region that begins on it
            kept = self._kept(region)
            if kept is None:
                kept = yield from self._read(index, region, stop)
            else:
                yield
            if kept.rows:
                rows.append(f"{region.start + kept.first - last},{kept.rows[0]}")
                rows += kept.rows[1:]
                last = region.start + kept.last
        return rows

    def _kept(self, region: Region) -> _RegionRows | None:
        kept = region.facts.get(_KEPT)
        if not isinstance(kept, _RegionRows) or kept.forms is not self._forms:
            return None
        return kept if self._are_same(kept.outer) else None

    def _read(self, index: int, region: Region, stop: int) -> Generator[None, None, _RegionRows]:
        self._rows, self._last, self._is_dead = [], region.start, False
        styles = yield from self._read_styles(index)
        for first in range(region.start, stop, _BLOCK):
            yield from self._paint(first, min(first + _BLOCK, stop), styles)
            yield
        rows = self._rows
        first = 0
        if rows:
            gap, _, rows[0] = rows[0].partition(",")
            first = int(gap)
        kept = _RegionRows(self._forms, styles.outer, rows, first, self._last - region.start)
        if not region.piece:  # else its first line belongs to another one, too
            region.facts[_KEPT] = kept
        return kept

    def _read_styles(self, index: int) -> Generator[None, None, RegionStyles]:
        """Reads the declarations of a region, and finds its unreachable code."""
        yield from region_facts_in_steps(self._document, index)
        self._dead = yield from unreachable(self._document, index)
        yield
        styles = self._styles[index] = RegionStyles(self._document, index, self._module)
        yield
        return styles

    def rows_between(self, first: int, stop: int) -> Generator[None, None, list[str]]:
        """The rows of lines [first, stop)."""
        outline = self._document.outline
        stop = min(stop, len(self._document.lines))
        self._rows, self._last = [], 0
        yield from module_names_in_steps(self._document)
        while first < stop:
            index = outline.region_at(first)
            end = min(stop, outline.stop(index))
            styles = yield from self._read_styles(index)
            self._is_dead = self._dead is None and self._is_dead_before(
                first, outline.regions[index].start
            )
            while first < end:
                yield from self._paint(first, min(first + _BLOCK, end), styles)
                first += _BLOCK
                if first < stop:
                    yield
            first = end
        return self._rows

    def paint_head(self, line: int) -> bool:
        """Finds the rows of the head of a function, to be kept; False if that cannot be done."""
        run = self._document.records[line]
        if not self._forms.has_room_for_heads or not isinstance(run, MultiLine) or not is_head(run):
            return False
        start = self._document.start_of_run(line)
        lines = self._document.lines[start : self._document.stop_of_run(line + 1)]
        finished(self._rows_of_run(run, start, lines))
        return True

    def _are_same(self, outer: dict[str, int]) -> bool:
        """Whether the module still has the same to say of names."""
        return all(self._module.find(name) == known for name, known in outer.items())

    def _is_dead_before(self, line: int, start: int) -> bool:
        """Whether a line cannot be reached from the one above."""
        document = self._document
        line = document.start_of_run(line)
        first = max(start, line - _BACK)
        close = self._close(line)
        if close is not None and close < line:
            first = max(first, document.stop_of_run(close + 1))
        flow_of = self._forms.flow
        for record in reversed(document.records[first:line]):
            if isinstance(record, MultiLine):
                flow = FALLS_THROUGH
                for piece in record.records:
                    flow = flow_of(piece) or flow
            else:
                flow = flow_of(record)
            if flow != FALLS_THROUGH:
                return flow == LEAVES
        return False

    def _close(self, line: int) -> int | None:
        """The line of the brace that ends the body of the function around a line."""
        outline = self._document.outline
        return outline.regions[outline.region_at(line)].close

    def _paint(self, first: int, stop: int, styles: RegionStyles) -> Generator[None, None, None]:
        """Adds the rows of lines of one region."""
        lines = self._document.lines[first:stop]
        records = self._document.records[first:stop]
        text, keys = without_digits(lines)
        room, odd = self._forms.room(styles.banks, text)
        doubtful = self._dead.lines if self._dead is not None else ()
        rows, last, is_dead, over = self._rows, self._last, self._is_dead, 0
        known = map(room.rows.get, zip(records, keys, strict=False))
        for line, row in enumerate(known, first):
            is_odd = bool(odd) and any(stem in keys[line - first] for stem in odd)
            if row is None or is_odd or is_dead or line in doubtful:
                if line >= over:
                    self._last, at = last, line - first
                    if self._is_run(records[at], line):
                        over = yield from self._paint_run(line, first, stop)
                    else:
                        place, own = (records[at], keys[at]), None if is_odd else room
                        yield from self._paint_line(line, lines[at], place, own, styles)
                    last, is_dead = self._last, self._is_dead
                    yield
            elif row:
                rows.append(row if line == last + 1 else f"{line - last}{row[1:]}")
                last = line
        self._last = last

    def _is_run(self, record: Record, line: int) -> bool:
        """Whether the statements of a line have to be looked at one by one."""
        if not isinstance(record, MultiLine):
            return False
        is_doubtful = self._dead is not None and line in self._dead.lines
        return is_doubtful or not isinstance(record, InlineAsmLine)

    def _paint_line(
        self,
        line: int,
        text: str,
        place: tuple[Record, str],
        room: TokenRowCache | None,
        styles: RegionStyles,
    ) -> Generator[None, None, None]:
        """Adds the row of a line, kept if there is a cache; `place` as for `TokenRowCache.rows`."""
        dead, is_dead = self._dead, self._is_dead
        is_plain = self._palette.unit is ColumnUnit.UTF_32 or text.isascii()
        if is_plain and room and not is_dead and (dead is None or line not in dead.lines):
            row = room.row_like_others(place, text)
            if row is not None:
                self._rows.append(f"{line - self._last}{row[1:]}")
                self._last = line
                return
        form = yield from self._forms.form(place, text)
        yield
        if is_dead and (form.flow == ENTERED or line == self._close(line)):
            self._is_dead = is_dead = False
        found: tuple[int, ...] | None = ()
        if form.places:
            if dead is not None:
                is_dead = line in dead.lines and dead.holds(line, form.places[0])
            found = styles.of_banks(form.names)
            looked_up = found
            if looked_up is None:
                looked_up = yield from styles.of_words(form, text, line)
            if is_plain:
                shown = form.text(looked_up, is_dead=is_dead)
            else:
                shown = form.encoded_in(text, looked_up, is_dead=is_dead)
            self._rows.append(f"{line - self._last},{shown}")
            self._last = line
        if is_plain and room and found is not None:
            self._forms.keep(room, place, form, found)
        if dead is None and form.flow == LEAVES:
            self._is_dead = True

    def _paint_run(self, line: int, first: int, stop: int) -> Generator[None, None, int]:
        """Adds the rows of the run that holds a line, as far as they are in lines [first, stop).

        Returns the line behind it.
        """
        start = self._document.start_of_run(line)
        end = self._document.stop_of_run(line + 1)
        run = self._document.records[line]
        assert isinstance(run, MultiLine)  # noqa: S101  for mypy
        rows = self._forms.heads.get(run)
        if rows is None:
            rows = yield from self._rows_of_run(run, start, self._document.lines[start:end])
        else:
            self._is_dead = False
        close = self._close(start)
        if close is not None and start <= close < end:  # what follows is not in the function
            self._is_dead = False
        for row, text in rows:
            if first <= start + row < stop:
                self._rows.append(f"{start + row - self._last},{text}")
                self._last = start + row
        return min(end, stop)

    def _rows_of_run(
        self, run: MultiLine, start: int, lines: list[str]
    ) -> Generator[None, None, list[tuple[int, str]]]:
        """The rows of all of a run, by their numbers in it."""
        found = RunTokens(self._forms, self._styles_of, start, lines)
        if self._dead is None:
            self._is_dead = yield from found.read(run, is_dead=self._is_dead)
        else:
            yield from found.read(run, is_dead=False, unreachable=self._dead.holds)
        rows = []
        for row in sorted(found.by_row):
            tokens = sorted(found.by_row[row])
            if self._palette.unit is not ColumnUnit.UTF_32 and not lines[row].isascii():
                tokens = in_units(tokens, lines[row], self._palette.unit)
            rows.append((row, encoded(tokens, self._palette)))
            yield
        if is_head(run) and not found.has_names:
            self._forms.keep_head(run, rows)
        return rows

    def _styles_of(self, line: int, piece: int) -> RegionStyles:
        """The styles of the region that a statement belongs to, by its number in a run."""
        outline = self._document.outline
        index = outline.region_at(line)
        regions = outline.regions
        while index and regions[index].start == line and regions[index].piece > piece:
            index -= 1
        found = self._styles.get(index)
        if found is None:
            found = self._styles[index] = RegionStyles(self._document, index, self._module)
        return found
