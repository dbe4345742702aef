"""Finds the names of well-known floating-point constants of mathematics and number formats."""

from __future__ import annotations

import math
import struct
from functools import cache
from typing import Final

_EXACT: Final = {
    "1/ln 2 = log2 e": math.log2(math.e),
    "ln 2": math.log(2),
    "log10 2": math.log10(2),
    "log2 10": math.log2(10),
    "ln 10": math.log(10),
    "log10 e": math.log10(math.e),
    "e": math.e,
    "pi": math.pi,
    "2 pi": math.tau,
    "pi/2": math.pi / 2,
    "pi/4": math.pi / 4,
    "1/pi": 1 / math.pi,
    "2/pi": 2 / math.pi,
    "1/(2 pi)": 1 / math.tau,
    "2/sqrt(pi)": 2 / math.sqrt(math.pi),
    "sqrt 2": math.sqrt(2),
    "1/sqrt 2": math.sqrt(0.5),
    "sqrt(2/pi)": math.sqrt(2 / math.pi),
    "sqrt(2 pi)": math.sqrt(math.tau),
    "1/sqrt(2 pi)": 1 / math.sqrt(math.tau),
    "pi/180": math.pi / 180,
    "180/pi": 180 / math.pi,
    "1/3": 1 / 3,
    "1/6": 1 / 6,
    "1/255": 1 / 255,
    "golden ratio": (1 + math.sqrt(5)) / 2,
    "Euler-Mascheroni constant": 0.5772156649015329,
}
_SINGLE: Final = {
    "largest finite `.f32`": struct.unpack(">f", b"\x7f\x7f\xff\xff")[0],
    "smallest normal `.f32`": 2.0**-126,
    "smallest subnormal `.f32`": 2.0**-149,
    "epsilon of `.f32`, 2^-23": 2.0**-23,
    "1.5 * 2^23: adding and subtracting it rounds to an integer": 1.5 * 2**23,
}
_DOUBLE: Final = {
    "largest finite `.f64`": struct.unpack(">d", b"\x7f\xef" + b"\xff" * 6)[0],
    "smallest normal `.f64`": 2.0**-1022,
    "epsilon of `.f64`, 2^-52": 2.0**-52,
    "1.5 * 2^52: adding and subtracting it rounds to an integer": 1.5 * 2**52,
}
_MIN_POWER: Final = 4


def known(value: float, *, is_single: bool) -> str:
    """Returns the name of the constant that rounds to a float, with its sign; "" for none."""
    if not math.isfinite(value) or value == 0:
        return ""
    positive = abs(value)
    name = _names(is_single=is_single).get(positive, "") or _power(positive)
    return negated(name) if value < 0 else name


def negated(name: str) -> str:
    """Returns the name of a constant with a minus sign; "" for none."""
    number, colon, use = name.partition(":")
    return f"-({number}){colon}{use}" if " " in number else f"-{name}" if name else ""


def _power(value: float) -> str:
    """Returns a power of two that is not obvious, such as `2^-24`; "" for other numbers."""
    mantissa, exponent = math.frexp(value)
    power = exponent - 1
    if mantissa != 0.5 or -_MIN_POWER < power < _MIN_POWER:  # noqa: PLR2004  of frexp
        return ""
    return f"2^{power}"


@cache
def _names(*, is_single: bool) -> dict[float, str]:
    found = {(_single(value) if is_single else value): name for name, value in _EXACT.items()}
    own = _SINGLE if is_single else _DOUBLE
    return found | {value: name for name, value in own.items()}


def _single(value: float) -> float:
    nearest: float = struct.unpack(">f", struct.pack(">f", value))[0]
    return nearest
