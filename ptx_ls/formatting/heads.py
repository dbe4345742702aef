"""Breaks the head of a function into lines: parameters, directives after them, the brace."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from ptx_ls.syntax.tokens import FUNCTIONS, TUNINGS

if TYPE_CHECKING:
    from collections.abc import Sequence

    from ptx_ls.formatting.items import LayoutItem
    from ptx_ls.formatting.wrapping import Extents

_AFTER_HEAD: Final = TUNINGS | {".pragma", ".attribute"}


def head_breaks(items: Sequence[LayoutItem], extents: Extents, width: int) -> dict[int, int]:
    """Returns the tokens of a head that begin a line, with their levels of indentation.

    Parameters on separate lines stay there; parameters on one line stay if it has at most
    `width` columns.
    """
    found: dict[int, int] = {}
    at = _after_name(items)
    if at < len(items) and items[at].text == "(":
        stop = _after_brackets(items, at)
        is_long = extents.ends[stop - 1] > width
        is_broken = is_long or any(item.is_first for item in items[at + 1 : stop])
        if is_broken and stop > at + 2:
            _break_list(items, at, stop, found)
        at = stop
    while at < len(items):
        text = items[at].text
        if text in _AFTER_HEAD or text == "{":
            found[at] = 0
        at = _after_brackets(items, at) if text == "(" else at + 1
    return found


def _after_name(items: Sequence[LayoutItem]) -> int:
    """Returns the index after the name of the function."""
    at = next((n for n, item in enumerate(items) if item.text in FUNCTIONS), 0) + 1
    while at < len(items) and items[at].text == ".attribute":
        at = _after_brackets(items, at + 1)
    if at < len(items) and items[at].text == "(":
        at = _after_brackets(items, at)
    return at + 1


def _break_list(items: Sequence[LayoutItem], start: int, stop: int, found: dict[int, int]) -> None:
    """Gives each parameter between the brackets at `start` and `stop - 1` a line."""
    depth = 0
    found[start + 1] = 1
    for index in range(start + 1, stop - 1):
        text = items[index].text
        if text == "(":
            depth += 1
        elif text == ")":
            depth -= 1
        elif text == "," and not depth:
            found[index + 1] = 1
    found[stop - 1] = 0


def _after_brackets(items: Sequence[LayoutItem], start: int) -> int:
    """Returns the index after the bracket that closes the one at `start`."""
    depth = 0
    for index in range(start, len(items)):
        if items[index].text == "(":
            depth += 1
        elif items[index].text == ")":
            depth -= 1
            if not depth:
                return index + 1
    return len(items)
