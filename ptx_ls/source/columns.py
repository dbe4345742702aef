"""Converts columns of a line between code points and the code units that an editor counts.

A line may be given with or without its terminator. Both directions clamp: a column before the line
becomes its start, one after it or in its terminator its end. A column inside a character that takes
several units becomes the start of that character. Lines of ASCII, nearly all of PTX, cost nothing.
"""

import re
from enum import StrEnum

from ptx_ls.source.lines import content_length


class ColumnUnit(StrEnum):
    """The unit of columns; the values are the names of LSP's position encodings."""

    UTF_8 = "utf-8"
    UTF_16 = "utf-16"
    UTF_32 = "utf-32"


_CONTINUATION_BYTES = bytes(range(0x80, 0xC0))
_TWO_UNITS = re.compile("[\U00010000-\U0010ffff]")


def to_units(line: str, column: int, unit: ColumnUnit) -> int:
    """Returns how many units of `unit` the first `column` code points of a line take."""
    column = max(0, min(column, content_length(line)))
    if unit is ColumnUnit.UTF_32 or line.isascii():
        return column
    if unit is ColumnUnit.UTF_16:
        return len(line[:column].encode("utf-16-le", "surrogatepass")) // 2
    return len(line[:column].encode("utf-8", "surrogatepass"))


def from_units(line: str, units: int, unit: ColumnUnit) -> int:
    """Returns the column in code points of the place after `units` units of a line."""
    units = max(0, units)
    if not (unit is ColumnUnit.UTF_32 or line.isascii()):
        units = (_from_utf_16 if unit is ColumnUnit.UTF_16 else _from_utf_8)(line, units)
    return min(units, content_length(line))


def _from_utf_16(line: str, units: int) -> int:
    # The n-th wide character (from 0) starts n units further right than its column.
    column = units
    for n_before, wide in enumerate(_TWO_UNITS.finditer(line)):
        if wide.start() + n_before >= units:
            break
        column -= 1
    return column


def _from_utf_8(line: str, units: int) -> int:
    # The first `units + 1` characters are enough to see the byte at the place.
    encoded = line[: units + 1].encode("utf-8", "surrogatepass")
    n_started = len(encoded[:units].translate(None, _CONTINUATION_BYTES))
    is_inside = len(encoded) > units and encoded[units] in _CONTINUATION_BYTES
    return n_started - 1 if is_inside else n_started
