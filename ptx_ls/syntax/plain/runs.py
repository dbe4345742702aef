"""Reads plain heads and declarations over several lines by regular expressions."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

from ptx_ls.syntax import record
from ptx_ls.syntax.offsets import RunPosition
from ptx_ls.syntax.plain.declarations import begins_declaration, plain_declaration
from ptx_ls.syntax.plain.heads import find_head
from ptx_ls.syntax.plain.lines import END
from ptx_ls.syntax.record import MultiLine, Piece

if TYPE_CHECKING:
    from collections.abc import Sequence

_REST: Final = re.compile(END, re.ASCII).match


def read_head(lines: Sequence[str], start: int) -> tuple[MultiLine, int] | None:
    """Returns the plain head that begins on a line and ends on another, and the line after it."""
    place = find_head(lines, start)
    if place is None or not place.end[0]:
        return None
    if _REST(lines[start + place.end[0]], place.end[1]) is None:
        return None
    read = record.FUNCTION if place.is_definition else record.FUNCTION_DECLARATION
    run = MultiLine((Piece(read, place.start, place.end),), (), looks_ahead=0)
    return run, start + place.end[0] + 1


def read_declaration(lines: Sequence[str], start: int) -> tuple[MultiLine, int] | None:
    """Returns the plain declaration over several lines, as for a table, and the line after it."""
    if ";" in lines[start] or not begins_declaration(lines[start]):
        return None
    last = start
    while ";" not in lines[last]:
        last += 1
        if last == len(lines) or lines[last].lstrip(" \t").startswith("."):
            return None
    declaration = plain_declaration("".join(lines[start : last + 1]))
    if declaration is None:
        return None
    begin = RunPosition((0, len(lines[start]) - len(lines[start].lstrip(" \t"))))
    end = RunPosition((last - start, lines[last].rindex(";") + 1))
    return MultiLine((Piece(record.DECLARATION, begin, end),), (), looks_ahead=0), last + 1
