"""Number literals: their values, and those that ptxas rejects.

Source: PTX ISA, "Constants". ptxas 13.5 reads an integer digit by digit modulo 2**64, and rejects
it if another digit follows a value with the highest of its 64 bits set.
"""

from __future__ import annotations

import math
import re
from typing import Final

from ptx_ls.source.numerals import decimal
from ptx_ls.syntax.names import NAME_ENDS

FLOAT_BITS: Final = r"0[fF][0-9a-fA-F]{8}(?![0-9a-fA-F])|0[dD][0-9a-fA-F]{16}(?![0-9a-fA-F])"
DECIMAL: Final = (
    r"\d++\.\d*+(?:[eE][+-]?\d++)?"
    rf"|\.\d++(?:[eE][+-]?\d++)?{NAME_ENDS}|\d++[eE][+-]?\d++"
)
INTEGER: Final = r"0[xX][0-9a-fA-F]++U?|0[bB][01]++U?|0[0-7]*+(?:U|(?!\.))|[1-9]\d*+(?:U|(?!\.))"
"""A pattern of integers; digits followed by a dot are always a fraction."""
AFTER_STRING: Final = r"(?=[ \t]*+(?:[;,\r\n]|//|/\*|(?<=[ \t])\.|\Z))"
"""A pattern of the text after a string with line ends; a quote before other text begins one."""
STRING_OVER_LINES: Final = rf'"[\x01-!#-\x7f]*+"{AFTER_STRING}'
AFTER_MARKER: Final = r"[ \t\d]*+(?=[\r\n]|\Z)"
"""A pattern of the text after the file name of a line marker: numbers."""
SHORT_INTEGER: Final = r"[1-9]\d{0,18}"
"""Matches a decimal integer of at most 64 bits; larger ones are read token by token."""
BEGUN_MARKER: Final = r'\#[ \t]*+(?:line[ \t]*+)?\d++[ \t]++"[\x00-!#-\x7f]*+'
"""A pattern of a preprocessor's line marker without the quote after its file name."""
MARKER: Final = rf'{BEGUN_MARKER}"{AFTER_MARKER}'
NUMBER_PATTERN: Final = rf"(?:{FLOAT_BITS}|{DECIMAL}|{INTEGER}){NAME_ENDS}"

_TOP: Final = 1 << 63
_WRAP: Final = 1 << 64
_SMALLEST: Final = 2.2250738585072014e-308
"""The smallest normal double."""
_MAX_SAFE_LENGTH: Final = 16
"""Number of characters up to which any integer fits in 64 bits."""
_BASES: Final = {"0x": 16, "0b": 2}
_SINGLE_DIGITS: Final = 8
"""The number of hexadecimal digits of an `.f32`."""
_is_integer: Final = re.compile(INTEGER, re.ASCII).fullmatch
_is_fraction: Final = re.compile(DECIMAL, re.ASCII).fullmatch
_is_float_bits: Final = re.compile(FLOAT_BITS, re.ASCII).fullmatch


def integer(text: str) -> int | None:
    """Returns the value of an integer literal without a sign, modulo 2**64.

    Returns None if it is not an integer that ptxas accepts, such as one with too many digits.
    """
    if _is_integer(text) is None or is_out_of_range(text):
        return None
    return whole(text.removesuffix("U")) % _WRAP


def whole(digits: str) -> int:
    """Returns the value of an integer literal without `U`, of any size."""
    base = _BASES.get(digits[:2].lower())
    if base is not None:
        return int(digits[2:], base)
    return int(digits, 8) if digits[0] == "0" else decimal(digits)


def number(text: str) -> int | float | None:
    """Returns the value of a number literal with its signs; None if it is not a literal.

    Integers are taken modulo 2**64; `0f` and `0d` literals are the bits of a float.
    """
    digits = text.lstrip("-+ ")
    value: int | float | None = integer(digits)
    if value is None and _is_float_bits(digits) is not None:
        value = _from_bits(digits[2:])
    elif value is None and _is_fraction(digits) is not None:
        value = float(digits)
    is_negative = text.count("-", 0, len(text) - len(digits)) % 2
    return -value if value is not None and is_negative else value


def is_out_of_range(number: str) -> bool:
    """Whether ptxas rejects a number literal, given without a sign, as too large or too small."""
    digits = number.rstrip("U")
    head = digits[:2].lower()
    if head in ("0f", "0d"):
        return False
    if head not in _BASES and any(mark in digits for mark in ".eE"):
        return _is_extreme(digits)
    if len(digits) <= _MAX_SAFE_LENGTH:
        return False
    if head in _BASES:
        return _is_long(digits[2:], _BASES[head])
    return _is_long(digits, 8 if digits.startswith("0") else 10)


def _from_bits(digits: str) -> float:
    import struct  # noqa: PLC0415  only floats written as bits need it

    layout = ">f" if len(digits) == _SINGLE_DIGITS else ">d"
    return float(struct.unpack(layout, bytes.fromhex(digits))[0])


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
