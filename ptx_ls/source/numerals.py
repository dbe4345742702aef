"""Reads numbers of any length."""

from __future__ import annotations

from typing import Final

_MAX_DIGITS: Final = 1000
"""Maximum number of digits to read: every limit of PTX has fewer, and Python allows 4300."""


def decimal(digits: str) -> int:
    """Returns the value of decimal digits; of too many digits, a number beyond all limits."""
    if len(digits) > _MAX_DIGITS:
        digits = digits.lstrip("0")[:_MAX_DIGITS] or "0"
    return int(digits)
