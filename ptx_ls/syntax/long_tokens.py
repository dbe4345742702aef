"""Finds the ends of tokens over several lines: comments, raw text, strings and line markers."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

from ptx_ls.source.patterns import LazyPattern
from ptx_ls.syntax.literals import AFTER_MARKER, AFTER_STRING, BEGUN_MARKER
from ptx_ls.syntax.tokens import LAST_OF_RAW

if TYPE_CHECKING:
    from collections.abc import Sequence

COMMENT_BEGIN: Final = "/*"
_COMMENT_END: Final = "*/"
RAW_BEGIN: Final = ".source_begin"
RAW_END: Final = ".source_end"
CLOSERS: Final = {COMMENT_BEGIN: _COMMENT_END, RAW_BEGIN: RAW_END}
"""The ends of comments over several lines, and of raw text, by their beginnings."""
begins_raw: Final = re.compile(r"\.source_begin[ \t]*+\r?\n").match
"""Matches `.source_begin` at the end of a line; elsewhere, it does not begin raw text."""
is_begun_marker: Final = LazyPattern(BEGUN_MARKER, re.ASCII).fullmatch
"""Matches a line marker whose file name does not end on the line."""
last_of_marker: Final = LazyPattern(rf'[^"]*+"{AFTER_MARKER}', re.ASCII).match
"""Matches the last line of the file name of a line marker, and the numbers after it."""
_last_of_string: Final = LazyPattern(rf'[^"]*+"{AFTER_STRING}').match
"""Matches the last line of a string with line ends."""
_last_of_raw: Final = re.compile(LAST_OF_RAW).match
MAX_STRING_LINES: Final = 64
"""Maximum number of lines of a string, so that an edit does not search all lines for its end."""
_FIRST_LINES: Final = 16
_LINES_OF_STEP: Final = 4096
"""Maximum number of lines in which the end of a comment is searched for at a time.

A search begins with `_FIRST_LINES`, so that a short comment does not read far beyond its end.
"""


def end_in(line: str, closer: str) -> int:
    """Returns the column after a closer such as `*/`; 0 if the token does not end on the line."""
    if closer == RAW_END:
        match = _last_of_raw(line)
        return match.end() if match is not None else 0
    place = line.find(closer)
    return place + len(closer) if place >= 0 else 0


def line_of_end(lines: Sequence[str], row: int, closer: str) -> int:
    """Returns the first line from `row` on that ends a comment or raw text; else their number."""
    n_lines = _FIRST_LINES
    while row < len(lines):
        stop = min(row + n_lines, len(lines))
        if closer in "".join(lines[row:stop]):
            found = next((n for n in range(row, stop) if end_in(lines[n], closer)), None)
            if found is not None:
                return found
        row, n_lines = stop, min(2 * n_lines, _LINES_OF_STEP)
    return row


def line_of_string_end(lines: Sequence[str], row: int, *, is_marker: bool) -> int | None:
    """Returns the line from `row` on that ends a string; None if it has no end nearby.

    `is_marker`: whether the string is the file name of a line marker.
    """
    ends = last_of_marker if is_marker else _last_of_string
    for last in range(row, min(row + MAX_STRING_LINES, len(lines))):
        if '"' in lines[last]:
            return last if ends(lines[last]) is not None else None
    return None
