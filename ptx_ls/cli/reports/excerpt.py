"""The `full` format: a diagnostic with the lines it is about, and carets under its range."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from ptx_ls.cli.console import escaped, visible
from ptx_ls.source import Range, Severity
from ptx_ls.source.english import either
from ptx_ls.source.lines import content_length

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from ptx_ls.cli.reports.report import Look
    from ptx_ls.source import Diagnostic

_TAB_WIDTH: Final = 4
_CUT: Final = "..."
_MIN_EXCERPT_WIDTH: Final = 20
_COLOURS: Final = {
    Severity.ERROR: "1;31",
    Severity.WARNING: "1;33",
    Severity.INFORMATION: "1;34",
    Severity.HINT: "1;36",
}
_BOLD: Final = "1"
_GUTTER: Final = "1;34"


class Printer:
    """Writes the diagnostics of one file.

    Args:
        path: the path as shown.
        lines: those of the file.
        look: how they look.
    """

    def __init__(self, path: str, lines: Sequence[str], look: Look) -> None:
        self._path = path
        self._lines = lines
        self._width = look.width
        self._has_colour, self._has_links = look.has_colour, look.has_links

    def full(self, diagnostic: Diagnostic) -> str:
        """Returns the diagnostic in several lines, the last of them empty."""
        colour = _COLOURS[diagnostic.severity]
        last = max(it.end.line for it in (diagnostic.range, *(r.range for r in diagnostic.related)))
        gutter = len(str(last + 1))
        rule = self._linked(diagnostic.rule)
        head = self._coloured(colour, f"{diagnostic.severity.value}[{rule}]")
        message = self._coloured(_BOLD, f": {escaped(diagnostic.message)}")
        lines = [head + message, *self._place(diagnostic.range, gutter, "^", colour)]
        for related in diagnostic.related:
            note = self._coloured(_BOLD, "note")
            lines.append(f"{note}: {escaped(related.message)}")
            lines.extend(self._place(related.range, gutter, "-", _GUTTER))
        for title in _without_repetition([fix.title for fix in diagnostic.fixes]):
            mark = self._coloured(_GUTTER, " " * gutter + " =")
            lines.append(f"{mark} {self._coloured(_BOLD, 'help')}: {escaped(title)}")
        return "\n".join(lines) + "\n"

    def _place(self, span: Range, gutter: int, mark: str, colour: str) -> Iterator[str]:
        """Yields the place of a range, and its first and last line with marks below."""
        start = span.start
        arrow = self._coloured(_GUTTER, " " * gutter + "-->")
        yield f"{arrow} {self._path}:{start.line + 1}:{start.column + 1}"
        bar = self._coloured(_GUTTER, " " * gutter + " |")
        yield bar
        for line in _shown(span):
            if line > start.line + 1:
                yield self._coloured(_GUTTER, _CUT)
            room = self._width - gutter - len(" | ")
            text, marks = self._excerpt(line, span, mark, max(room, _MIN_EXCERPT_WIDTH))
            number = self._coloured(_GUTTER, f"{line + 1:>{gutter}} |")
            yield f"{number} {text}".rstrip()
            marks = marks[: len(marks) - len(marks.lstrip())] + self._coloured(
                colour, marks.lstrip()
            )
            yield f"{bar} {marks}"

    def _excerpt(self, number: int, span: Range, mark: str, room: int) -> tuple[str, str]:
        """Returns a line, or a piece of it that fits, and marks below its part of the range."""
        line = self._lines[number] if number < len(self._lines) else ""
        length = content_length(line)
        first = span.start.column if number == span.start.line else _indent(line, length)
        stop = min(span.end.column, length) if number == span.end.line else length
        first = min(first, length)
        begin, end = _window(first, max(first + 1, stop), length, room)
        cells = _cells(line[begin:end], _CUT if begin else "", _CUT if end < length else "")
        start = first - begin + 1  # the first cell is the mark of the cut
        after = max(first, min(stop, end)) - begin + 1
        before = sum(map(_width, cells[:start]))
        under = sum(map(_width, cells[start:after]))
        return "".join(cells), " " * before + mark * max(1, under)

    def _linked(self, rule: str) -> str:
        """Returns the name of a rule, as a link to its page where that is possible (OSC 8)."""
        if not self._has_links:
            return rule
        from ptx_ls.lint.rule_names import rule_url

        return f"\x1b]8;;{rule_url(rule)}\x1b\\{rule}\x1b]8;;\x1b\\"

    def _coloured(self, colour: str, text: str) -> str:
        return f"\x1b[{colour}m{text}\x1b[0m" if self._has_colour else text


def _without_repetition(titles: Sequence[str]) -> list[str]:
    """Returns the titles of fixes; those that only end in another spelling become one.

    "Insert `.lo`" and "Insert `.hi`" become "Insert `.lo` or `.hi`".
    """
    spellings: dict[str, list[str]] = {}
    for title in titles:
        spelling = title[title.rfind(" ") + 1 :]
        is_spelling = len(spelling) > len("``") and spelling[0] == spelling[-1] == "`"
        start = title.removesuffix(spelling) if is_spelling else title
        spellings.setdefault(start, []).append(spelling if is_spelling else "")
    return [start + either(own) for start, own in spellings.items()]


def _shown(span: Range) -> tuple[int, ...]:
    """Returns the lines to show: the first and the last that have a character of the range."""
    last = span.end.line - (span.end.column == 0 and span.end.line > span.start.line)
    return (span.start.line,) if last == span.start.line else (span.start.line, last)


def _indent(line: str, length: int) -> int:
    """Returns the indentation of a line; examines no more than fits on a screen."""
    head = line[: min(length, 200)]
    return len(head) - len(head.lstrip())


def _window(first: int, stop: int, length: int, room: int) -> tuple[int, int]:
    """Returns the columns of a long line to show: as much of the range as fits, centred."""
    if length <= room:
        return 0, length
    room -= 2 * len(_CUT)
    spare = max(0, room - (stop - first))
    begin = max(0, min(first - spare // 2, length - room))
    return begin, min(length, begin + room)


def _cells(text: str, before: str, after: str) -> list[str]:
    """Returns the visible form of each character, between the marks `before` and `after`."""
    cells = [before]
    column = len(before)
    for character in text:
        cell = " " * (_TAB_WIDTH - column % _TAB_WIDTH) if character == "\t" else visible(character)
        cells.append(cell)
        column += _width(cell)
    cells.append(after)
    return cells


def _width(cell: str) -> int:
    """Returns the columns that a cell takes on a terminal."""
    if cell.isascii():
        return len(cell)
    import unicodedata

    if unicodedata.combining(cell):
        return 0
    return 2 if unicodedata.east_asian_width(cell) in "WF" else 1
