"""Semantic tokens: what every word of a document is.

What was found is kept by region until an edit touches it, and by the form of a line for ever; see
`token_forms`. A *row* is the tokens of one line as text, the lines since the row before in front.
"""

from __future__ import annotations

from bisect import bisect_right
from typing import TYPE_CHECKING, Final, NamedTuple

from ptx_ls.features.name_styles import ModuleStyles, RegionStyles
from ptx_ls.features.run_tokens import RunTokens
from ptx_ls.features.token_forms import (
    ENTERED,
    FALLS_THROUGH,
    LEAVES,
    Forms,
    Palette,
    encoded,
    in_units,
    without_digits,
)
from ptx_ls.semantics.analysis import Analysis
from ptx_ls.semantics.flow import flow_graph
from ptx_ls.source.columns import ColumnUnit
from ptx_ls.syntax.record import Kind, PlainRun, Run

if TYPE_CHECKING:
    from collections.abc import Generator

    from ptx_ls.isa import Context
    from ptx_ls.syntax.document import Document
    from ptx_ls.syntax.outline import Region
    from ptx_ls.syntax.places import Place

_KEPT: Final = "semantic tokens"
"""Key of a region's rows among what is kept with it."""
_BLOCK: Final = 1000
"""Lines that are looked at between two moments of giving way."""
_LARGE: Final = 1000
"""Lines of a function up to which its flow graph tells what is reachable; in a larger one, what
follows a jump is unreachable up to the next label, for the graph is made anew after every edit."""
_BACK: Final = 20_000
"""Lines before the first one that are searched for what makes it unreachable."""


class _RegionRows(NamedTuple):
    """Rows of a region; the first has no lines in front. `outer`: names the module was asked."""

    forms: Forms
    outer: dict[str, int]
    rows: list[str]
    first: int
    last: int


class Highlighter:
    """Finds tokens for one editor. Keeps what lines of all its documents have in common."""

    def __init__(self, palette: Palette) -> None:
        self._palette = palette
        self._forms: dict[Context, Forms] = {}

    def rows(self, document: Document) -> Generator[None, None, list[str]]:
        """The rows of the whole document; yields now and then, to be gone on with or given up."""
        return _Painter(document, self._forms_of(document)).all_rows()

    def rows_between(
        self, document: Document, first: int, stop: int
    ) -> Generator[None, None, list[str]]:
        """The rows of lines [first, stop); for those in view, it has nothing to yield."""
        return _Painter(document, self._forms_of(document)).rows_between(first, stop)

    def _forms_of(self, document: Document) -> Forms:
        context = Analysis(document).context
        found = self._forms.get(context)
        if found is None:
            found = self._forms[context] = Forms(self._palette, context)
        return found


class _Unreachable(NamedTuple):
    """Statements that control cannot come to. Lines of `blocks` count from `start`."""

    start: int
    blocks: list[tuple[Place, Place]]

    def holds(self, line: int, column: int) -> bool:
        """Whether a place of the document is in one of them."""
        place = line - self.start, column
        index = bisect_right(self.blocks, place, key=_first) - 1
        return index >= 0 and place < self.blocks[index][1]


def _first(block: tuple[Place, Place]) -> Place:
    return block[0]


