"""The functions of the pseudo-code; docs/isa-format.md lists what each computes."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from fractions import Fraction
from functools import reduce
from typing import Final

from ptx_ls.isa.execution import reals
from ptx_ls.isa.execution.formats import FIXED, FLOATS, ValueType
from ptx_ls.isa.execution.reals import Real
from ptx_ls.isa.execution.values import (
    UndeterminedError,
    Value,
    as_integer,
    as_real,
    compare,
)

ROUNDINGS: Final = frozenset("rn rz rm rp rna".split())
"""Functions that round to the type of the result."""
_INTEGRAL: Final = frozenset("rni rzi rmi rpi".split())
"""Functions that round to an integer."""
_WORD_BITS: Final = 32
_MAX_ARGUMENT: Final = 10_000
"""The exponent beyond which `exp2` is zero or infinite in every format."""


def least(left: Value, right: Value) -> Value:
    """Returns the smaller of two numbers, NaN only if both are; -0 is smaller than +0."""
    return _chosen(left, right, "<", prefers_negative=True)


def greatest(left: Value, right: Value) -> Value:
    """Returns the larger of two numbers, NaN only if both are; +0 is larger than -0."""
    return _chosen(left, right, ">", prefers_negative=False)


def _chosen(left: Value, right: Value, operator: str, *, prefers_negative: bool) -> Value:
    if isinstance(left, Real) or isinstance(right, Real):
        first, second = as_real(left), as_real(right)
        if first.is_nan and second.is_nan:
            return reals.NAN
        if first.is_nan or second.is_nan:
            return second if first.is_nan else first
        if first.is_zero and second.is_zero:
            return first if bool(first.negative) == prefers_negative else second
        left, right = first, second
    return left if compare(operator, left, right) else right


def clamp(value: Value, type_: ValueType) -> Value:
    """Returns the nearest number that an integer type holds, or the nearest finite float.

    NaN stays NaN if the type has it, else it becomes the largest number.
    """
    if type_.kind in ("float", "fixed"):
        number = as_real(value)
        if number.is_nan:
            has_nan = type_.element not in FIXED and FLOATS[type_.element].has_nan
            return number if has_nan else reals.largest_of(type_.element)
        top = reals.largest_of(type_.element)
        bottom = reals.largest_of(type_.element, negative=True)
        return greatest(least(number, top), bottom)
    low, high = integer_range(type_)
    if isinstance(value, Real):
        if value.is_nan:
            raise UndeterminedError("an integer has no NaN")
        if value.kind == "infinite":
            return low if value.negative else high
    return max(low, min(high, as_integer(value)))


def integer_range(type_: ValueType) -> tuple[int, int]:
    """Returns the least and the largest integer of a type."""
    if type_.kind == "signed":
        return -(1 << type_.bits - 1), (1 << type_.bits - 1) - 1
    return 0, (1 << type_.bits) - 1


def chosen_parts(whole: int, digits: str, type_: ValueType) -> Value:
    """Returns the parts numbered in `digits`, starting with the last: two halves or four bytes."""
    unit = _WORD_BITS // len(digits)
    found: list[Value] = []
    for digit in reversed(digits):
        bits = whole >> int(digit) * unit & (1 << unit) - 1
        is_negative = type_.kind == "signed" and bits >> unit - 1
        found.append(bits - (1 << unit) if is_negative else bits)
    return found


def _integral(name: str) -> Callable[[Value], Value]:
    return lambda value: reals.integral(as_real(value), name)


def _is_class(test: Callable[[Real], bool]) -> Callable[[Value], Value]:
    return lambda value: test(as_real(value))


def _sign_extended(value: Value, width: Value) -> Value:
    bits, number = as_integer(width), as_integer(value)
    if not bits:
        return 0
    number &= (1 << bits) - 1
    return number - ((number >> bits - 1) << bits)


def _zero_extended(value: Value, width: Value) -> Value:
    return as_integer(value) & (1 << as_integer(width)) - 1


def _leading_zeros(value: Value, width: Value) -> Value:
    return as_integer(width) - (as_integer(value) & (1 << as_integer(width)) - 1).bit_length()


def _reversed_bits(value: Value, width: Value) -> Value:
    bits = as_integer(width)
    return int(f"{as_integer(value) & (1 << bits) - 1:0{bits}b}"[::-1], 2)


def _highest(value: Value) -> Value:
    return as_integer(value).bit_length() - 1


def _carryless(left: Value, right: Value) -> Value:
    factor, total = as_integer(right), 0
    for place in range(as_integer(left).bit_length()):
        if as_integer(left) >> place & 1:
            total ^= factor << place
    return total


def _nth_bit(mask: Value, base: Value, offset: Value) -> Value:
    """Computes `fns`: the position of a set bit counted from base, -1 if there is none."""
    bits, start, count = as_integer(mask), as_integer(base), as_integer(offset)
    if not 0 <= start < _WORD_BITS:
        raise UndeterminedError("no bit has that number")
    if not count:
        return start if bits >> start & 1 else -1
    step = 1 if count > 0 else -1
    places = range(start, _WORD_BITS) if count > 0 else range(start, -1, -1)
    found = [place for place in places if bits >> place & 1]
    return found[step * count - 1] if step * count <= len(found) else -1


def _looked_up(first: Value, second: Value, third: Value, table: Value) -> Value:
    """Computes `lop3`: at each position, the three bits select a bit of the table."""
    total = 0
    for place in range(_WORD_BITS):
        bits = [as_integer(value) >> place & 1 for value in (first, second, third)]
        total |= (as_integer(table) >> (bits[0] << 2 | bits[1] << 1 | bits[2]) & 1) << place
    return total


def _signbit(value: Value) -> Value:
    if isinstance(value, Real):
        return bool(value.negative)
    return as_integer(value) < 0


def _transcendental(function: Callable[[float], float]) -> Callable[[Value], Value]:
    def computed(value: Value) -> Value:
        number = as_real(value)
        if number.is_nan:
            return reals.NAN
        argument = math.inf if number.kind == "infinite" else float(number.magnitude)
        try:
            result = function(-argument if number.negative else argument)
        except (ValueError, OverflowError):
            return reals.NAN
        if math.isnan(result):
            return reals.NAN
        if math.isinf(result):
            return reals.infinity(negative=result < 0)
        negative = math.copysign(1.0, result) < 0
        return Real("finite", negative, Fraction(abs(result)))

    return computed


def _power_of_two(exponent: float) -> float:
    if abs(exponent) > _MAX_ARGUMENT:
        return math.inf if exponent > 0 else 0.0
    whole = math.floor(exponent)
    try:
        return math.ldexp(2.0 ** (exponent - whole), whole)
    except OverflowError:
        return math.inf


def _logarithm(number: float) -> float:
    return math.log2(number) if number else -math.inf


APPROXIMATE: Final[dict[str, Callable[[Value], Value]]] = {
    "sin": _transcendental(math.sin),
    "cos": _transcendental(math.cos),
    "tanh": _transcendental(math.tanh),
    "exp2": _transcendental(_power_of_two),
    "log2": _transcendental(_logarithm),
}
"""Functions that the hardware only approximates."""

PLAIN: Final[dict[str, Callable[..., Value]]] = {
    **{name: _integral(name) for name in _INTEGRAL},
    "min": least,
    "max": greatest,
    "isnan": _is_class(lambda number: number.is_nan),
    "isinf": _is_class(lambda number: number.kind == "infinite"),
    "signbit": _signbit,
    "sqrt": lambda value: reals.square_root(as_real(value)),
    "sext": _sign_extended,
    "zext": _zero_extended,
    "issubnormal": lambda value: reals.is_subnormal(as_real(value), as_real(value).format),
    "lut": _looked_up,
    "popc": lambda value: as_integer(value).bit_count(),
    "leading_zeros": _leading_zeros,
    "reverse": _reversed_bits,
    "highest_one": _highest,
    "carryless_product": _carryless,
    "find_one": _nth_bit,
}
"""Functions of values alone, by name."""


def _reduction(
    step: Callable[[Value, Value], Value], first: Value | None = None
) -> Callable[[Sequence[Value]], Value]:
    """Returns a function that combines values in turn, starting with `first` if given."""

    def reduced(values: Sequence[Value]) -> Value:
        if first is not None:
            return reduce(step, values, first)
        if not values:
            raise UndeterminedError("the least or greatest of nothing")
        return reduce(step, values)

    return reduced


REDUCTIONS: Final[Mapping[str, Callable[[Sequence[Value]], Value]]] = {
    "sum": _reduction(lambda left, right: as_integer(left) + as_integer(right), 0),
    "min": _reduction(least),
    "max": _reduction(greatest),
    "and": _reduction(lambda left, right: as_integer(left) & as_integer(right), -1),
    "or": _reduction(lambda left, right: as_integer(left) | as_integer(right), 0),
    "xor": _reduction(lambda left, right: as_integer(left) ^ as_integer(right), 0),
    "all": _reduction(lambda left, right: bool(left) and bool(right), first=True),
    "any": _reduction(lambda left, right: bool(left) or bool(right), first=False),
}
"""Functions over many values: `sum(i in 0 .. 3: ...)`."""
