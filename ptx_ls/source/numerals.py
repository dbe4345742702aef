"""Numbers as they are written, of any length."""

from __future__ import annotations

from typing import Final

_MAX_DIGITS: Final = 1000
"""Digits that are looked at: no bound of PTX has so many, and Python takes no more than 4300."""


def decimal(digits: str) -> int:
    """The value of decimal digits; where there are absurdly many, another one beyond any bound."""
    if len(digits) > _MAX_DIGITS:
        digits = digits.lstrip("0")[:_MAX_DIGITS] or "0"
    return int(digits)
