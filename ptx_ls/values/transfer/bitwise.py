"""Logic, shifts and bit fields on abstract values.

Source: PTX ISA, "Logic and Shift Instructions", and the instructions on bits and bytes.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from ptx_ls.values.abstract_value import (
    AbstractValue,
    constant,
    from_bits,
    from_range,
    sign_extended,
    truncated,
    unknown,
    within,
    zero_extended,
)
from ptx_ls.values.known_bits import (
    Bits,
    complement,
    look_up,
    mask_of,
    reversed_bits,
    trailing_ones,
)

if TYPE_CHECKING:
    from collections.abc import Callable

AND: Final = 0b1000
OR: Final = 0b1110
XOR: Final = 0b0110
_MAX_AMOUNTS: Final = 4
"""Maximum number of shift amounts, minus one, that are tried one by one."""
_WORD: Final = 32
_NIBBLE: Final = 4
_N_BYTES: Final = 4


def combine(table: int, *values: AbstractValue) -> AbstractValue:
    """Returns the bits that a truth table gives for those of two or three values."""
    width = values[0].width
    found = from_bits(width, look_up(width, table, tuple([it.bits for it in values])))
    if found.low == found.high or len(values) != 2:  # noqa: PLR2004  `and` and `or` have two
        return found
    if table == AND:
        return found.meet(from_range(width, 0, min(it.high for it in values)))
    if table == OR:
        return found.meet(from_range(width, max(it.low for it in values), mask_of(width)))
    return found


def invert(value: AbstractValue) -> AbstractValue:
    """Returns the complement of a value."""
    mask = mask_of(value.width)
    return AbstractValue(
        value.width,
        *complement(value.bits),
        mask - value.high,
        mask - value.low,
        -1 - value.signed_high,
        -1 - value.signed_low,
    )


def is_zero(value: AbstractValue) -> AbstractValue:
    """Returns 1 for 0 and 0 for all other values."""
    if value.constant == 0:
        return constant(value.width, 1)
    return from_range(value.width, 0, 1 if value.contains(0) else 0)


def shift_left(value: AbstractValue, amount: AbstractValue) -> AbstractValue:
    """Returns a value shifted left; 0 if the amount is not below the width."""
    return _shifted(value, amount, _left)


def _left(value: AbstractValue, low: int, high: int) -> AbstractValue:
    width = value.width
    if low >= width:
        return constant(width, 0)
    if low == high:
        bits = value.zeros << low | mask_of(low), value.ones << low
    else:
        bits = mask_of(low + trailing_ones(value.zeros)), 0
    ranges = (
        (value.low << low, value.high << high),
        (min(value.signed_low << low, value.signed_low << high), value.signed_high << high),
    )
    if value.signed_high < 0:
        ranges = ranges[0], (value.signed_low << high, value.signed_high << low)
    mask = mask_of(width)
    return within(width, (bits[0] & mask, bits[1] & mask), ranges)


def shift_right(value: AbstractValue, amount: AbstractValue) -> AbstractValue:
    """Returns a value shifted right; 0 if the amount is not below the width."""
    return _shifted(value, amount, _right)


def _right(value: AbstractValue, low: int, high: int) -> AbstractValue:
    width = value.width
    bits = 0, 0
    if low == high:
        above = mask_of(width) & ~mask_of(max(width - low, 0))
        bits = value.zeros >> low | above, value.ones >> low
    return within(width, bits, ((value.low >> high, value.high >> low),))


def shift_right_signed(value: AbstractValue, amount: AbstractValue) -> AbstractValue:
    """Returns a value shifted right, with copies of its sign moved in."""
    return _shifted(value, amount, _right_signed)


def _right_signed(value: AbstractValue, low: int, high: int) -> AbstractValue:
    width = value.width
    low, high = min(low, width - 1), min(high, width - 1)
    bits = 0, 0
    if low == high:
        known = mask_of(width - low)
        bits = value.zeros >> low & known, value.ones >> low & known
    first = value.signed_low >> (low if value.signed_low < 0 else high)
    last = value.signed_high >> (high if value.signed_high < 0 else low)
    return within(width, bits, ((first, last),))


def _shifted(
    value: AbstractValue,
    amount: AbstractValue,
    shift: Callable[[AbstractValue, int, int], AbstractValue],
) -> AbstractValue:
    """Returns what all possible amounts have in common; those beyond the width are alike."""
    low, high = min(amount.low, value.width), min(amount.high, value.width)
    if high - low > _MAX_AMOUNTS:
        return shift(value, low, high)
    found = shift(value, low, low)
    for each in range(low + 1, high + 1):
        if amount.contains(each) or each == value.width:
            found = found.join(shift(value, each, each))
    return found


def extract(
    value: AbstractValue, start: AbstractValue, length: AbstractValue, *, is_signed: bool
) -> AbstractValue:
    """Returns a bit field. Only the low 8 bits of its start and of its length count."""
    width = value.width
    first, size = truncated(start, 8), truncated(length, 8)
    if first.constant is None or size.constant is None:
        if is_signed:
            return unknown(width)
        return from_range(width, 0, min(mask_of(min(size.high, width)), value.high))
    if size.constant == 0:
        return constant(width, 0)
    if not is_signed:
        start_bit = min(first.constant, width)
        moved = _right(value, start_bit, start_bit)
        return combine(AND, moved, constant(width, mask_of(size.constant)))
    if first.constant + size.constant >= width:
        return _right_signed(value, first.constant, first.constant)
    moved = _right(value, first.constant, first.constant)
    return sign_extended(truncated(moved, size.constant), width)


def insert(
    field: AbstractValue, value: AbstractValue, start: AbstractValue, length: AbstractValue
) -> AbstractValue:
    """Returns a value with the low bits of another one in a bit field."""
    width = value.width
    first, size = truncated(start, 8).constant, truncated(length, 8).constant
    if first is None or size is None:
        return unknown(width)
    if size == 0 or first >= width:
        return value._replace(affine=None)
    place = mask_of(size) << first & mask_of(width)
    return from_bits(
        width,
        (
            value.zeros & ~place | field.zeros << first & place,
            value.ones & ~place | field.ones << first & place,
        ),
    )


def permute(low: AbstractValue, high: AbstractValue, selector: AbstractValue) -> AbstractValue:
    """Returns the bytes of two values that a selector names, as `prmt` without a mode does."""
    chosen = selector.constant
    if chosen is None:
        return unknown(_WORD)
    whole = low.zeros | high.zeros << _WORD, low.ones | high.ones << _WORD
    zeros = ones = 0
    for number in range(_N_BYTES):
        nibble = chosen >> _NIBBLE * number & 0xF
        found = [bits >> 8 * (nibble & 7) & 0xFF for bits in whole]
        if nibble & 8:
            found = [0xFF if bits & 0x80 else 0 for bits in found]
        zeros |= found[0] << 8 * number
        ones |= found[1] << 8 * number
    return from_bits(_WORD, (zeros, ones))


def reverse(value: AbstractValue) -> AbstractValue:
    """Returns a value with its bits in the opposite order."""
    bits = [reversed_bits(value.width, each) for each in value.bits]
    return from_bits(value.width, (bits[0], bits[1]))


def count_ones(value: AbstractValue) -> AbstractValue:
    """Returns how many bits are set, in 32 bits."""
    return from_range(_WORD, value.ones.bit_count(), value.width - value.zeros.bit_count())


def count_leading_zeros(value: AbstractValue) -> AbstractValue:
    """Returns how many zeros precede the highest bit that is set, in 32 bits."""
    width = value.width
    return from_range(_WORD, width - value.high.bit_length(), width - value.low.bit_length())


def funnel(low: AbstractValue, high: AbstractValue, amount: int, *, is_left: bool) -> AbstractValue:
    """Returns 32 bits of two words, shifted by an amount of at most 32 as if they were one."""
    zeros = low.zeros | high.zeros << _WORD
    ones = low.ones | high.ones << _WORD
    first = _WORD - amount if is_left else amount
    mask = mask_of(_WORD)
    return from_bits(_WORD, (zeros >> first & mask, ones >> first & mask))


def joined(parts: list[AbstractValue], width: int) -> AbstractValue:
    """Returns the value whose parts, from the lowest up, are these values."""
    zeros = ones = place = 0
    for part in parts:
        zeros |= part.zeros << place
        ones |= part.ones << place
        place += part.width
    if place != width:
        return unknown(width)
    found: Bits = zeros, ones
    low_parts = [part for part in parts[1:] if part.constant != 0]
    if not low_parts and parts:  # only zeros above the first part
        return zero_extended(parts[0], width)
    return from_bits(width, found)
