"""Breaks lists that are too long for a line."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from ptx_ls.source.named_tuple import NamedTuple

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from ptx_ls.formatting.items import LayoutItem

_OPENING: Final = ("(", "[", "{")
_LISTS: Final = ("(", "{")
_CLOSING: Final = (")", "]", "}")
MIN_COMMAS: Final = 4
"""A statement with fewer commas is not broken: that would not be worth the time."""
_MAX_LEVELS: Final = 20
"""Maximum number of levels of brackets that are broken."""


class WrapLimits(NamedTuple):
    """The column of the rows that continue a list, and the maximum width of a row."""

    margin: int
    width: int


class Extents:
    """The columns of each token when the statement is on one line."""

    __slots__ = ("begins", "ends")

    def __init__(self, items: Sequence[LayoutItem], blanks: Sequence[str]) -> None:
        self.begins: list[int] = []
        self.ends: list[int] = []
        at = 0
        for item, blank in zip(items, blanks, strict=True):
            self.begins.append(at + len(blank))
            at += len(blank) + len(item.text)
            self.ends.append(at)

    def width(self, start: int, stop: int) -> int:
        """Returns the columns of the tokens [start, stop)."""
        return self.ends[stop - 1] - self.begins[start]


def breaks(
    items: Sequence[LayoutItem],
    extents: Extents,
    span: tuple[int, int],
    column: int,
    limits: WrapLimits,
) -> set[int]:
    """Returns the tokens that begin a new line, so that the list of tokens `span` fits.

    `column` is the column of the first token of the list.
    """
    found: set[int] = set()
    _fill(items, extents, span, (column, limits, 0), found)
    return found


def _fill(
    items: Sequence[LayoutItem],
    extents: Extents,
    span: tuple[int, int],
    place: tuple[int, WrapLimits, int],
    found: set[int],
) -> int:
    """Fills lines with the elements of a list; returns the column after the last one."""
    column, limits, depth = place
    for start, stop in _elements(items, span):
        width = extents.width(start, stop)
        blank = extents.begins[start] - (extents.ends[start - 1] if start else 0)
        if start > span[0]:
            column += blank
        if column + width > limits.width and start > span[0]:
            found.add(start)
            column = limits.margin
        inner = _inner_list(items, (start, stop)) if column + width > limits.width else None
        if inner is None or depth == _MAX_LEVELS:
            column += width
            continue
        column += extents.ends[inner[0] - 1] - extents.begins[start]
        column = _fill(items, extents, inner, (column, limits, depth + 1), found)
        column += extents.ends[stop - 1] - extents.ends[inner[1] - 1]
    return column


def _elements(items: Sequence[LayoutItem], span: tuple[int, int]) -> Iterator[tuple[int, int]]:
    """Yields the elements of a list, each with the comma after it."""
    depth = 0
    start = span[0]
    for index in range(*span):
        text = items[index].text
        if text in _OPENING:
            depth += 1
        elif text in _CLOSING:
            depth -= 1
        elif text == "," and depth == 0:
            yield start, index + 1
            start = index + 1
    if start < span[1]:
        yield start, span[1]


def _inner_list(items: Sequence[LayoutItem], span: tuple[int, int]) -> tuple[int, int] | None:
    """Returns the tokens between the first brackets of an element, if they can be broken."""
    start = next((n for n in range(*span) if items[n].text in _LISTS), None)
    if start is None:
        return None
    depth = 0
    has_comma = False
    for index in range(start, span[1]):
        text = items[index].text
        if text in _OPENING:
            depth += 1
        elif text in _CLOSING:
            depth -= 1
            if not depth:
                return (start + 1, index) if has_comma else None
        elif text == ",":
            has_comma = True
    return None
