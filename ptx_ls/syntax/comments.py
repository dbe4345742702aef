"""Recognizes comments, and removes them from texts."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

from ptx_ls.source.patterns import LazyPattern
from ptx_ls.syntax.literals import MARKER, STRING_OVER_LINES

if TYPE_CHECKING:
    from collections.abc import Callable

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
