"""Exact numbers of floating-point formats, with signed zeros, infinities and NaN.

Arithmetic is exact; only `rounded` loses precision. So the result of an instruction that rounds
once is that of the hardware, in every rounding mode.
"""

from __future__ import annotations

from fractions import Fraction
from math import isqrt
from typing import Final

from ptx_ls.isa.execution.formats import FIXED, FLOATS, FloatFormat
from ptx_ls.source.named_tuple import NamedTuple

_ZERO: Final = Fraction(0)
_ROOT_BITS: Final = 160
"""Number of bits of a square root to compute: more than twice those of any format."""


class Real(NamedTuple):
    """A number of any size, an infinity or NaN.

    `negative` is None for the zero that remains when equal numbers are subtracted: its sign
    depends on how it is rounded.
    """

    kind: str
    """`finite`, `infinite` or `nan`."""
    negative: bool | None = False
    magnitude: Fraction = _ZERO
    format: str = ""
    """The format of the value; "" if it is not rounded yet."""
    payload: int | None = None
    """The bits of a NaN that was read rather than computed."""
    is_tiny: bool = False
    """Whether its magnitude is below the normal numbers even if rounded with any exponent."""

    @property
    def value(self) -> Fraction:
        """The value of a finite number."""
        return -self.magnitude if self.negative else self.magnitude

    @property
    def is_nan(self) -> bool:
        """Whether it is NaN."""
        return self.kind == "nan"

    @property
    def is_zero(self) -> bool:
        """Whether it is a zero of either sign."""
        return self.kind == "finite" and not self.magnitude


NAN: Final = Real("nan")
"""A NaN that an instruction produces; the manual does not specify its bits."""
CANONICAL_NAN: Final = Real("nan", format="canonical")
"""The NaN that the manual calls canonical."""
ZERO: Final = Real("finite")


def infinity(*, negative: bool) -> Real:
    """Returns an infinity."""
    return Real("infinite", negative)


def real(value: float | Fraction) -> Real:
    """Returns a finite number; 0 is +0."""
    fraction = Fraction(value)
    return Real("finite", fraction < 0, abs(fraction))


def decode(bits: int, name: str) -> Real:
    """Returns the value that bits have in a format."""
    if name in FIXED:
        fixed = FIXED[name]
        signed = bits - ((bits >> fixed.bits - 1) << fixed.bits)
        return real(Fraction(signed, 1 << fixed.fraction))._replace(format=name)
    form = FLOATS[name]
    whole = bits >> form.unused
    fraction = whole & (1 << form.mantissa) - 1
    exponent = whole >> form.mantissa & (1 << form.exponent) - 1
    negative = bool(form.is_signed and whole >> form.mantissa + form.exponent & 1)
    magnitude_bits = whole & (1 << form.mantissa + form.exponent) - 1
    if magnitude_bits > form.largest:
        if form.is_ieee and not fraction:
            return Real("infinite", negative, format=name)
        return Real("nan", negative, format=name, payload=bits)
    if not form.mantissa:
        return Real("finite", negative, _power(exponent - form.bias), name)
    if exponent:
        fraction += 1 << form.mantissa
    scale = max(exponent, 1) - form.bias - form.mantissa
    return Real("finite", negative, fraction * _power(scale), name)


def encode(number: Real, name: str) -> int:
    """Returns the bits of a number rounded to this format; a NaN that was read keeps its bits."""
    if name in FIXED:
        fixed = FIXED[name]
        return int(number.value * (1 << fixed.fraction)) & (1 << fixed.bits) - 1
    form = FLOATS[name]
    if number.is_nan:
        kept = number.payload if number.format == name else None
        return form.nan if kept is None else kept
    if number.kind == "infinite":
        bits = form.infinity
    elif not form.mantissa:
        bits = _exponent(number.magnitude) + form.bias
    else:
        exponent = form.least_exponent
        if number.magnitude:
            exponent = max(_exponent(number.magnitude), exponent)
        mantissa = int(number.magnitude / _power(exponent - form.mantissa))
        bits = mantissa + (exponent - form.least_exponent << form.mantissa)
    if number.negative:
        bits |= 1 << form.exponent + form.mantissa
    return bits << form.unused


