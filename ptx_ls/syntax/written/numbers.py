"""Numbers in strings of pragmas, which ptxas reads as C's `strtol` does, base 0."""

from __future__ import annotations

import re
from typing import Final

from ptx_ls.source.patterns import LazyPattern
from ptx_ls.syntax.literals import whole

_NUMBER: Final = LazyPattern(
    r"\s*+(?P<sign>[-+]?)(?P<digits>0[xX][\da-fA-F]++|0[0-7]*+|[1-9]\d*+)", re.ASCII
).fullmatch


def pragma_number(text: str) -> int | None:
    """Returns the value of a number in a pragma, without a bound; None if it is not a number."""
    match = _NUMBER(text)
    if match is None:
        return None
    return -whole(match["digits"]) if match["sign"] == "-" else whole(match["digits"])
