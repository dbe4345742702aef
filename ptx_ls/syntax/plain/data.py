"""Recognizes the data of debug sections as compilers write it.

Debug PTX has a million lines of it, so the scanner matches many lines at once.
"""

from __future__ import annotations

import re
from typing import Final

from ptx_ls.source.patterns import LazyPattern
from ptx_ls.syntax.names import NAME_PATTERN

_BYTE: Final = r"(?:25[0-5]|2[0-4]\d|1?\d?\d)"
_LINES: Final = LazyPattern(
    rf"(?>(?:\.b(?:8 {_BYTE}(?>(?:,{_BYTE})*)|(?:32|64) [^-\r\n]*+)\r?\n"
    rf"|[ \t]*+(?>(?:{NAME_PATTERN}:|[{{}}])?)[ \t]*+\r?\n)*)",
    re.ASCII,
).fullmatch


def is_plain_data(text: str) -> bool:
    """Whether lines consist of labels, braces, and data that certainly fits into its type.

    A negative value in a wider type may not fit.
    """
    return _LINES(text) is not None
