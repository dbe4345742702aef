"""The results of floating-point instructions, written from the manual with numpy.

Exact results are fractions; rounding looks for the neighbouring values of a format by their bits,
which numpy decodes, and picks one by the mode.
"""

from fractions import Fraction
from functools import cache
from math import isinf, isnan

import numpy as np

Number = float | Fraction
"""A fraction, or a float for zeros with a sign, infinities and NaN."""
_SMALL = {  # exponent bits, mantissa bits, bias, has a sign
    "e4m3": (4, 3, 7), "e5m2": (5, 2, 15), "e2m3": (2, 3, 1), "e3m2": (3, 2, 3), "e2m1": (2, 1, 1),
}  # fmt: skip
WIDTHS = {
    "f16": 16, "bf16": 16, "f32": 32, "f64": 64, "tf32": 32,
    "e4m3": 8, "e5m2": 8, "e2m3": 6, "e3m2": 6, "e2m1": 4,
}  # fmt: skip
LARGEST = {
    "f16": 65504.0, "bf16": 3.3895313892515355e38, "f32": 3.4028234663852886e38,
    "f64": 1.7976931348623157e308, "tf32": 3.4011621342146535e38, "e4m3": 448.0, "e5m2": 57344.0,
    "e2m3": 7.5, "e3m2": 28.0, "e2m1": 6.0,
}  # fmt: skip
_LEAST_NORMAL = {"f16": 2.0**-14, "bf16": 2.0**-126, "f32": 2.0**-126, "f64": 2.0**-1022}


def decode(bits: int, name: str) -> float:
    """The value of some bits."""
    match name:
        case "f16":
            return float(np.array(bits, np.uint16).view(np.float16))
        case "bf16":
            return float(np.array(bits << 16, np.uint32).view(np.float32))
        case "f32" | "tf32":
            return float(np.array(bits, np.uint32).view(np.float32))
        case "f64":
            return float(np.array(bits, np.uint64).view(np.float64))
    exponent_bits, mantissa_bits, bias = _SMALL[name]
    sign = -1.0 if bits >> exponent_bits + mantissa_bits else 1.0
    exponent = bits >> mantissa_bits & (1 << exponent_bits) - 1
    mantissa = bits & (1 << mantissa_bits) - 1
    if name == "e5m2" and exponent == 31:
        return sign * float("nan" if mantissa else "inf")
    if name == "e4m3" and bits & 0x7F == 0x7F:
        return float("nan")
    if not exponent:
        return sign * mantissa * 2.0 ** (1 - bias - mantissa_bits)
    return sign * (1 + mantissa / (1 << mantissa_bits)) * 2.0 ** (exponent - bias)


@cache
def _top(name: str) -> int:
    """The bits of the largest finite number."""
    if name == "tf32":
        return 0x7F7FE000
    low, high = 0, (1 << WIDTHS[name] - 1) - 1
    while low < high:
        middle = (low + high + 1) // 2
        found = decode(middle, name)
        is_finite = not isnan(found) and not isinf(found)
        low, high = (middle, high) if is_finite else (low, middle - 1)
    return low


def encode(number: Number, name: str, mode: str = "rn", *, finite: bool = False) -> int | None:
    """The bits of a number in a format; None for NaN."""
    sign_bit = 1 << WIDTHS[name] - 1
    if isinstance(number, float):
        if isnan(number):
            return None
        negative = bool(np.signbit(number))
        if isinf(number):
            bits = (
                _top(name)
                if finite or name in ("e4m3", "e2m3", "e3m2", "e2m1")
                else _infinity(name)
            )
            return bits | sign_bit * negative
        if not number:
            return sign_bit * negative
        number = Fraction(number)
    negative = number < 0
    magnitude = abs(number)
    step = 1 << 13 if name == "tf32" else 1
    low, high = 0, _top(name) // step
    while low < high:  # the largest value that is not above
        middle = (low + high + 1) // 2
        low, high = (
            (middle, high)
            if Fraction(decode(middle * step, name)) <= magnitude
            else (low, middle - 1)
        )
    below = Fraction(decode(low * step, name))
    if below == magnitude:
        return low * step | sign_bit * negative
    away = {"rz": False, "rm": negative, "rp": not negative}.get(mode)
    if low * step == _top(name):
        above = 2 * below - Fraction(decode((low - 1) * step, name))
        is_up = magnitude >= (below + above) / 2 if away is None else away
        if finite or not is_up or name in ("e4m3", "e2m3", "e3m2", "e2m1"):
            return low * step | sign_bit * negative
        return _infinity(name) | sign_bit * negative
    above = Fraction(decode((low + 1) * step, name))
    if away is None:
        middle_value = (below + above) / 2
        tie = low % 2 == 1 if mode == "rn" else True
        away = magnitude > middle_value or (magnitude == middle_value and tie)
    return (low + away) * step | sign_bit * negative


