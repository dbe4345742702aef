"""Sorts register declarations on consecutive lines, and merges those of one type into one line.

Only statements on consecutive lines change places, so a name stays declared before the same
instructions; a blank line separates groups. A declaration with a comment keeps its own line.
"""

from __future__ import annotations

from itertools import groupby
from string import ascii_lowercase
from typing import TYPE_CHECKING, Final

from ptx_ls.document.statements import statement_at, statements_on
from ptx_ls.features.actions.action import Action, ActionKind, line_end, margin
from ptx_ls.semantics.symbols.module import region_facts
from ptx_ls.semantics.symbols.symbols import SymbolKind
from ptx_ls.source import Position, Range, TextEdit
from ptx_ls.source.lines import content_length
from ptx_ls.source.named_tuple import NamedTuple
from ptx_ls.source.numerals import decimal
from ptx_ls.syntax.comments import without_comments
from ptx_ls.syntax.record import Kind
from ptx_ls.syntax.written.register_declarations import RegisterName, declared_registers

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from ptx_ls.document.document import Document
    from ptx_ls.semantics.analysis import Analysis
    from ptx_ls.source import LineSpan
    from ptx_ls.syntax.statement import Statement

_MAX_LINE_WIDTH: Final = 100
_MAX_BLOCK_LINES: Final = 3000
"""Maximum number of lines of one block of declarations."""
TITLE: Final = "Sort and merge register declarations"


class _Item(NamedTuple):
    """One declaration: the comment lines above it, its type and names, and the comment after it.

    `text` is its original spelling.
    """

    above: tuple[str, ...]
    head: str
    names: tuple[RegisterName, ...]
    text: str
    comment: str

    @property
    def is_plain(self) -> bool:
        return not self.above and not self.comment


def actions(analysis: Analysis, selection: Range) -> Iterator[Action]:
    """Yields the sorting of the declarations around the cursor, if it changes them."""
    document = analysis.document
    statement = statement_at(document, selection.start)
    if statement is None or statement.record.kind is not Kind.DECLARATION:
        return
    if not statement.text.startswith(".reg"):
        return
    first = last = statement.start.line
    while (
        first > 0
        and statement.start.line - first < _MAX_BLOCK_LINES
        and _is_in_block(document, first - 1)
    ):
        first -= 1
    stop = len(document.lines)
    while last + 1 < stop and last - first < _MAX_BLOCK_LINES and _is_in_block(document, last + 1):
        last += 1
    if region_facts(document.leaf(analysis.region_at(statement.start))).duplicates:
        return
    edits = list(_of_lines(analysis, first, last + 1))
    if edits:
        yield Action(TITLE, ActionKind.REWRITE, lambda: edits)


def organized(analysis: Analysis) -> list[TextEdit]:
    """Returns the edits that sort all register declarations."""
    document = analysis.document
    found: list[TextEdit] = []
    for located in document.functions:
        facts = region_facts(located.function)
        if facts.duplicates:
            continue
        lines = sorted(
            {
                located.first_line + symbol.start[0]
                for symbol in facts.symbols
                if symbol.kind is SymbolKind.REGISTER and symbol.space == ".reg"
            }
        )
        for first, stop in _blocks(document, lines):
            found += _of_lines(analysis, first, stop)
    return found


def _blocks(document: Document, lines: Sequence[int]) -> Iterator[LineSpan]:
    """Yields spans of lines that have only the given lines and comments in them."""
    number = 0
    while number < len(lines):
        first = last = lines[number]
        number += 1
        while number < len(lines) and all(
            _is_in_block(document, line) for line in range(last + 1, lines[number] + 1)
        ):
            last = lines[number]
            number += 1
        yield first, last + 1


def _is_in_block(document: Document, line: int) -> bool:
    """Whether a line may be part of a block: a register declaration or a comment."""
    kind = document.records[line].kind
    if kind is Kind.COMMENT:
        return True
    return kind is Kind.DECLARATION and document.lines[line].lstrip().startswith(".reg")


