"""The parts of a unit: its statements as tokens, and the comments between and inside them.

A unit is read as a whole: a single line, or the lines of a run.
"""

from __future__ import annotations

from enum import Enum, auto
from typing import TYPE_CHECKING, Final

from ptx_ls.formatting.row import WHITE_SPACE
from ptx_ls.source.named_tuple import NamedTuple
from ptx_ls.syntax.labels import NAMED_DIRECTIVES
from ptx_ls.syntax.record import Kind, MultiLine
from ptx_ls.syntax.tokens import TOKEN

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from ptx_ls.syntax.record import Record

_UNTOUCHABLE: Final = frozenset({"line", "raw", "error"})


class CommentPlacement(Enum):
    """The place of a comment on its lines."""

    OWN = auto()
    """Alone on its line."""
    TRAILING = auto()
    """After other text, at the end of its line."""
    INLINE = auto()
    """Before other text on its line, to which it belongs."""


class LayoutItem(NamedTuple):
    """A token or a comment.

    `kind` is the token's group in `TOKEN`, "" for comments. `is_first`: the token is the first on
    its line, not counting comments. Adjacent comments are one item. `n_blank` is the number
    of blank lines before it.
    """

    text: str
    kind: str
    is_first: bool = False
    place: CommentPlacement | None = None
    n_blank: int = 0


class LayoutStatement(NamedTuple):
    """A statement: its kind, its items, the number of its piece, and whether it begins a line."""

    kind: Kind
    items: list[LayoutItem]
    number: int
    begins_line: bool


def read(lines: Sequence[str], record: Record) -> list[LayoutStatement | LayoutItem] | None:
    """Returns the statements of a unit, and the comments on separate lines outside them.

    A comment next to a statement is one of the statement's items. Returns None if the unit must not
    change: it cannot be read, or a comment or raw text in it spans lines.
    """
    if record.problems or any(line.endswith("\r") for line in lines):
        return None
    text = "".join(lines)
    items = list(_items(text))
    if any(kind in _UNTOUCHABLE or (not kind and "\n" in it) for _, it, kind in items):
        return None
    last = next(((offset, it) for offset, it, kind in reversed(items) if kind), (0, ""))
    kinds, ends = _bounds(lines, record, last[0] + len(last[1]))
    if any(kind in (Kind.BROKEN, Kind.EMPTY, Kind.LINE) for kind in kinds):
        return None
    return _grouped(_placed(text, items), kinds, ends)


def words(text: str) -> list[str]:
    """Returns everything except white space, in order: tokens, and comments stripped at the end."""
    return [each.rstrip(WHITE_SPACE) for _, each, _ in _items(text)]


def _items(text: str) -> Iterator[tuple[int, str, str]]:
    """Yields (offset, text, kind) of tokens and comments."""
    for match in TOKEN.finditer(text):
        kind = str(match.lastgroup)
        if kind == "space":
            if match[0][0] == "/":
                yield match.start(), match[0].rstrip(WHITE_SPACE), ""
        elif kind == "numbers":
            for each in _listed(match[0]):
                yield match.start(), each, "operator" if each == "," else "number"
        else:
            yield match.start(), match[0], kind


def _listed(numbers: str) -> list[str]:
    """Returns the numbers and the commas of a list of numbers."""
    return numbers.replace(",", " , ").split()


def _bounds(lines: Sequence[str], record: Record, end: int) -> tuple[list[Kind], list[int]]:
    """Returns each statement's kind and the offset of its end; the last token ends at `end`."""
    if not isinstance(record, MultiLine):
        return ([], []) if record.kind is Kind.COMMENT else ([record.kind], [end])
    starts = [0]
    for line in lines:
        starts.append(starts[-1] + len(line))
    pieces = record.pieces
    return (
        [piece.record.kind for piece in pieces],
        [starts[piece.end[0]] + piece.end[1] for piece in pieces],
    )


def _placed(text: str, found: list[tuple[int, str, str]]) -> Iterator[tuple[int, LayoutItem]]:
    """Yields the items with their placement; joins adjacent comments."""
    index, n_found = 0, len(found)
    is_first = True
    end = 0
    while index < n_found:
        offset, body, kind = found[index]
        n_ends = text.count("\n", end, offset)
        is_first = is_first or n_ends > 0
        n_blank = max(0, n_ends - 1)
        if kind:
            yield offset, LayoutItem(body, kind, is_first, n_blank=n_blank)
            is_first = False
            end = offset  # the next number of a long list is at the same offset
            index += 1
            continue
        begin, end, parts = offset, offset, []
        while index < n_found and not found[index][2] and "\n" not in text[end:offset]:
            parts.append(found[index][1])
            end = offset + len(parts[-1])
            index += 1
            offset = found[index][0] if index < n_found else len(text)
        if index < n_found and "\n" not in text[end:offset]:
            place = CommentPlacement.INLINE
        else:
            place = CommentPlacement.OWN if is_first else CommentPlacement.TRAILING
        yield begin, LayoutItem(" ".join(parts), "", is_first, place, n_blank)


def _grouped(
    placed: Iterator[tuple[int, LayoutItem]], kinds: list[Kind], ends: list[int]
) -> list[LayoutStatement | LayoutItem] | None:
    """Assigns the items to their statements."""
    result: list[LayoutStatement | LayoutItem] = []
    current: list[LayoutItem] = []
    number = 0
    for offset, item in placed:
        if not item.kind and not any(each.kind for each in current):
            if item.place is CommentPlacement.TRAILING:
                _last_items(result, current).append(item)
                continue
            if item.place is CommentPlacement.OWN:
                if current:
                    return None
                result.append(item)
                continue
        if item.kind and number >= len(kinds):
            return None
        current.append(item)
        is_over = item.kind and offset + len(item.text) >= ends[number]
        if is_over and kinds[number] is Kind.FUNCTION_DECLARATION and item.text != ";":
            return None  # a head that neither a body nor the end of the declaration follows
        if is_over:
            begins = next(each.is_first for each in current)
            result.append(LayoutStatement(kinds[number], current, number, begins))
            current, number = [], number + 1
    if current or number != len(kinds):
        return None
    return result


def _last_items(
    result: list[LayoutStatement | LayoutItem], current: list[LayoutItem]
) -> list[LayoutItem]:
    last = result[-1] if result else None
    return last.items if isinstance(last, LayoutStatement) and not current else current


def with_lists(found: list[LayoutStatement | LayoutItem]) -> list[LayoutStatement | LayoutItem]:
    """Joins labels to the lists that they name, if they share a line."""
    result: list[LayoutStatement | LayoutItem] = []
    for each in found:
        last = result[-1] if result else None
        if (
            isinstance(each, LayoutStatement)
            and isinstance(last, LayoutStatement)
            and last.kind is Kind.LABEL
            and not each.begins_line
            and each.kind is Kind.DIRECTIVE
            and each.items[0].text in NAMED_DIRECTIVES
        ):
            result[-1] = LayoutStatement(
                each.kind, last.items + each.items, each.number, begins_line=True
            )
        else:
            result.append(each)
    return result