def _infinity(name: str) -> int:
    return _top(name) + (1 << 13 if name == "tf32" else 1)


def flush(number: Number, name: str) -> Number:
    """Zero for a subnormal number."""
    if isinstance(number, float) and (isnan(number) or isinf(number)):
        return number
    if number and abs(Fraction(number)) < Fraction(_LEAST_NORMAL[name]):
        return -0.0 if number < 0 else 0.0
    return number


def flushed_result(number: Number, name: str, mode: str) -> int | None:
    """Bits of a result that is zero where it is subnormal, which is decided after rounding."""
    if isinstance(number, Fraction) and number:
        up = 1 << (10 if name == "f16" else 40)
        scaled = number * up  # out of the subnormal range: rounded as if exponents continued
        bits = encode(scaled, name, mode)
        if bits is not None:
            found = decode(bits, name)
            if not isinf(found) and abs(Fraction(found)) < Fraction(_LEAST_NORMAL[name]) * up:
                return 1 << WIDTHS[name] - 1 if number < 0 else 0
    return encode(number, name, mode)


def _exact(number: Number) -> bool:
    return isinstance(number, Fraction) or (
        bool(number) and not isnan(number) and not isinf(number)
    )


def add(a: Number, b: Number, mode: str) -> Number:
    """The exact sum; the sign of a zero as the mode has it."""
    if _exact(a) and _exact(b):
        total = Fraction(a) + Fraction(b)
        return total or (-0.0 if mode == "rm" else 0.0)
    if _exact(a) and not isinstance(b, Fraction) and b == 0:
        return a
    if _exact(b) and not isinstance(a, Fraction) and a == 0:
        return b
    if a == 0 and b == 0 and np.signbit(float(a)) != np.signbit(float(b)):
        return -0.0 if mode == "rm" else 0.0
    with np.errstate(all="ignore"):
        return float(np.float64(_special(a)) + np.float64(_special(b)))


def multiply(a: Number, b: Number) -> Number:
    """The exact product."""
    if _exact(a) and _exact(b):
        return Fraction(a) * Fraction(b)
    with np.errstate(all="ignore"):
        return float(np.float64(_special(a)) * np.float64(_special(b)))


def divide(a: Number, b: Number) -> Number:
    """The exact quotient."""
    if _exact(a) and _exact(b):
        return Fraction(a) / Fraction(b)
    with np.errstate(all="ignore"):
        return float(np.float64(_special(a)) / np.float64(_special(b)))


def _special(number: Number) -> float:
    """A substitute for a finite number beside a zero, infinity or NaN."""
    if _exact(number):
        return 1.0 if number > 0 else -1.0
    return float(number)


def square_root(a: float, name: str, mode: str) -> int | None:
    """The bits of a square root, found by squaring its neighbours."""
    if isnan(a) or a < 0:
        return None
    if not a or isinf(a):
        return encode(a, name)
    exact = Fraction(a)
    low, high = 0, _top(name)
    while low < high:
        middle = (low + high + 1) // 2
        low, high = (
            (middle, high) if Fraction(decode(middle, name)) ** 2 <= exact else (low, middle - 1)
        )
    below, above = Fraction(decode(low, name)), Fraction(decode(low + 1, name))
    if below**2 == exact or mode in ("rz", "rm"):
        return low
    if mode == "rp":
        return low + 1
    return low + (exact > ((below + above) / 2) ** 2)


def minimum(a: float, b: float, *, largest: bool) -> float:
    """`min` or `max`: of a number and NaN the number; -0.0 below +0.0."""
    if isnan(a) or isnan(b):
        return b if isnan(a) else a
    if a == b == 0:
        signs = bool(np.signbit(a)), bool(np.signbit(b))
        is_negative = all(signs) if largest else any(signs)
        return -0.0 if is_negative else 0.0
    return float(np.maximum(a, b) if largest else np.minimum(a, b))


def compare(name: str, a: float, b: float) -> bool:
    """The comparison of a CmpOp."""
    unordered = isnan(a) or isnan(b)
    if name in ("num", "nan"):
        return unordered == (name == "nan")
    if unordered:
        return len(name) == 3
    order = {"eq": a == b, "ne": a != b, "lt": a < b, "le": a <= b, "gt": a > b, "ge": a >= b}
    order |= {"lo": a < b, "ls": a <= b, "hi": a > b, "hs": a >= b}
    return order[name if name in order else name[:-1]]


def integral(number: float, mode: str) -> float:
    """A number rounded to an integer."""
    functions = {"rni": np.rint, "rzi": np.trunc, "rmi": np.floor, "rpi": np.ceil}
    with np.errstate(all="ignore"):
        return float(functions[mode](np.float64(number)))
