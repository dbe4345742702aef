"""Recognizes comments, and removes them from texts."""

from __future__ import annotations

import re
from bisect import bisect_left
from typing import TYPE_CHECKING, Final

from ptx_ls.source.patterns import LazyPattern
from ptx_ls.syntax.literals import MARKER, STRING_OVER_LINES

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

_LINE: Final = r"//[^\0\r\n]*+(?:\r(?!\n)[^\0\r\n]*+)*"
"""A pattern of a line comment, which a lone carriage return does not end."""
_BEGUN: Final = r"/\*[^*\0]*+(?:\*(?!/)[^*\0]*+)*"
COMMENT: Final = rf"(?:{_LINE}|{_BEGUN}\*/)"
"""A pattern of a comment: to the end of its line, or between `/*` and `*/`."""
_KEPT: Final = rf'"[^"\r\n]*+"|{STRING_OVER_LINES}|"[^"\r\n]*+|{MARKER}|\#[^\r\n]*+'
"""A pattern of strings and line markers, in which `//` and `/*` do not begin a comment."""
_MARKS: Final = LazyPattern(rf"{_LINE}|{_BEGUN}(?:\*/)?|{_KEPT}")
_VISIBLE: Final = re.compile(r"[^\r\n]").sub


def without_comments(text: str) -> str:
    """Returns the text with a space in place of each comment, even an unclosed one at the end."""
    return _replaced(text, lambda _: " ") if "/" in text else text


def blanked(text: str) -> str:
    """Returns the text with spaces in place of comments, so that all other text keeps its place."""
    return _replaced(text, lambda comment: _VISIBLE(" ", comment)) if "/" in text else text


def _replaced(text: str, blank: Callable[[str], str]) -> str:
    return _MARKS.sub(lambda match: blank(match[0]) if match[0][0] == "/" else match[0], text)


def comments_in(text: str) -> Iterator[tuple[int, int]]:
    """Yields the start and end of each comment in a text that begins outside of comments."""
    for match in _MARKS.finditer(text):
        if match[0][0] == "/":
            yield match.span()


class PlainPlaces:
    """The places of a text that are not in a comment, a string or a line marker.

    `text`: a text that begins outside of these.
    """

    def __init__(self, text: str) -> None:
        found = [(match.start(), match.end(), match[0]) for match in _MARKS.finditer(text)]
        self._starts = [start for start, _, _ in found]
        self._ends = [end + _ends_openly(mark) for _, end, mark in found]
        self._are_line_comments = [mark.startswith("//") for _, _, mark in found]

    def includes(self, offset: int, *, is_in_line_comment: bool = False) -> bool:
        """Whether an offset is such a place; `is_in_line_comment`: or in a comment with `//`."""
        number = bisect_left(self._starts, offset) - 1
        if number < 0 or self._ends[number] <= offset:
            return True
        return is_in_line_comment and self._are_line_comments[number]


def _ends_openly(mark: str) -> bool:
    """Whether text right after a comment, string or line marker would belong to it."""
    if mark.startswith("/*"):
        return len(mark) < len("/**/") or not mark.endswith("*/")
    return mark[0] != '"' or len(mark) == 1 or mark[-1] != '"'