def _power(exponent: int) -> Fraction:
    return Fraction(1 << exponent) if exponent >= 0 else Fraction(1, 1 << -exponent)


def _exponent(magnitude: Fraction) -> int:
    """Returns the exponent of 2 of a positive number: floor(log2(magnitude))."""
    exponent = magnitude.numerator.bit_length() - magnitude.denominator.bit_length()
    return exponent if magnitude >= _power(exponent) else exponent - 1


def rounded(number: Real, name: str, mode: str) -> Real:
    """Rounds a number to a format, by `rn`, `rz`, `rm`, `rp` or `rna`.

    Beyond the largest number, the result is an infinity or the largest, by the mode; in formats
    without infinities, always the largest.
    """
    if number.is_nan:
        return number if number.format in (name, CANONICAL_NAN.format) else NAN
    negative = bool(number.negative) if number.negative is not None else mode == "rm"
    if name in FIXED:
        return _rounded_fixed(number._replace(negative=negative), name, mode)
    form = FLOATS[name]
    if number.kind == "infinite":
        return number._replace(format=name) if form.is_ieee else _largest(form, negative=negative)
    if not number.magnitude:
        return Real("finite", negative, _ZERO, name)
    is_tiny = _is_tiny(number.magnitude, form, mode, negative=negative)
    exponent = max(_exponent(number.magnitude), form.least_exponent)
    unit = _power(exponent - form.mantissa)
    magnitude = to_integer(number.magnitude / unit, mode, negative=negative) * unit
    largest = _largest(form, negative=negative)
    if magnitude <= largest.magnitude:
        return Real("finite", negative, Fraction(magnitude), name, is_tiny=is_tiny)
    stays = mode in ("rz", "rp" if negative else "rm") or not form.is_ieee
    return largest if stays else Real("infinite", negative, format=name)


def _is_tiny(magnitude: Fraction, form: FloatFormat, mode: str, *, negative: bool) -> bool:
    """Whether a number counts as subnormal when it is flushed.

    As in ptxas, which folds `mul.ftz`, this depends on the rounded number: IEEE 754 calls it
    tininess detected after rounding.
    """
    exponent = _exponent(magnitude)
    if exponent >= form.least_exponent:
        return False
    unit = _power(exponent - form.mantissa)
    whole = to_integer(magnitude / unit, mode, negative=negative)
    return whole * unit < _power(form.least_exponent)


def _largest(form: FloatFormat, *, negative: bool) -> Real:
    return decode(form.largest << form.unused, form.name)._replace(negative=negative)


def _rounded_fixed(number: Real, name: str, mode: str) -> Real:
    fixed = FIXED[name]
    one = 1 << fixed.fraction
    whole = to_integer(number.magnitude * one, mode, negative=bool(number.negative))
    return real(Fraction(-whole if number.negative else whole, one))._replace(format=name)


def largest_of(name: str, *, negative: bool = False) -> Real:
    """Returns the finite number of a format that is farthest from zero on one side."""
    if name in FIXED:
        fixed = FIXED[name]
        top = 1 << fixed.bits - 1
        return real(Fraction(-top if negative else top - 1, 1 << fixed.fraction))
    form = FLOATS[name]
    if negative and not form.is_signed:
        return decode(0, name)
    return _largest(form, negative=negative)


def to_integer(magnitude: Fraction, mode: str, *, negative: bool) -> int:
    """Rounds the magnitude of a number to an integer by a mode (`rn`, `rni`, ...)."""
    whole, rest = divmod(magnitude.numerator, magnitude.denominator)
    if not rest:
        return whole
    twice = 2 * rest - magnitude.denominator
    match mode.removesuffix("i"):
        case "rn":
            up = twice > 0 or (twice == 0 and whole % 2 == 1)
        case "rna":
            up = twice >= 0
        case "rm":
            up = negative
        case "rp":
            up = not negative
        case _:
            up = False
    return whole + up


