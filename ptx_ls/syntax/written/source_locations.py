"""Reads source locations in PTX: `.file`, `.loc`, line markers and includes.

Source: PTX ISA, "Debugging Directives".
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

from ptx_ls.source.named_tuple import NamedTuple
from ptx_ls.source.numerals import decimal
from ptx_ls.source.patterns import LazyPattern
from ptx_ls.syntax.literals import INTEGER, integer
from ptx_ls.syntax.names import NAME_PATTERN, NO_MORE, OF_NAMES

if TYPE_CHECKING:
    from collections.abc import Iterator

_INTEGER: Final = rf"(?:{INTEGER}){NO_MORE}"
_FILE: Final = LazyPattern(
    rf"(?:\s|/\*(?:(?!\*/).)*\*/)*\.file\s++({_INTEGER})\s++\"([^\"\r\n]*+)\""
    rf"(?:\s*+,\s*+({_INTEGER})\s*+,\s*+({_INTEGER}))?",
    re.ASCII,
).match
_LOCATION: Final = LazyPattern(
    rf"(?<![{OF_NAMES}.+])({_INTEGER})\s++({_INTEGER})\s++({_INTEGER})", re.ASCII
).finditer
_FUNCTION: Final = LazyPattern(rf"function_name\s++({NAME_PATTERN})", re.ASCII).search
_MARKER: Final = LazyPattern(r"\s*+#\s*+(?:line\s++)?(\d++)\s++\"([^\"\r\n]*+)\"", re.ASCII).match
_INCLUDE: Final = LazyPattern(
    r"\s*+(?://\s*+)?[#@.]\s*+include\s*+(?:\"([^\"\r\n]++)\"|<([^>\r\n]++)>)"
).match


class Location(NamedTuple):
    """A source position in a `.loc`: the file's number, and the line and column, both from 1.

    `start` and `stop` are its offsets in the text.
    """

    file: int
    line: int
    column: int
    start: int
    stop: int


class SourceFile(NamedTuple):
    """A `.file` directive: the number of the file, and its name, whose offset is `start`.

    `time`: when the file was modified, in seconds since 1970; `size`: in bytes; 0 if not given.
    """

    number: int
    name: str
    start: int
    time: int = 0
    size: int = 0


class NamedSource(NamedTuple):
    """The path in a line marker or `#include`, its offset, and the line from 1; 0 if not given."""

    name: str
    start: int
    line: int = 0


def locations(text: str) -> Iterator[Location]:
    """Yields the source positions in a `.loc`: its own, and that of the inlined call."""
    for match in _LOCATION(text):
        file, line, column = map(integer, match.groups())
        if file is not None and line is not None and column is not None:
            yield Location(file, line, column, *match.span())


def inlined_function(text: str) -> str:
    """Returns the label of the inlined function that a `.loc` names; "" if it names none."""
    match = _FUNCTION(text)
    return match[1] if match is not None else ""


def file_in(text: str) -> SourceFile | None:
    """Returns the `.file` directive at the start of a text, after white space and comments."""
    match = _FILE(text)
    number = integer(match[1]) if match is not None else None
    if match is None or number is None:
        return None
    time, size = (integer(digits or "") or 0 for digits in match.group(3, 4))
    return SourceFile(number, match[2], match.start(2), time, size)


def source_named_by(line: str) -> NamedSource | None:
    """Returns the source that a line marker or an `#include` names; None for other lines."""
    match = _MARKER(line)
    if match is not None:
        return NamedSource(match[2], match.start(2), decimal(match[1]))
    match = _INCLUDE(line)
    if match is None:
        return None
    group = 1 if match[1] else 2
    return NamedSource(match[group], match.start(group))
