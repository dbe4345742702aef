"""Integer arithmetic on abstract values. Source: PTX ISA, "Integer Arithmetic Instructions"."""

from __future__ import annotations

from itertools import product
from typing import TYPE_CHECKING

from ptx_ls.values import known_bits
from ptx_ls.values.abstract_value import (
    AbstractValue,
    constant,
    from_bits,
    from_range,
    from_signed,
    sign_extended,
    unknown,
    within,
    zero_extended,
)

if TYPE_CHECKING:
    from collections.abc import Callable


def add(left: AbstractValue, right: AbstractValue) -> AbstractValue:
    """Returns the sum of two values of the same width."""
    return within(
        left.width,
        known_bits.add(left.width, left.bits, right.bits),
        (
            (left.low + right.low, left.high + right.high),
            (left.signed_low + right.signed_low, left.signed_high + right.signed_high),
        ),
    )


def subtract(left: AbstractValue, right: AbstractValue) -> AbstractValue:
    """Returns the difference of two values of the same width."""
    return within(
        left.width,
        known_bits.add(left.width, left.bits, known_bits.complement(right.bits), carry=1),
        (
            (left.low - right.high, left.high - right.low),
            (left.signed_low - right.signed_high, left.signed_high - right.signed_low),
        ),
    )


def multiply(left: AbstractValue, right: AbstractValue) -> AbstractValue:
    """Returns the low half of a product."""
    return within(
        left.width,
        known_bits.multiply(left.width, left.bits, right.bits),
        ((left.low * right.low, left.high * right.high), _signed_products(left, right)),
    )


def _signed_products(left: AbstractValue, right: AbstractValue) -> tuple[int, int]:
    corners = [
        one * other
        for one in (left.signed_low, left.signed_high)
        for other in (right.signed_low, right.signed_high)
    ]
    return min(corners), max(corners)


def multiply_wide(left: AbstractValue, right: AbstractValue, *, is_signed: bool) -> AbstractValue:
    """Returns the whole product, which is twice as wide."""
    extended = sign_extended if is_signed else zero_extended
    width = 2 * left.width
    return multiply(extended(left, width), extended(right, width))


def multiply_high(left: AbstractValue, right: AbstractValue, *, is_signed: bool) -> AbstractValue:
    """Returns the high half of a product."""
    width = left.width
    if is_signed:
        low, high = _signed_products(left, right)
        return from_signed(width, low >> width, high >> width)
    return from_range(width, left.low * right.low >> width, left.high * right.high >> width)


def divide(left: AbstractValue, right: AbstractValue, *, is_signed: bool) -> AbstractValue:
    """Returns a quotient, rounded towards zero; nothing is known if the divisor may be 0."""
    width = left.width
    if right.low == 0 and right.contains(0):
        return unknown(width)
    if not is_signed:
        return from_range(width, left.low // right.high, left.high // right.low)
    corners = [
        _quotient(one, other)
        for one, other in product(
            (left.signed_low, left.signed_high), _divisors(right.signed_low, right.signed_high)
        )
    ]
    if left.signed_low <= 0 <= left.signed_high:
        corners.append(0)
    low, high = min(corners), max(corners)
    # The smallest number by -1 is not representable.
    return from_signed(width, low, high) if high < 1 << width - 1 else unknown(width)


def _divisors(low: int, high: int) -> list[int]:
    """Returns the numbers of a range without 0 between which quotients are monotonic."""
    return [each for each in (low, high, -1, 1) if low <= each <= high and each]


def _quotient(left: int, right: int) -> int:
    return left // right if (left < 0) == (right < 0) else -(-left // right)


def remainder(left: AbstractValue, right: AbstractValue, *, is_signed: bool) -> AbstractValue:
    """Returns a remainder; nothing is known if the divisor may be 0, or for negative numbers."""
    width = left.width
    if right.low == 0 and right.contains(0):
        return unknown(width)
    if is_signed and (left.signed_low < 0 or right.signed_low < 0):
        return unknown(width)
    if left.high < right.low:
        return left._replace(affine=None)
    if left.constant is not None and right.constant is not None:
        return constant(width, left.constant % right.constant)
    found = from_range(width, 0, min(left.high, right.high - 1))
    if right.constant is not None and right.constant & right.constant - 1 == 0:
        mask = right.constant - 1
        return found.meet(from_bits(width, (left.zeros & mask, left.ones & mask)))
    return found


def minimum(left: AbstractValue, right: AbstractValue, *, is_signed: bool) -> AbstractValue:
    """Returns the smaller one of two values."""
    return _chosen(left, right, min, is_signed=is_signed)


def maximum(left: AbstractValue, right: AbstractValue, *, is_signed: bool) -> AbstractValue:
    """Returns the larger one of two values."""
    return _chosen(left, right, max, is_signed=is_signed)


def _chosen(
    left: AbstractValue,
    right: AbstractValue,
    choose: Callable[[int, int], int],
    *,
    is_signed: bool,
) -> AbstractValue:
    joined = left._replace(affine=None).join(right._replace(affine=None))
    width = left.width
    if is_signed:
        low = choose(left.signed_low, right.signed_low)
        return joined.meet(from_signed(width, low, choose(left.signed_high, right.signed_high)))
    return joined.meet(
        from_range(width, choose(left.low, right.low), choose(left.high, right.high))
    )


def negate(value: AbstractValue) -> AbstractValue:
    """Returns the opposite of a value."""
    return subtract(constant(value.width, 0), value)


def absolute(value: AbstractValue) -> AbstractValue:
    """Returns a value without its sign; the smallest number stays as it is."""
    if value.signed_low >= 0:
        return value._replace(affine=None)
    if value.signed_high < 0:
        return negate(value)
    high = max(-value.signed_low, value.signed_high)
    return from_range(value.width, 0, high)


def add_saturated(left: AbstractValue, right: AbstractValue) -> AbstractValue:
    """Returns the signed sum of two values, or the nearest number that fits."""
    width = left.width
    return _saturated(
        width, left.signed_low + right.signed_low, left.signed_high + right.signed_high
    )


def subtract_saturated(left: AbstractValue, right: AbstractValue) -> AbstractValue:
    """Returns the signed difference of two values, or the nearest number that fits."""
    width = left.width
    return _saturated(
        width, left.signed_low - right.signed_high, left.signed_high - right.signed_low
    )


def _saturated(width: int, low: int, high: int) -> AbstractValue:
    half = 1 << width - 1
    return from_signed(width, min(max(low, -half), half - 1), max(min(high, half - 1), -half))