def integral(number: Real, mode: str) -> Real:
    """Rounds a number to an integer, as a number of the same format."""
    if number.kind != "finite" or not number.magnitude:
        return number
    whole = to_integer(number.magnitude, mode, negative=bool(number.negative))
    return number._replace(magnitude=Fraction(whole))


def flushed(number: Real, name: str) -> Real:
    """Returns zero of the same sign for a subnormal number of a format, else the number."""
    least = _power(FLOATS[name].least_exponent)
    is_small = number.is_tiny or _is_less(number, least)
    return number._replace(magnitude=_ZERO, is_tiny=False) if is_small else number


def is_subnormal(number: Real, name: str) -> bool:
    """Whether the number is subnormal in a format."""
    return bool(number.magnitude) and _is_less(number, _power(FLOATS[name].least_exponent))


def _is_less(number: Real, bound: Fraction) -> bool:
    return number.kind == "finite" and number.magnitude < bound


def negated(number: Real) -> Real:
    """Returns the number with its sign changed."""
    negative = None if number.negative is None else not number.negative
    return number._replace(negative=negative, payload=None)


def added(left: Real, right: Real) -> Real:
    """Returns the exact sum."""
    if left.is_nan or right.is_nan:
        return NAN
    if left.kind == "infinite" or right.kind == "infinite":
        if left.kind == right.kind and left.negative != right.negative:
            return NAN
        return infinity(negative=bool((left if left.kind == "infinite" else right).negative))
    total = left.value + right.value
    if total:
        return real(total)
    same = left.is_zero and right.is_zero and left.negative == right.negative
    return Real("finite", left.negative if same else None)


def multiplied(left: Real, right: Real) -> Real:
    """Returns the exact product."""
    if left.is_nan or right.is_nan:
        return NAN
    negative = bool(left.negative) != bool(right.negative)
    if left.kind == "infinite" or right.kind == "infinite":
        return NAN if left.is_zero or right.is_zero else infinity(negative=negative)
    return Real("finite", negative, left.magnitude * right.magnitude)


def divided(left: Real, right: Real) -> Real:
    """Returns the exact quotient."""
    if left.is_nan or right.is_nan or left.kind == right.kind == "infinite":
        return NAN
    negative = bool(left.negative) != bool(right.negative)
    if left.kind == "infinite":
        return infinity(negative=negative)
    if right.kind == "infinite":
        return Real("finite", negative)
    if not right.magnitude:
        return NAN if left.is_zero else infinity(negative=negative)
    return Real("finite", negative, left.magnitude / right.magnitude)


def square_root(number: Real) -> Real:
    """Returns the square root, precise enough to be rounded correctly to any format."""
    if number.is_nan or (number.negative and not number.is_zero):
        return NAN
    if number.kind == "infinite" or number.is_zero:
        return number._replace(format="", payload=None)
    shift = 2 * max(0, _ROOT_BITS - _exponent(number.magnitude) // 2)
    numerator, denominator = number.magnitude.as_integer_ratio()
    scaled = (numerator << shift) // denominator
    root = isqrt(scaled)
    is_exact = root * root == scaled and scaled * denominator == numerator << shift
    # One more bit represents the rest: the exact root is between this number and the next.
    return real(Fraction(2 * root + (not is_exact), 2 << shift // 2))


def compared(left: Real, right: Real) -> int | None:
    """Returns -1, 0 or 1 as left is less, equal or greater; None if either is NaN."""
    if left.is_nan or right.is_nan:
        return None
    order = _key(left), _key(right)
    return (order[0] > order[1]) - (order[0] < order[1])


def _key(number: Real) -> tuple[int, Fraction]:
    if number.kind == "infinite":
        return (-1 if number.negative else 1), _ZERO
    return 0, number.value
