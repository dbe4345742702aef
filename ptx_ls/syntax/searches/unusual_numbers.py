"""Finds the lines with a number outside of its limits, among lines with one instruction each.

`_scanner` does the same where it is built.
"""

from __future__ import annotations

from array import array
from typing import TYPE_CHECKING, Final, TypeAlias

from ptx_ls.source.lines import split_lines
from ptx_ls.syntax.literals import integer, whole
from ptx_ls.syntax.scanner import compiled
from ptx_ls.syntax.written.names import numbers_in

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

ANY: Final = (0, (1 << 64) - 1)
"""The limits of a number that may have any value."""
Limits: TypeAlias = bytes | bool | None
"""The lowest and the highest value of each number in the lines of a record, as `packed` makes them.

None for lines that need no search, True for lines that are all wanted.
"""
_PAIR: Final = 2
_VALUES: Final = "Q"
_ROWS: Final = "i"
_NEED_TREE: Final = ("/", '"')
_HIGHEST: Final = ANY[1]


def packed(pairs: Iterable[tuple[int, int]]) -> bytes:
    """Returns the limits of the numbers of a line in order; larger limits are those of `ANY`."""
    return array(_VALUES, [min(value, _HIGHEST) for pair in pairs for value in pair]).tobytes()


def unusual_rows(text: str, numbers: Sequence[int], limits: tuple[Limits, ...]) -> Sequence[int]:
    """Returns the lines that have a number outside of its limits, or other numbers than expected.

    Args:
        text: the lines with their line ends.
        numbers: for each line, the number of its record.
        limits: for each record, the limits of the numbers in its lines.
    """
    if compiled is not None and isinstance(numbers, bytes):  # type: ignore[redundant-expr]
        found = compiled.unusual(text, numbers, limits)
        if found is not None:
            return array(_ROWS, found)
    return plain_unusual_rows(text, numbers, limits)


def plain_unusual_rows(
    text: str, numbers: Sequence[int], limits: tuple[Limits, ...]
) -> Sequence[int]:
    """Does what `unusual_rows` does, in Python."""
    found = array(_ROWS)
    for row, (number, line) in enumerate(zip(numbers, split_lines(text), strict=False)):
        own = limits[number]
        if own is not None and (isinstance(own, bool) or _is_unusual(line, own)):
            found.append(row)
    return found


def _is_unusual(line: str, limits: bytes) -> bool:
    pairs = array(_VALUES)
    pairs.frombytes(limits)
    written = numbers_in(line)
    if len(written) * _PAIR != len(pairs) or any(mark in line for mark in _NEED_TREE):
        return True
    values = map(_value, written)
    lows, highs = pairs[::_PAIR], pairs[1::_PAIR]
    return any(
        not low <= value <= high for value, low, high in zip(values, lows, highs, strict=True)
    )


def _value(text: str) -> int:
    """Returns the value of an integer; the highest one for larger ones and other numbers."""
    if integer(text) is None:
        return _HIGHEST
    return min(whole(text.removesuffix("U")), _HIGHEST)