def _of_lines(analysis: Analysis, first: int, stop: int) -> Iterator[TextEdit]:
    """Yields the edits that sort each block within lines [first, stop)."""
    document = analysis.document
    block: list[_Item] = []
    above: list[str] = []
    start = first
    for line in range(first, stop + 1):
        text = document.lines[line] if line < stop else ""
        kind = document.records[line].kind if line < stop else None
        if kind is Kind.COMMENT and text.lstrip().startswith("//"):
            above.append(text.strip())
        else:
            item = _item(document, line, above) if kind is Kind.DECLARATION else None
            if item is None:
                yield from _sorted_block(analysis, block, start, line - len(above))
                block, above, start = [], [], line + 1
            else:
                if not block:
                    start = line - len(above)
                block.append(item)
                above = []


def _item(document: Document, line: int, above: Sequence[str]) -> _Item | None:
    """Returns the only declaration of a line, perhaps with a comment; None for other lines."""
    found = list(statements_on(document, line))
    if len(found) != 1 or found[0].start.line != line or found[0].end.line != line:
        return None
    statement: Statement = found[0]
    read = declared_registers(statement.text)
    text = document.lines[line]
    comment = text[statement.end.column : content_length(text)].strip()
    if read is None or text[: statement.start.column].strip():
        return None
    if without_comments(comment).strip():
        return None
    return _Item(tuple(above), read[0], tuple(read[1]), statement.text, comment)


def _sorted_block(
    analysis: Analysis, block: Sequence[_Item], first: int, stop: int
) -> Iterator[TextEdit]:
    names = [name.name for item in block for name in item.names]
    if not block or len(set(names)) != len(names):
        return
    lines = analysis.document.lines
    end = line_end(analysis.document, first)
    indent = margin(lines[first])
    written = [
        indent + text for text in _written(block, _MAX_LINE_WIDTH - len(indent.expandtabs()))
    ]
    old = [line[: content_length(line)] for line in lines[first:stop]]
    if [line.split() for line in written] == [line.split() for line in old]:
        return
    last = Position(stop - 1, content_length(lines[stop - 1]))
    yield TextEdit(Range(Position(first, 0), last), end.join(written))


def _written(block: Sequence[_Item], width: int) -> Iterator[str]:
    """Yields the lines of a block, without their margins."""
    merged: dict[str, list[RegisterName]] = {}
    for item in block:
        if item.is_plain:
            merged.setdefault(item.head, []).extend(item.names)
    heads = sorted(dict.fromkeys(item.head for item in block), key=_order)
    for head in heads:
        yield from _lines_of(head, sorted(merged.get(head, ()), key=_natural), width)
        for item in block:
            if item.head == head and not item.is_plain:
                yield from item.above
                yield f"{item.text} {item.comment}".rstrip()


def _lines_of(head: str, names: Sequence[RegisterName], width: int) -> Iterator[str]:
    """Yields declarations of the given names, each at most `width` columns wide."""
    row = ""
    for name in names:
        longer = f"{row}, {name}" if row else f"{head} {name}"
        if row and len(longer) + 1 > width:
            yield row + ";"
            longer = f"{head} {name}"
        row = longer
    if row:
        yield row + ";"


def _order(head: str) -> tuple[int, str]:
    """Orders declarations by the width of their type, predicates first."""
    bits = head.rpartition(".")[2].lstrip(ascii_lowercase).partition("x")[0]
    return decimal(bits) if bits.isdecimal() else 0, head


def _natural(declared: RegisterName) -> tuple[bool, list[tuple[int, str]]]:
    """Orders names: ranges first, and numbers in names by their value."""
    parts = ("".join(part) for _, part in groupby(declared.name, str.isdecimal))
    return declared.count is None, [
        (decimal(part), "") if part.isdecimal() else (0, part) for part in parts
    ]