class _Painter:
    """Finds the rows of one document, for one request."""

    def __init__(self, document: Document, forms: Forms) -> None:
        self._document = document
        self._forms = forms
        self._palette = forms.palette
        self._module = ModuleStyles(document)
        self._rows: list[str] = []
        self._last = 0
        self._is_dead = False
        self._dead: _Unreachable | None = None
        self._styles: dict[int, RegionStyles] = {}

    def all_rows(self) -> Generator[None, None, list[str]]:
        """The rows of the whole document."""
        outline = self._document.outline
        rows: list[str] = []
        last = 0
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
        is_same = all(self._module.find(name) == known for name, known in kept.outer.items())
        return kept if is_same else None

    def _read(self, index: int, region: Region, stop: int) -> Generator[None, None, _RegionRows]:
        self._rows, self._last, self._is_dead = [], region.start, False
        self._dead = self._unreachable(index)
        styles = self._styles[index] = RegionStyles(self._document, index, self._module)
        yield
        for first in range(region.start, stop, _BLOCK):
            self._paint(first, min(first + _BLOCK, stop), styles)
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

    def rows_between(self, first: int, stop: int) -> Generator[None, None, list[str]]:
        """The rows of lines [first, stop)."""
        outline = self._document.outline
        stop = min(stop, len(self._document.lines))
        self._rows, self._last = [], 0
        while first < stop:
            index = outline.region_at(first)
            end = min(stop, outline.stop(index))
            styles = self._styles[index] = RegionStyles(self._document, index, self._module)
            self._dead = self._unreachable(index)
            self._is_dead = self._dead is None and self._is_dead_before(
                first, outline.regions[index].start
            )
            while first < end:
                self._paint(first, min(first + _BLOCK, end), styles)
                first += _BLOCK
                if first < stop:
                    yield
            first = end
        return self._rows

    def _unreachable(self, index: int) -> _Unreachable | None:
        """What control cannot come to in a region; None for one too large to find out."""
        region = self._document.outline.regions[index]
        if region.kind is not Kind.FUNCTION:
            return _Unreachable(region.start, [])
        if self._document.outline.stop(index) - region.start > _LARGE:
            return None
        graph = flow_graph(self._document, index)
        live, places = graph.reachable, zip(graph.starts, graph.stops, strict=True)
        dead = [place for number, place in enumerate(places) if number not in live]
        return _Unreachable(region.start, dead)

    def _is_dead_before(self, line: int, start: int) -> bool:
        """Whether control cannot come to a line from the one above."""
        document = self._document
        line = document.start_of_run(line)
        close = self._close(line)
        for above in range(line - 1, max(start, line - _BACK) - 1, -1):
            record = document.records[above]
            if isinstance(record, Run):
                flow = FALLS_THROUGH
                for piece in record.records:
                    flow = self._forms.flow(piece) or flow
            else:
                flow = self._forms.flow(record)
            if flow != FALLS_THROUGH:
                return flow == LEAVES
            if above == close:
                return False
        return False

    def _close(self, line: int) -> int | None:
        """The line of the brace that ends the body of the function around a line."""
        outline = self._document.outline
        return outline.regions[outline.region_at(line)].close

    def _paint(self, first: int, stop: int, styles: RegionStyles) -> None:
        """Adds the rows of lines of one region."""
        lines = self._document.lines[first:stop]
        records = self._document.records[first:stop]
        keys = without_digits(lines)
        forms = list(map(self._forms.known.get, zip(records, keys, strict=False)))
        is_plain = self._palette.unit is ColumnUnit.UTF_32 or "".join(lines).isascii()
        close = self._close(first)
        dead = self._dead
        by_names, rows, last = styles.by_names, self._rows, self._last
        over = 0
        for number, known in enumerate(forms):
            form = known
            if form is None:
                if number < over:
                    continue
                record = records[number]
                if isinstance(record, Run) and (
                    not isinstance(record, PlainRun) or (dead and dead.blocks)
                ):
                    self._last = last
                    over = self._paint_run(record, first + number, (first, stop)) - first
                    last = self._last
                    continue
                form = self._forms.form(record, keys[number], lines[number])
            if dead is None and (form.flow == ENTERED or first + number == close):
                self._is_dead = False
            if form.tokens:
                if dead and dead.blocks:
                    self._is_dead = dead.holds(first + number, form.tokens[0][0])
                found = by_names.get(form.names) or styles.of_form(
                    form.names, form.spans, lines[number], first + number
                )
                if not is_plain and not lines[number].isascii():
                    text = form.encoded_in(lines[number], found, is_dead=self._is_dead)
                else:
                    texts = form.dead if self._is_dead else form.live
                    text = texts.get(found) or form.text(found, is_dead=self._is_dead)
                rows.append(f"{first + number - last},{text}")
                last = first + number
            if dead is None and form.flow == LEAVES:
                self._is_dead = True
        self._last = last

    def _paint_run(self, run: Run, line: int, bounds: tuple[int, int]) -> int:
        """Adds the rows of a run that holds a line, as far as they are within bounds.

        Returns the line behind it.
        """
        start = self._document.start_of_run(line)
        stop = self._document.stop_of_run(line + 1)
        lines = self._document.lines[start:stop]
        found = RunTokens(self._forms, self._styles_of, start, lines)
        if self._dead is None:
            self._is_dead = found.read(run, is_dead=self._is_dead)
        else:
            found.read(run, is_dead=False, unreachable=self._dead.holds)
        for row in sorted(found.by_row):
            if bounds[0] <= start + row < bounds[1]:
                tokens = sorted(found.by_row[row])
                if self._palette.unit is not ColumnUnit.UTF_32 and not lines[row].isascii():
                    tokens = in_units(tokens, lines[row], self._palette.unit)
                text = encoded(tokens, self._palette, is_dead=False)
                self._rows.append(f"{start + row - self._last},{text}")
                self._last = start + row
        return min(stop, bounds[1])

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
