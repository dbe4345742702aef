"""Reads calls over several lines, as compilers write them, by a regular expression."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

from ptx_ls.source.named_tuple import NamedTuple
from ptx_ls.source.patterns import LazyPattern
from ptx_ls.syntax.names import NAME_PATTERN
from ptx_ls.syntax.offsets import RunPosition
from ptx_ls.syntax.plain.lines import END
from ptx_ls.syntax.tokens import MAX_STATEMENT_LENGTH

if TYPE_CHECKING:
    from collections.abc import Sequence

_MAX_LINES: Final = 100
"""Maximum number of lines of a call that is read here."""
_BEGINS: Final = re.compile(r"[ \t]*+call(?:\.uni)?[ \t\n(]", re.ASCII).match
_BREAK: Final = r"[ \t]*+\n[ \t]*+"
_CALL: Final = LazyPattern(
    r"[ \t]*+(call(?:\.uni)?)(?:[ \t]++|(?=\n))"
    rf"((?:\({NAME_PATTERN}\),)?{_BREAK}{NAME_PATTERN},{_BREAK}"
    rf"\({_BREAK}(?:(?>(?:{NAME_PATTERN},{_BREAK})*){NAME_PATTERN}{_BREAK})?\)"
    rf"(?:{_BREAK},[ \t]*+{NAME_PATTERN})?);{END}",
    re.ASCII,
).match
"""Matches a call with its result, function, parameters and prototype on lines of their own."""


class PlainCall(NamedTuple):
    """A call: its opcode, its operands without white space, and its place in its lines."""

    opcode: str
    operands: str
    start: RunPosition
    end: RunPosition


def read_call(lines: Sequence[str], start: int) -> PlainCall | None:
    """Returns the plain call that begins on a line and ends on a later one, or None."""
    first = lines[start]
    if _BEGINS(first) is None or ";" in first:
        return None
    text, last = first, start
    while ";" not in text:
        last += 1
        if last == len(lines) or last - start > _MAX_LINES or len(text) > MAX_STATEMENT_LENGTH:
            return None
        text = lines[last]
    text = "".join(lines[start : last + 1])
    match = _CALL(text)
    if match is None or len(text) > MAX_STATEMENT_LENGTH:
        return None
    end = RunPosition((last - start, lines[last].index(";") + 1))
    begin = RunPosition((0, match.start(1)))
    return PlainCall(match[1], "".join(match[2].split()), begin, end)
