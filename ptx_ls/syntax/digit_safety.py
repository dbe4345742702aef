"""Determines whether the record of a line stays the same if its digits change."""

from __future__ import annotations

import re
from typing import Final

from ptx_ls.syntax.names import IN_NAME, NAME_BEGINS, NOT_IN_NAME
from ptx_ls.syntax.record import Kind, Record, Shape
from ptx_ls.syntax.scanner import first_words, is_long, without_bits

_IS_ODD: Final = re.compile(
    rf"{NAME_BEGINS}(?:0[\dxXbBfFdD]|\d++[.eE])|(?<!{IN_NAME})\.\d", re.ASCII
).search
"""Matches a number that is not a plain decimal one, as other digits could change its kind."""
_IS_DOTTED: Final = re.compile(r"\.\w*\d", re.ASCII).search
"""Matches a type, modifier or selector with digits that matter, such as `.b32`."""
_HAS_NUMBER: Final = re.compile(rf"{NOT_IN_NAME}\d", re.ASCII).search
_MAX_COMMENT_LENGTH: Final = 48
"""Maximum length, in characters, of comments whose keys are stored."""
_PLAIN: Final = (Kind.BLANK, Kind.LABEL, Kind.LOCATION, Kind.DATA, Kind.OPEN, Kind.CLOSE)


def is_digit_safe(read: Record, line: str) -> bool:
    """Whether every line with the same key has the record `read`, whatever its digits are."""
    if read.problems or is_long(line):
        return False
    if read.kind is Kind.COMMENT:
        return len(line) < _MAX_COMMENT_LENGTH
    code = line.partition("//")[0]
    words = first_words(line)
    if _IS_DOTTED(code.partition(words)[2] if words else code):
        return False
    if isinstance(read, Shape):
        is_kept = "".join(words.split()) == read.opcode
        return is_kept and "[" not in read.opcode and not _IS_ODD(without_bits(code))
    if read.kind is Kind.DECLARATION:
        return not _HAS_NUMBER(code)
    return read.kind in _PLAIN and not _IS_ODD(code)
