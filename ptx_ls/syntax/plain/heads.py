"""Reads function heads, as compilers write them, by regular expressions.

The statement parser reads a head that does not match.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final, NamedTuple

from ptx_ls.source.patterns import LazyPattern
from ptx_ls.syntax.names import NAME_ENDS, NAME_PATTERN
from ptx_ls.syntax.offsets import RunPosition, slice_lines
from ptx_ls.syntax.tokens import COMMON_TYPE, SPACES, TUNINGS

if TYPE_CHECKING:
    from collections.abc import Sequence

_SPACE: Final = r"\.(?:" + "|".join(sorted(name[1:] for name in SPACES)) + r")\b"
_TUNING: Final = r"\.(?:" + "|".join(sorted(name[1:] for name in TUNINGS)) + r")\b"
_PARAMETER: Final = (
    rf"\s*+\.(?:param|reg)\s++(?:\.align\s++[1-9]\d*+\s++)?{COMMON_TYPE}\s++"
    rf"(?:\.ptr\s++(?:{_SPACE}\s++)?(?:\.align\s++[1-9]\d*+\s++)?)?"
    rf"{NAME_PATTERN}(?:\[(?:[1-9]\d*+)?\])?\s*+"
)
_LIST: Final = rf"\(\s*+(?:{_PARAMETER}(?:,(?=\s*+\.)|(?=\))))*\)"
HEAD: Final = re.compile(
    rf"(?P<linkage>(?:\.(?:visible|extern|weak)\s++)?)\.(?P<kind>entry|func)\s++"
    rf"(?P<returns>{_LIST}\s*+)?(?P<name>{NAME_PATTERN})\s*+(?P<parameters>{_LIST}\s*+)?"
    rf"(?:{_TUNING}(?:\s++[1-9]\d*+(?:\s*+,\s*+[1-9]\d*+)*)?\s*+)*(?P<end>[{{;])",
    re.ASCII,
).fullmatch
PARAMETER: Final = LazyPattern(
    rf"\.(?P<space>param|reg)\s++(?:\.align\s++(?P<alignment>\d++)\s++)?(?P<type>{COMMON_TYPE})\s++"
    rf"(?:\.ptr\s++(?:{_SPACE}\s++)?(?:\.align\s++\d++\s++)?)?"
    rf"(?P<name>{NAME_PATTERN})(?P<array>\[(?P<size>\d*+)\])?",
    re.ASCII,
).finditer
"""Finds the parameters in a list of a head that `HEAD` matched."""
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
            if HEAD(text) is None or "\v" in text:
                return None
            return HeadPlace(start, stop, text.endswith("{"))
    return None
