"""Lays out the lines of a document, unit by unit.

A unit is a single line, or the lines of a run. Nearly every line of compiler output is a plain
statement (`quick.py`); the rest is read token by token.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from ptx_ls.document.chunk import HEADS
from ptx_ls.formatting import items
from ptx_ls.formatting.columns import Sheet
from ptx_ls.formatting.comparison import is_same, kinds
from ptx_ls.formatting.items import LayoutItem, with_lists
from ptx_ls.formatting.layout import lay_out
from ptx_ls.formatting.long_line import LongLines
from ptx_ls.formatting.memo import Memo
from ptx_ls.formatting.quick import Quick, comment
from ptx_ls.formatting.row import WHITE_SPACE, LayoutRow, Role
from ptx_ls.source.lines import content_length
from ptx_ls.source.named_tuple import NamedTuple
from ptx_ls.syntax.record import Kind, MultiLine

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from typing import TypeAlias

    from ptx_ls.formatting.memo import Key
    from ptx_ls.formatting.style import FormatStyle
    from ptx_ls.source import LineSpan
    from ptx_ls.syntax.record import Record

_INSTRUCTION: Final = Kind.INSTRUCTION
_RUN: Final = Kind.RUN
_BLANK: Final = Kind.BLANK
_LINES_OF_STEP: Final = 2048
"""Maximum number of lines between two calls of `should_stop`."""


BracePlace: TypeAlias = tuple[int, int]
"""A brace: the line on which its run begins, and its number among the statements of the run."""


class LayoutInput(NamedTuple):
    """The input of a layout: lines with their ends, and their records.

    `unmatched`: the braces that are unmatched in their function.
    """

    lines: Sequence[str]
    records: Sequence[Record]
    unmatched: frozenset[BracePlace]


class FormattedLines(NamedTuple):
    """Formatted lines: unit n began with the line `lines[n]`, and begins with row `rows[n]` now.

    Both have one more number: the end of the last unit. `kept`: the first lines of the units that
    are unchanged.
    """

    lines: list[int]
    rows: list[int]
    texts: list[str]
    kept: set[int]

    def moved(self, n_lines: int) -> FormattedLines:
        """Returns the layout for lines with `n_lines` more before them."""
        lines = [line + n_lines for line in self.lines]
        return self._replace(lines=lines, kept={line + n_lines for line in self.kept})


def lay_out_lines(
    source: LayoutInput,
    span: LineSpan,
    level: int,
    style: FormatStyle,
    should_stop: Callable[[], bool] = bool,
) -> FormattedLines | None:
    """Lays out the lines of `span`, which are whole units; returns None if it was stopped.

    `level` is the number of braces that are open at their start.
    """
    at, stop = span
    walk = _Walk(source, stop, level, style)
    if at:
        walk.sheet.last = Role.CODE
    look = at
    while at < stop:
        if at >= look:
            if should_stop():
                return None
            look = at + _LINES_OF_STEP
        at = walk.go_on(at)
    if stop >= len(source.lines):
        walk.sheet.drop_blanks()
    walk.sheet.finish()
    walk.note(at)
    return FormattedLines(walk.lines, walk.rows, walk.sheet.texts, walk.kept)


class _Walk:
    """Goes from unit to unit, and counts the open braces."""

    def __init__(self, source: LayoutInput, stop: int, level: int, style: FormatStyle) -> None:
        self.sheet = Sheet(style)
        self.lines: list[int] = []
        self.rows: list[int] = []
        self.kept: set[int] = set()
        self._kept_stop = 0  # the line after the last unchanged unit
        self._source = source
        self._end = stop
        self._level = level
        self._style = style
        self._quick = Quick(style)
        self._memo = Memo(style)
        self._long_lines = LongLines(style)
        self._lines_unmatched = {line for line, _ in source.unmatched}

    def note(self, line: int) -> None:
        """Records that a unit begins on `line`, and with the next row."""
        rows, row = self.rows, len(self.sheet.texts)
        index = len(rows) - 1
        while index >= 0 and rows[index] > row:  # blank lines that were removed
            rows[index] = row
            index -= 1
        self.lines.append(line)
        self.rows.append(row)

    def go_on(self, line: int) -> int:
        """Lays out the unit that begins on a line, or several units, and returns the next line."""
        record = self._source.records[line]
        kind = record.kind
        if kind is _INSTRUCTION:
            return self._instructions(line)
        text = self._source.lines[line]
        if kind is _BLANK or (kind is _RUN and not text.strip(WHITE_SPACE)):  # at the end of a run
            self._blank(line, text)
            return line + 1
        if kind is _RUN:
            stop = self._stop(line, record)
            self._lay_out(line, stop, record)
            return stop
        row = self._quick.row(text, kind, self._level)
        if row is None:
            self._lay_out(line, line + 1, record)
        else:
            self.note(line)
            self.sheet.add(row)
        return line + 1

    def _blank(self, line: int, text: str) -> None:
        lines = self._source.lines
        self.note(line)
        if self._kept_stop == line and lines[line - 1].endswith("\r") and text:
            # Without its spaces, its line feed would merge with the carriage return above.
            self.kept.add(line)
            self._kept_stop = line + 1
            self.sheet.plain([text[: content_length(text)]], Role.KEPT)
        elif line + 1 < len(lines):  # an empty last line is not a blank line
            self.sheet.blank()

    def _instructions(self, line: int) -> int:
        """Lays out instructions alone on their lines, up to a row that is aligned with others."""
        lines, records, end = self._source.lines, self._source.records, self._end
        read, level = self._quick.instruction, self._level
        margin = self.sheet.margin(level)
        texts: list[str] = []
        at = line
        row: LayoutRow | str | None = None
        while at < end and records[at].kind is _INSTRUCTION:
            row = read(lines[at], level)
            if not isinstance(row, str):
                break
            texts.append(margin + row)
            at += 1
        if texts:
            self.note(line)
            self.sheet.plain(texts, Role.CODE)
            self.lines.extend(range(line + 1, at))
            n_rows = len(self.sheet.texts)
            self.rows.extend(range(n_rows - len(texts) + 1, n_rows))
        if isinstance(row, LayoutRow):
            self.note(at)
            self.sheet.add(row)
            return at + 1
        if row is None and at < end:
            self._lay_out(at, at + 1, records[at])
            return at + 1
        return at

    def _stop(self, line: int, record: Record) -> int:
        """Returns the line after a run that begins on `line`, without its final blank lines."""
        lines, records = self._source.lines, self._source.records
        stop = line + 1
        while stop < len(records) and records[stop] is record:
            stop += 1
        if not record.problems and isinstance(record, MultiLine) and record.pieces:
            least = line + record.pieces[-1].end[0] + 1
            while stop > least and not lines[stop - 1].strip(WHITE_SPACE):
                stop -= 1
        return stop

    def _lay_out(self, line: int, stop: int, record: Record) -> None:
        lines = self._source.lines[line:stop]
        if self._ends_unfinished(line):
            self._keep(line, lines, record)
            return
        level = self._level
        key = self._memo.key("".join(lines), level) if self._is_plain(line, record) else None
        known = self._memo.get(key) if key else None
        rows: list[LayoutRow | str] | None
        if known is not None:
            statements, self._level = known
            rows = [row for each in statements for row in each]
        else:
            rows = self._rows(line, lines, record, key)
        if not rows:
            self._level = level
            self._keep(line, lines, record)
            return
        first = rows[0]
        if isinstance(first, LayoutRow) and first.role in (Role.CLOSE, Role.END):
            self.sheet.drop_blanks()
        self.note(line)
        self.sheet.add_all(rows)

    def _rows(
        self, line: int, lines: Sequence[str], record: Record, key: Key | None
    ) -> list[LayoutRow | str] | None:
        """Returns the rows of a unit, remembered by `key`; None if the unit must not change."""
        level = self._level

        def follow(kind: Kind, number: int) -> tuple[int, Role | None]:
            return self._follow(kind, line, number)

        rows = self._long_lines.rows(lines, record, follow, self.sheet.margin)
        if rows is not None:
            return rows
        self._level = level
        found = self._statements(line, lines, record)
        if not found or not is_same(lines, found, record):
            return None
        if key:
            self._memo.put(key, found, self._level)
        return [row for each in found for row in each]

    def _ends_unfinished(self, line: int) -> bool:
        """Whether a line begins with a brace that ends a statement without a terminator.

        The text after the brace, on the same line, shows that it does.
        """
        lines, records = self._source.lines, self._source.records
        if not lines[line].lstrip(WHITE_SPACE).startswith("{"):
            return False
        before = line - 1
        while before >= 0 and records[before].kind in (_BLANK, Kind.COMMENT):
            before -= 1
        return before >= 0 and bool(records[before].problems)

    def _is_plain(self, line: int, record: Record) -> bool:
        """Whether the layout of a unit depends only on the text of its lines."""
        return not record.problems and line not in self._lines_unmatched

    def _keep(self, line: int, lines: Sequence[str], record: Record) -> None:
        self.note(line)
        self.kept.add(line)
        self._kept_stop = line + len(lines)
        for text in lines:
            if text:  # an empty last line is not a row
                self.sheet.plain([text[: content_length(text)]], Role.KEPT)
        for number, kind in enumerate(kinds(record)):
            self._follow(kind, line, number)

    def _statements(
        self, line: int, lines: Sequence[str], record: Record
    ) -> list[list[LayoutRow]] | None:
        """Returns the rows of each statement of a unit, and of each comment between them."""
        result: list[list[LayoutRow]] = []
        for each in with_lists(items.read(lines, record) or []):
            if isinstance(each, LayoutItem):
                row = comment(each.text, self._level)
                result.append([row._replace(n_blank=each.n_blank)])
                continue
            level, role = self._follow(each.kind, line, each.number)
            rows = lay_out(each, level, self._style)
            first = rows[0]._replace(
                role=rows[0].role if role is None else role, n_blank=each.items[0].n_blank
            )
            result.append([first, *rows[1:]])
        return result

    def _follow(self, kind: Kind, line: int, number: int) -> tuple[int, Role | None]:
        """Returns a statement's level, and its role if the level decides it; updates the level."""
        if kind in HEADS:
            self._level = 1
            return 0, None
        level = self._level
        if kind is Kind.LABEL:
            return max(0, level - 1), None
        if kind in (Kind.OPEN, Kind.CLOSE) and (line, number) not in self._source.unmatched:
            if kind is Kind.OPEN:
                self._level = level + 1
                return level, None
            self._level = max(0, level - 1)
            return self._level, Role.CLOSE if self._level else Role.END
        return level, None
