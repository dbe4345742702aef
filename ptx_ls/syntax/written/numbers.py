"""Reads numbers in strings of pragmas, as ptxas does: like C's `strtol` with base 0."""

from __future__ import annotations

import re
from typing import Final

from ptx_ls.source.patterns import LazyPattern
from ptx_ls.syntax.literals import whole

_NUMBER: Final = LazyPattern(
    r"\s*+(?P<sign>[-+]?)(?P<digits>0[xX][\da-fA-F]++|0[0-7]*+|[1-9]\d*+)", re.ASCII
).fullmatch


def pragma_number(text: str) -> int | None:
    """Returns the value of a number of any size in a pragma; None if it is not a number."""
    match = _NUMBER(text)
    if match is None:
        return None
    return -whole(match["digits"]) if match["sign"] == "-" else whole(match["digits"])
