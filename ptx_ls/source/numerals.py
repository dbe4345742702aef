"""Numbers as they are written, of any length."""

from __future__ import annotations

from typing import Final

_MAX_DIGITS: Final = 1000
"""Maximum number of digits to read: no limit of PTX is longer, and Python allows 4300."""


def decimal(digits: str) -> int:
    """Returns the value of decimal digits; of absurdly many, a number beyond any bound."""
    if len(digits) > _MAX_DIGITS:
        digits = digits.lstrip("0")[:_MAX_DIGITS] or "0"
    return int(digits)
