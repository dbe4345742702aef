"""Finds the words of an instruction without making tokens."""

from __future__ import annotations

import re
from typing import Final

from ptx_ls.syntax.names import IN_NAME, NAME_ENDS, NAME_PATTERN

_WORDS: Final = re.compile(
    rf"(?!_{NAME_ENDS}){NAME_PATTERN}|(?<!{IN_NAME})\d[\w.]*+|\.\w++(?:::\w++)*(?::\d\w*+)?",
    re.ASCII,
).finditer


def word_spans(text: str) -> list[tuple[int, int]]:
    """Returns the start and end of each name, number and dotted part, in order.

    The sink `_` is not a name. In an instruction without strings and comments, each token that is
    not an operator consists of such words.
    """
    return [match.span() for match in _WORDS(text)]
