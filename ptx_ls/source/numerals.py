"""Numbers as they are written, of any length."""

from __future__ import annotations

from typing import Final

_MAX_DIGITS: Final = 1000
"""The most digits that are read: no bound of PTX has so many, and Python limits them to 4300."""


def decimal(digits: str) -> int:
    """Returns the value of decimal digits; of absurdly many, a number beyond any bound."""
    if len(digits) > _MAX_DIGITS:
        digits = digits.lstrip("0")[:_MAX_DIGITS] or "0"
    return int(digits)
