"""Reads function heads, as compilers write them, by regular expressions.

The statement parser reads a head that does not match.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final, TypeAlias

from ptx_ls.source.named_tuple import NamedTuple
from ptx_ls.source.patterns import LazyPattern
from ptx_ls.syntax.literals import SHORT_INTEGER
from ptx_ls.syntax.names import NAME_ENDS, NAME_PATTERN
from ptx_ls.syntax.offsets import RunPosition, slice_lines
from ptx_ls.syntax.tokens import COMMON_TYPE, SPACES, TUNINGS

if TYPE_CHECKING:
    from collections.abc import Sequence

_SPACE: Final = r"\.(?:" + "|".join(sorted(name[1:] for name in SPACES)) + r")\b"
_TUNING: Final = r"\.(?:" + "|".join(sorted(name[1:] for name in TUNINGS)) + r")\b"
_PARAMETER: Final = (
    rf"\s*+\.(?:param|reg)\s++(?:\.align\s++{SHORT_INTEGER}\s++)?{COMMON_TYPE}\s++"
    rf"(?:\.ptr\s++(?:{_SPACE}\s++)?(?:\.align\s++{SHORT_INTEGER}\s++)?)?"
    rf"{NAME_PATTERN}(?:\[(?:{SHORT_INTEGER})?\])?\s*+"
)
_begin_head: Final = re.compile(
    r"(?:(\.(?:visible|extern|weak))\s++)?\.(entry|func)\s++", re.ASCII
).match
_list: Final = re.compile(rf"(\(\s*+(?:{_PARAMETER}(?:,(?=\s*+\.)|(?=\))))*\))\s*+", re.ASCII).match
_name: Final = re.compile(rf"({NAME_PATTERN})\s*+", re.ASCII).match
_end_head: Final = re.compile(
    rf"(?:{_TUNING}(?:\s++{SHORT_INTEGER}(?:\s*+,\s*+{SHORT_INTEGER})*)?\s*+)*([{{;])", re.ASCII
).fullmatch
PARAMETER: Final = LazyPattern(
    rf"\.(?P<space>param|reg)\s++(?:\.align\s++(?P<alignment>\d++)\s++)?(?P<type>{COMMON_TYPE})\s++"
    rf"(?:\.ptr\s++(?:{_SPACE}\s++)?(?:\.align\s++\d++\s++)?)?"
    rf"(?P<name>{NAME_PATTERN})(?P<array>\[(?P<size>\d*+)\])?",
    re.ASCII,
).finditer
"""Finds the parameters in a list of a plain head."""
head_at: Final = re.compile(
    rf"[ \t]*+(?:\.(?:visible|extern|weak)[ \t]++)?(\.(?:entry|func)){NAME_ENDS}", re.ASCII
).match
"""Matches a line on which a head begins; the group is `.entry` or `.func`."""
_BEGIN: Final = re.compile(
    r"[ \t]*+(?=(?:\.(?:visible|extern|weak)\s++)?\.(?:entry|func)\b)", re.ASCII
).match
_END: Final = re.compile(r"[{;]").search
_MAX_LINES: Final = 1 << 14
"""Maximum number of lines of a head; a longer one is read token by token, which is slower."""


Span: TypeAlias = tuple[int, int]
"""The offsets of the first character and of the one after the last; equal for no text."""


class PlainHead(NamedTuple):
    """A head: its name with the offset, and the spans of its lists, which are empty if missing.

    `has_directives`: whether directives follow, such as `.maxntid`.
    """

    name: str
    start: int
    linkage: str
    is_kernel: bool
    is_definition: bool
    returns: Span
    parameters: Span
    has_directives: bool


def plain_head(text: str) -> PlainHead | None:
    """Returns a statement as a head; None if it is not a plain one."""
    begin = _begin_head(text)
    if begin is None:
        return None
    returns, place = _list_at(text, begin.end())
    name = _name(text, place)
    if name is None:
        return None
    parameters, place = _list_at(text, name.end())
    end = _end_head(text, place)
    if end is None:
        return None
    linkage, kind = begin.groups(default="")
    return PlainHead(
        name[1],
        name.start(),
        linkage,
        kind == "entry",
        end[1] == "{",
        returns,
        parameters,
        has_directives=end.start(1) > place,
    )


def _list_at(text: str, place: int) -> tuple[Span, int]:
    """Returns the span of the list of parameters at a place, and the place after it."""
    match = _list(text, place)
    return ((place, place), place) if match is None else (match.span(1), match.end())


class HeadPlace(NamedTuple):
    """The place of a head, relative to its first line; `is_definition`: a body follows."""

    start: RunPosition
    end: RunPosition
    is_definition: bool


def find_head(lines: Sequence[str], first: int) -> HeadPlace | None:
    """Returns the head that begins on a line; None if it is not plain, or not first on its line."""
    begin = _BEGIN(lines[first])
    if begin is None:
        return None
    for row in range(first, min(first + _MAX_LINES, len(lines))):
        if row > first and _BEGIN(lines[row]) is not None:
            return None  # otherwise each head without an end would be read up to the last one
        end = _END(lines[row])
        if end is not None:
            start, stop = RunPosition((0, begin.end())), RunPosition((row - first, end.end()))
            text = slice_lines(lines[first : row + 1], start, stop)
            if plain_head(text) is None or "\v" in text:
                return None
            return HeadPlace(start, stop, text.endswith("{"))
    return None
