"""Recognises initial values that consist of integers, and counts items in braces."""

from __future__ import annotations

import re
from typing import Final

from ptx_ls.source.patterns import LazyPattern
from ptx_ls.syntax.names import IN_NAME, LETTER

_NOT_INTEGER: Final = LazyPattern(rf"(?<!{IN_NAME})(?:{LETTER}|0[fFdD])", re.ASCII).search
"""Matches the start of a name or of a float."""
_ROWS: Final = re.compile(r"\{[^{}]*+\}").findall


def holds_integers(value: str, sizes: tuple[int | None, ...]) -> bool:
    """Whether a plain initial value consists of integers, and fits an array of these sizes.

    `value`: the value of a `Declarator`. `sizes`: () if it is not an array.
    """
    if _NOT_INTEGER(value) is not None:
        return False
    rows = _ROWS(value, 1)
    depth = 2 if rows else value.startswith("{")
    if depth != len(sizes):
        return False
    if not depth:
        return True
    if rows and sizes[0] and len(rows) > sizes[0]:
        return False
    longest = max(row.count(",") + 1 for row in rows or [value])
    return not sizes[-1] or longest <= sizes[-1]


def n_items(value: str) -> int | None:
    """Returns the number of items in the outer braces of an initial value.

    Returns None for another value, and for one with a string, whose braces and commas are text.
    """
    text = value.strip()
    if not (text.startswith("{") and text.endswith("}")) or '"' in text:
        return None
    inner = text[1:-1].strip()
    if not inner:
        return None
    depth, count = 0, 1
    for mark in inner:
        depth += (mark in "{(") - (mark in "})")
        count += mark == "," and not depth
    return count - inner.endswith(",")
