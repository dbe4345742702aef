"""Numbers that ptxas cannot read, though they look like some.

Source: PTX ISA, "Constants"; where the limit lies is ptxas' affair. It reads an integer digit by
digit, and gives up where another digit follows a value of 64 bits.
"""

from __future__ import annotations

import math
from typing import Final

_TOP: Final = 1 << 63
_WRAP: Final = 1 << 64
_SMALLEST: Final = 2.2250738585072014e-308
"""The smallest double that has all of its precision."""
_SHORT: Final = 16
"""Every integer of so many characters fits."""


def is_out_of_range(number: str) -> bool:
    """Whether a number literal is too large for ptxas, or a fraction too small.

    `number`: a literal as the tokens have it, without a sign.
    """
    digits = number.rstrip("U")
    head = digits[:2].lower()
    if head in ("0f", "0d"):
        return False
    if head not in ("0x", "0b") and any(mark in digits for mark in ".eE"):
        return _is_extreme(digits)
    if len(digits) <= _SHORT:
        return False
    if head in ("0x", "0b"):
        return _is_long(digits[2:], 16 if head == "0x" else 2)
    return _is_long(digits, 8 if digits.startswith("0") else 10)


def _is_extreme(digits: str) -> bool:
    value = float(digits)
    mantissa = digits.lower().partition("e")[0]
    return math.isinf(value) or (value < _SMALLEST and mantissa.strip("0.") != "")


def _is_long(digits: str, base: int) -> bool:
    value = 0
    for digit in digits:
        if value >= _TOP:
            return True
        value = (value * base + int(digit, base)) % _WRAP
    return False
