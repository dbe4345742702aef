"""Pages of the handbook as text for a terminal: folded to its width, coloured on request."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from ptx_ls.handbook.page import Bullets, Code, Heading, Table, TableOfContents, Text

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from ptx_ls.handbook.page import Block, Page

MAX_WIDTH: Final = 100
"""Maximum width of readable text, even on a wider terminal."""
TOP_LEVEL: Final = 2
"""The level of the headings directly below the title."""
_INDENT: Final = "    "
_COLUMN_GAP: Final = 2
_MIN_COLUMN_WIDTH: Final = 16
"""Minimum width to which a table column is narrowed."""
_LIST_ITEM: Final = re.compile(r"\s*[-*] ")
_SPAN: Final = re.compile(r"`` (.+?) ``|`([^`]+)`|\*\*(.+?)\*\*|\[([^]]*)\]\([^)]*\)")
_CODE: Final = "36"
_BOLD: Final = "1"
_HEADING: Final = "1;34"


@dataclass(frozen=True, slots=True)
class Word:
    """A part of a text within which lines are not broken; `colour` is "" for none."""

    text: str
    colour: str = ""


class PageText:
    """Writes pages.

    Args:
        width: columns of the terminal.
        has_colour: whether to colour with escape sequences. Without, code keeps its backquotes
            in sentences.
    """

    def __init__(self, width: int, *, has_colour: bool) -> None:
        self._width = min(width, MAX_WIDTH)
        self._has_colour = has_colour

    def text(self, page: Page) -> str:
        """Returns a page as text that ends with a line end."""
        parts = [self._painted(_BOLD, self._bare(page.title))]
        for block in page.blocks:
            part = "\n".join(self._block(block))
            if part:
                parts.append(part)
        return "\n\n".join(parts) + "\n"

    def _block(self, block: Block) -> Iterator[str]:
        match block:
            case Heading(level, text):
                yield self._painted(_HEADING, self._heading(level, self._bare(text)))
            case Text(text):
                yield from self._prose(text)
            case Code(text):
                yield from (f"{_INDENT}{line}".rstrip() for line in text.strip("\n").split("\n"))
            case Bullets(items):
                for item in items:
                    yield from self._folded(item, "- ", "  ")
            case Table(header, rows):
                yield from self._table(header, rows)
            case TableOfContents():
                pass

    @staticmethod
    def _heading(level: int, text: str) -> str:
        """Returns a heading as in manual pages: the highest in capitals, others after dashes."""
        return text.upper() if level == TOP_LEVEL else f"{'-' * (5 - level)} {text}"

    def _prose(self, text: str) -> Iterator[str]:
        """Yields the lines of Markdown: paragraphs, lists and tables folded, fenced blocks not."""
        for number, paragraph in enumerate(re.split(r"\n\s*\n", text.strip())):
            if number:
                yield ""
            if paragraph.startswith("```"):
                yield from (_INDENT + line for line in paragraph.split("\n")[1:-1])
                continue
            if paragraph.startswith("|"):
                header, _, *rows = map(_cells, paragraph.split("\n"))
                yield from self._table(header, (header, *rows))
                continue
            for lines in _items(paragraph.split("\n")):
                is_item = _LIST_ITEM.match(lines[0]) is not None
                joined = " ".join(line.strip() for line in lines)
                if is_item:
                    yield from self._folded(joined.lstrip("-* "), "- ", "  ")
                else:
                    yield from self._folded(joined)

    def _table(self, header: Sequence[str], rows: Sequence[Sequence[str]]) -> Iterator[str]:
        """Yields the rows in columns, folded to fit; or else each cell on its own lines."""
        used = [index for index in range(len(header)) if any(row[index] for row in rows)]
        cells = [[row[index] for index in used] for row in rows]
        columns = list(zip(*cells, strict=True))
        natural = [max(map(self._length, column)) for column in columns]
        longest = [max(map(self._longest_word, column)) for column in columns]
        widths = _fitting(natural, longest, self._width - _COLUMN_GAP * (len(used) - 1))
        if not widths:
            names = [header[index] for index in used]
            for row in cells:
                yield from self._stacked(names, row)
            return
        for row in cells:
            yield from self._row(row, widths)

    def _row(self, row: Sequence[str], widths: Sequence[int]) -> Iterator[str]:
        folded = [list(self._fold(*each)) for each in zip(row, widths, strict=True)]
        for number in range(max(map(len, folded))):
            line = ""
            for lines, width in zip(folded, widths, strict=True):
                cell, size = lines[number] if number < len(lines) else ("", 0)
                line += cell + " " * (width - size + _COLUMN_GAP)
            yield line.rstrip()

    def _stacked(self, header: Sequence[str], row: Sequence[str]) -> Iterator[str]:
        """Yields a row of a table too wide for columns: its first cell, the others below it."""
        yield from self._folded(row[0])
        for name, cell in zip(header[1:], row[1:], strict=True):
            if cell:
                yield from self._folded(cell, f"{_INDENT}{name}: ", _INDENT * 2)

    def _folded(self, text: str, first: str = "", others: str = "") -> Iterator[str]:
        lines = self._fold(text, self._width - max(len(first), len(others)))
        for number, (line, _) in enumerate(lines):
            yield (others if number else first) + line

    def _fold(self, text: str, width: int) -> Iterator[tuple[str, int]]:
        """Yields lines of at most `width` columns, unless a word is longer, with their lengths."""
        line, length = "", 0
        for words in self._words(text):
            size = sum(len(word.text) for word in words)
            if line and length + 1 + size > width:
                yield line, length
                line, length = "", 0
            gap = " " if line else ""
            line += gap + "".join(self._painted(word.colour, word.text) for word in words)
            length += len(gap) + size
        if line:
            yield line, length

    def _longest_word(self, text: str) -> int:
        words = self._words(text)
        return max((sum(len(word.text) for word in each) for each in words), default=0)

    def _length(self, text: str) -> int:
        """Returns the number of columns that a text takes in one line."""
        words = list(self._words(text))
        sizes = (sum(len(word.text) for word in each) for each in words)
        return sum(sizes) + max(0, len(words) - 1)

    def _words(self, text: str) -> Iterator[list[Word]]:
        """Yields the words of a text, each as its parts, which may have different colours."""
        pending: list[Word] = []
        for shown, colour in self._spans(text):
            for number, piece in enumerate(re.split(r"\s+", shown)):
                if number and pending:
                    yield pending
                    pending = []
                if piece:
                    pending.append(Word(piece, colour))
        if pending:
            yield pending

    def _spans(self, text: str) -> Iterator[tuple[str, str]]:
        """Yields each visible part of inline Markdown and its colour."""
        is_code = re.fullmatch(r"(`[^`]+`\s*)+", text) is not None
        position = 0
        for match in _SPAN.finditer(text):
            yield text[position : match.start()], ""
            position = match.end()
            quoted, plain, bold, link = match.groups()
            if bold is not None:
                yield self._bare(bold), _BOLD
            elif link is not None:
                yield link.strip("`"), _CODE if link.startswith("`") else ""
            else:
                inner = quoted or plain
                quote = "" if self._has_colour or is_code else "`"
                yield f"{quote}{inner}{quote}", _CODE
        yield text[position:], ""

    def _bare(self, text: str) -> str:
        return _SPAN.sub(lambda match: next(part for part in match.groups() if part), text)

    def _painted(self, colour: str, text: str) -> str:
        return f"\x1b[{colour}m{text}\x1b[0m" if self._has_colour and colour else text


def _cells(line: str) -> list[str]:
    """Returns the cells of a row of a Markdown table."""
    cells = re.split(r"(?<!\\)\|", line.strip().strip("|"))
    return [cell.strip().replace("\\|", "|") for cell in cells]


def _fitting(natural: Sequence[int], least: Sequence[int], room: int) -> list[int]:
    """Returns widths of columns that fit, by narrowing the widest; [] if words would be cut."""
    widths = list(natural)
    while sum(widths) > room:
        spare = [
            (width, index)
            for index, width in enumerate(widths)
            if width > max(least[index], min(_MIN_COLUMN_WIDTH, natural[index]))
        ]
        if not spare:
            return []
        widths[max(spare)[1]] -= 1
    return widths


def _items(lines: Iterable[str]) -> Iterator[list[str]]:
    """Yields the lines of a paragraph, those of each list item together."""
    found: list[str] = []
    for line in lines:
        if _LIST_ITEM.match(line) and found:
            yield found
            found = []
        found.append(line)
    if found:
        yield found
