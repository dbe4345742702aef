"""Semantic tokens: the kind and traits of every word of a document.

Rows are kept with each function, and by the form of a line for all documents; see `token_forms`.
A *row* is the tokens of one line as text, which begins with the number of lines since the last row.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from ptx_ls.document.cancellation import check_cancelled
from ptx_ls.document.parts import parts
from ptx_ls.features.control_flow.unreachable import unreachable
from ptx_ls.features.tokens.name_styles import ModuleStyles, RegionStyles
from ptx_ls.features.tokens.run_tokens import RunTokens
from ptx_ls.features.tokens.token_forms import Forms, without_digits
from ptx_ls.features.tokens.token_patterns import encoded, in_units
from ptx_ls.features.tokens.token_rows import (
    CHUNK_ROWS,
    FUNCTION_ROWS,
    GROUP_ROWS,
    JoinedRows,
    PaintedRows,
    PlacedRows,
    TokenRows,
    joined,
)
from ptx_ls.flow.graphs import never_returning
from ptx_ls.semantics.analysis import Analysis
from ptx_ls.semantics.symbols.declaring_lines import declaring_node
from ptx_ls.source.columns import ColumnUnit
from ptx_ls.syntax.record import InlineAsmLine, MultiLine

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from ptx_ls.document.chunk import Chunk
    from ptx_ls.document.document import Document
    from ptx_ls.document.located import LocatedFunction
    from ptx_ls.document.node import Node
    from ptx_ls.features.control_flow.unreachable import Unreachable
    from ptx_ls.features.tokens.token_patterns import Palette, TokenRowCache
    from ptx_ls.isa import Context
    from ptx_ls.source import Position
    from ptx_ls.syntax.record import Record

_PORTION: Final = 1000
"""The number of lines that are painted together."""


class Highlighter:
    """Finds tokens for one editor. Keeps the forms of lines of all its documents."""

    def __init__(self, palette: Palette) -> None:
        self._palette = palette
        self._forms: dict[Context, Forms] = {}

    def rows(self, document: Document) -> tuple[PlacedRows, ...]:
        """Returns the rows of the whole document, in parts that have any."""
        return _Painter(document, self._forms_of(document)).all_rows()

    def rows_between(self, document: Document, first: int, stop: int) -> list[str]:
        """Returns the rows of lines [first, stop)."""
        return _Painter(document, self._forms_of(document)).rows_between(first, stop)

    def _forms_of(self, document: Document) -> Forms:
        context = Analysis(document).context
        found = self._forms.get(context)
        if found is None:
            found = self._forms[context] = Forms(self._palette, context)
        return found


class _Painter:
    """Finds the rows of one document, for one request."""

    def __init__(self, document: Document, forms: Forms) -> None:
        self._document = document
        self._forms = forms
        self._palette = forms.palette
        self._module = ModuleStyles(document)
        self._rows: list[str] = []
        self._last = 0
        self._dead: Unreachable
        self._styles: dict[int, RegionStyles] = {}

    def all_rows(self) -> tuple[PlacedRows, ...]:
        """The rows of the whole document."""
        return joined(self._placed_rows()).parts

    def _placed_rows(self) -> Iterator[tuple[int, JoinedRows]]:
        """Yields the rows of the parts of the document, each with its first line."""
        inputs = self._forms, never_returning(self._document)
        number = 0
        for part in parts(self._document):
            functions = range(number, number + len(part.functions))
            number = functions.stop
            group = None if part.group is None or part.group.shares_lines else part.group
            rows = GROUP_ROWS.known(group, inputs) if group is not None else None
            if rows is None or not self._are_same(rows.outer):
                placed = self._rows_of_functions(functions, inputs)
                rows = joined((line - part.first_line, each) for line, each in placed)
                if group is not None:
                    GROUP_ROWS.store(group, rows, inputs)
            yield part.first_line, rows

    def _rows_of_functions(
        self, numbers: range, inputs: tuple[Forms, frozenset[str]]
    ) -> Iterator[tuple[int, JoinedRows]]:
        for located in self._document.functions[numbers.start : numbers.stop]:
            if not located.n_lines:
                continue  # the last function that begins on its line has the row
            # The row of a shared first line also depends on other functions, so it is not kept.
            is_kept = not located.start.column
            rows = FUNCTION_ROWS.known(located.function, inputs) if is_kept else None
            if rows is None or not self._are_same(rows.outer):
                rows = self._read(located)
                if is_kept:
                    FUNCTION_ROWS.store(located.function, rows, inputs)
            yield located.first_line, rows

    def _read(self, located: LocatedFunction) -> JoinedRows:
        styles = self._read_styles(located.number)
        shares_lines = located.start.column or located.function.extent.columns
        declared = declaring_node(located.function)
        if declared is located.function or shares_lines or self._dead.lines:
            found = [(0, self._painted(located.first_line, located.stop_line, styles))]
        else:
            found = self._read_chunks(located, styles, declared)
        each = [(row + rows.first, _alone(rows)) for row, rows in found if rows.lines.rows]
        return joined(each)._replace(outer=dict(styles.outer))

    def _read_chunks(
        self, located: LocatedFunction, styles: RegionStyles, declared: Node
    ) -> list[tuple[int, PaintedRows]]:
        """Returns the rows of the chunks of a function, each with the number of rows before it."""
        inputs = self._forms, declared
        found: list[tuple[int, PaintedRows]] = []
        painted: list[tuple[Chunk, PaintedRows]] = []
        same: Mapping[str, int] | None = None  # nearly always that of all kept chunks
        for (line, _), chunk in located.chunks():
            rows = CHUNK_ROWS.known(chunk, inputs)
            if rows is not None and rows.outer is not same and self._are_same(rows.outer):
                same = rows.outer
                styles.outer.update(same)
            if rows is None or rows.outer is not same:
                rows = self._painted(line, line + chunk.n_lines, styles)
                painted.append((chunk, rows))
            found.append((line - located.first_line, rows))
        outer = dict(styles.outer)
        for chunk, rows in painted:
            CHUNK_ROWS.store(chunk, rows._replace(outer=outer), inputs)
        return found

    def _painted(self, start: int, stop: int, styles: RegionStyles) -> PaintedRows:
        """Returns the rows of lines of one function."""
        self._rows, self._last = [], start
        self._paint_lines(start, stop, styles)
        rows = self._rows
        first = 0
        if rows:
            gap, _, rows[0] = rows[0].partition(",")
            first = int(gap)
        return PaintedRows(styles.outer, TokenRows(tuple(rows)), first, self._last - start)

    def _read_styles(self, index: int) -> RegionStyles:
        """Reads the declarations of a function, and finds its unreachable code."""
        self._dead = unreachable(self._document, index)
        self._styles[index] = RegionStyles(self._document, index, self._module)
        return self._styles[index]

    def rows_between(self, first: int, stop: int) -> list[str]:
        """The rows of lines [first, stop)."""
        stop = min(stop, len(self._document.lines))
        self._rows, self._last = [], 0
        while first < stop:
            located = self._document.located_on(first)
            end = min(stop, located.stop_line)
            styles = self._read_styles(located.number)
            self._paint_lines(first, end, styles)
            first = end
        return self._rows

    def _are_same(self, outer: Mapping[str, int]) -> bool:
        """Whether the module still gives these names the same styles."""
        return all(self._module.find(name) == known for name, known in outer.items())

    def _paint_lines(self, first: int, stop: int, styles: RegionStyles) -> None:
        """Adds the rows of lines of one function, in portions to save memory."""
        for start in range(first, stop, _PORTION):
            check_cancelled()
            self._paint(start, min(start + _PORTION, stop), styles)

    def _paint(self, first: int, stop: int, styles: RegionStyles) -> None:
        """Adds the rows of lines of one function."""
        lines = self._document.lines[first:stop]
        records = self._document.records[first:stop]
        text, keys = without_digits(lines)
        cache = self._forms.row_cache(styles.banks, text)
        dead = self._dead.lines
        rows, last, over = self._rows, self._last, 0
        known = map(cache.rows.get, zip(records, keys, strict=False))
        for line, row in enumerate(known, first):
            if row is None or line in dead:
                if line >= over:
                    self._last, at = last, line - first
                    if self._is_run(records[at], line):
                        over = self._paint_run(line, first, stop)
                    else:
                        place = records[at], keys[at]
                        self._paint_line(line, lines[at], place, cache, styles)
                    last = self._last
            elif row:
                rows.append(row if line == last + 1 else f"{line - last}{row[1:]}")
                last = line
        self._last = last

    def _is_run(self, record: Record, line: int) -> bool:
        """Whether the statements of a line must be read one by one."""
        is_inline_asm = isinstance(record, InlineAsmLine) and line not in self._dead.lines
        return isinstance(record, MultiLine) and not is_inline_asm

    def _paint_line(
        self,
        line: int,
        text: str,
        place: tuple[Record, str],
        cache: TokenRowCache,
        styles: RegionStyles,
    ) -> None:
        """Adds the row of a line; `place` as in `TokenRowCache.rows`."""
        may_be_dead = line in self._dead.lines
        is_plain = self._palette.unit is ColumnUnit.UTF_32 or text.isascii()
        if is_plain and not may_be_dead:
            row = cache.row_like_others(place, text)
            if row is not None:
                self._rows.append(f"{line - self._last}{row[1:]}")
                self._last = line
                return
        form = self._forms.form(place, text)
        found: tuple[int, ...] | None = ()
        if form.places:
            is_dead = may_be_dead and self._dead.holds(line, form.places[0])
            found = styles.of_banks(form.names)
            looked_up = found
            if looked_up is None:
                looked_up = styles.of_words(form, text, line)
            if is_plain:
                shown = form.text(looked_up, is_dead=is_dead)
            else:
                shown = form.encoded_in(text, looked_up, is_dead=is_dead)
            self._rows.append(f"{line - self._last},{shown}")
            self._last = line
        if is_plain and found is not None:
            self._forms.keep(cache, place, form, found)

    def _paint_run(self, line: int, first: int, stop: int) -> int:
        """Adds those rows of the run that contains a line that are in lines [first, stop).

        Returns the line after it.
        """
        own = self._document.run_at(line)
        start, end = own.start, own.stop
        run = self._document.records[line]
        assert isinstance(run, MultiLine)  # noqa: S101  for mypy
        rows = self._rows_of_run(run, start, self._document.lines[start:end])
        for row, text in rows:
            if first <= start + row < stop:
                self._rows.append(f"{start + row - self._last},{text}")
                self._last = start + row
        return min(end, stop)

    def _rows_of_run(self, run: MultiLine, start: int, lines: list[str]) -> list[tuple[int, str]]:
        """The rows of all of a run, by their numbers in it."""
        found = RunTokens(self._forms, self._styles_of, start, lines)
        found.read(run, self._dead)
        rows = []
        for row in sorted(found.by_row):
            tokens = sorted(found.by_row[row])
            if self._palette.unit is not ColumnUnit.UTF_32 and not lines[row].isascii():
                tokens = in_units(tokens, lines[row], self._palette.unit)
            rows.append((row, encoded(tokens, self._palette)))
        return rows

    def _styles_of(self, position: Position) -> RegionStyles:
        """Returns the styles of the function that holds the statement at a position."""
        index = self._document.number_at(position)
        found = self._styles.get(index)
        if found is None:
            found = self._styles[index] = RegionStyles(self._document, index, self._module)
        return found


def _alone(rows: PaintedRows) -> JoinedRows:
    """Returns the rows of a chunk, which count from the first of them."""
    return JoinedRows({}, (PlacedRows(0, rows.lines),), rows.last - rows.first)
