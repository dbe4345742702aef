"""Known facts about a value: its bits, and its range as an unsigned and as a signed number.

Each fact bounds the values of all executions, and improves the others: a value below 64 has zeros
above, and a multiple of 4 that is at most 63 is at most 60. The decision record values.md says why
these facts were chosen.
"""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING, Final

from ptx_ls.source.named_tuple import NamedTuple
from ptx_ls.values.known_bits import Bits, add, as_signed, mask_of, trailing_ones

if TYPE_CHECKING:
    from collections.abc import Iterable

    from ptx_ls.values.affine import AffineForm

_MAX_KEPT: Final = 1 << 10
Bounds = tuple[int, int]
"""The smallest and the largest number of a range."""


class AbstractValue(NamedTuple):
    """Known facts about a value of `width` bits.

    Attributes:
        zeros: the bits that are 0, as a mask.
        ones: the bits that are 1.
        low: the smallest value as an unsigned number.
        high: the largest one.
        signed_low: the smallest value as a signed number.
        signed_high: the largest one.
        affine: the value as a sum of multiples of other values; None if it is not known.
    """

    width: int
    zeros: int
    ones: int
    low: int
    high: int
    signed_low: int
    signed_high: int
    affine: AffineForm | None = None

    @property
    def constant(self) -> int | None:
        """The value as an unsigned number, if only one is possible."""
        return self.low if self.low == self.high else None

    @property
    def signed_constant(self) -> int | None:
        """The value as a signed number, if only one is possible."""
        return self.signed_low if self.low == self.high else None

    @property
    def is_impossible(self) -> bool:
        """Whether no value is possible, so the code never runs."""
        return self.low > self.high

    @property
    def is_unknown(self) -> bool:
        """Whether nothing is known of its bits and its range."""
        return self[:7] == unknown(self.width)[:7]

    @property
    def alignment(self) -> int:
        """The largest power of two that surely divides the value; 2**width for 0."""
        return 1 << min(trailing_ones(self.zeros), self.width)

    @property
    def bits(self) -> Bits:
        """The bits that are 0 and 1."""
        return self.zeros, self.ones

    def contains(self, value: int) -> bool:
        """Whether an unsigned number is possible."""
        signed = as_signed(value, self.width)
        return (
            self.low <= value <= self.high
            and self.signed_low <= signed <= self.signed_high
            and not value & self.zeros
            and not ~value & self.ones
        )

    def join(self, other: AbstractValue) -> AbstractValue:
        """Returns what is known if the value is one of these two, of the same width."""
        if self.is_impossible:
            return other
        if other.is_impossible or self is other:
            return self
        return AbstractValue(
            self.width,
            self.zeros & other.zeros,
            self.ones & other.ones,
            min(self.low, other.low),
            max(self.high, other.high),
            min(self.signed_low, other.signed_low),
            max(self.signed_high, other.signed_high),
            self.affine if self.affine == other.affine else None,
        )

    def meet(self, other: AbstractValue) -> AbstractValue:
        """Returns what is known if both are true of the value; the affine form is kept."""
        if self is other or other.is_unknown:
            return self
        found = made(
            self.width,
            (self.zeros | other.zeros, self.ones | other.ones),
            (max(self.low, other.low), min(self.high, other.high)),
            (max(self.signed_low, other.signed_low), min(self.signed_high, other.signed_high)),
        )
        return found._replace(affine=self.affine)

    def __str__(self) -> str:
        if self.is_impossible:
            return "impossible"
        if self.constant is not None:
            return str(self.constant)
        return f"{self.low}..{self.high} (signed {self.signed_low}..{self.signed_high})"


@lru_cache(maxsize=1 << 8)
def unknown(width: int) -> AbstractValue:
    """Returns a value of which nothing is known."""
    half = 1 << width >> 1
    return AbstractValue(width, 0, 0, 0, mask_of(width), -half, half - 1)


@lru_cache(maxsize=1 << 8)
def impossible(width: int) -> AbstractValue:
    """Returns the value of code that never runs."""
    half, mask = 1 << width >> 1, mask_of(width)
    return AbstractValue(width, mask, mask, mask, 0, half - 1, -half)


@lru_cache(maxsize=_MAX_KEPT)
def constant(width: int, value: int) -> AbstractValue:
    """Returns a known value; of a larger or negative number, its low bits."""
    mask = mask_of(width)
    value &= mask
    signed = as_signed(value, width)
    return AbstractValue(width, mask & ~value, value, value, value, signed, signed)


def from_bits(width: int, bits: Bits) -> AbstractValue:
    """Returns a value of which some bits are known."""
    top = unknown(width)
    return made(width, bits, (top.low, top.high), (top.signed_low, top.signed_high))


def from_range(width: int, low: int, high: int) -> AbstractValue:
    """Returns a value from `low` to `high` as an unsigned number."""
    top = unknown(width)
    return made(
        width, (0, 0), (max(low, 0), min(high, top.high)), (top.signed_low, top.signed_high)
    )


def from_signed(width: int, low: int, high: int) -> AbstractValue:
    """Returns a value from `low` to `high` as a signed number."""
    top = unknown(width)
    bounds = max(low, top.signed_low), min(high, top.signed_high)
    return made(width, (0, 0), (top.low, top.high), bounds)


def wrapped(width: int, low: int, high: int, bits: Bits = (0, 0)) -> AbstractValue:
    """Returns the low bits of a whole number from `low` to `high`, of which bits may be known."""
    return within(width, bits, ((low, high),))


def within(width: int, bits: Bits, ranges: Iterable[Bounds]) -> AbstractValue:
    """Returns the low bits of a whole number that is in all ranges; some bits may be known.

    The ranges may contain negative numbers, and numbers that are too large for the width.
    """
    modulus, half = 1 << width, 1 << width >> 1
    low, high, signed_low, signed_high = 0, modulus - 1, -half, half - 1
    for first, last in ranges:
        length = last - first
        if length >= modulus:
            continue
        start = first & modulus - 1
        if start + length < modulus:
            low, high = max(low, start), min(high, start + length)
        start -= modulus if start >= half else 0
        if start + length < half:
            signed_low, signed_high = max(signed_low, start), min(signed_high, start + length)
    return made(width, bits, (low, high), (signed_low, signed_high))


def made(  # noqa: C901, PLR0912  in one piece, as most of the time is spent here
    width: int, bits: Bits, unsigned: Bounds, signed: Bounds
) -> AbstractValue:
    """Returns a value with all that follows from facts about it."""
    zeros, ones = bits
    low, high = unsigned
    signed_low, signed_high = signed
    modulus, half = 1 << width, 1 << width >> 1
    mask = modulus - 1
    if not (zeros or ones or low or signed_low + half) and high == mask and signed_high == half - 1:
        return unknown(width)
    if low == high or zeros ^ ones == mask:
        value = low if low == high else ones
        is_between = low <= value <= high and signed_low <= as_signed(value, width) <= signed_high
        if is_between and not (value & zeros or ~value & ones):
            return constant(width, value)
    for _ in range(2):
        low, high = max(low, ones), min(high, mask & ~zeros)
        if signed_low >= 0 or signed_high < 0:
            low, high = max(low, signed_low & mask), min(high, signed_high & mask)
        known = zeros | ones
        known &= ~(known + 1)  # the lowest bits, without a gap
        if known:
            low += (ones - low) & known
            high -= (high - ones) & known
        if low > high or zeros & ones:
            return impossible(width)
        if low >= half:
            signed_low, signed_high = (
                max(signed_low, low - modulus),
                min(signed_high, high - modulus),
            )
        elif high < half:
            signed_low, signed_high = max(signed_low, low), min(signed_high, high)
        else:
            signed_low = max(signed_low, (ones & ~half | half) - modulus)
            signed_high = min(signed_high, ~zeros & half - 1)
            if known:
                signed_low += (ones - signed_low) & known
                signed_high -= (signed_high - ones) & known
        if signed_low > signed_high:
            return impossible(width)
        fixed = mask & -1 << (low ^ high).bit_length()  # the highest bits
        if fixed & ~(zeros | ones) == 0:
            break
        zeros, ones = zeros | fixed & ~low, ones | fixed & low
    if zeros & ones:
        return impossible(width)
    return AbstractValue(width, zeros, ones, low, high, signed_low, signed_high)


def truncated(value: AbstractValue, width: int) -> AbstractValue:
    """Returns the low bits of a value; the value itself if it is not wider."""
    if width >= value.width:
        return value
    if value.is_impossible:
        return impossible(width)
    mask = mask_of(width)
    ranges = (value.low, value.high), (value.signed_low, value.signed_high)
    return within(width, (value.zeros & mask, value.ones & mask), ranges)


def zero_extended(value: AbstractValue, width: int) -> AbstractValue:
    """Returns a value with zeros above it; its low bits if it is wider."""
    if width <= value.width:
        return truncated(value, width)
    if value.is_impossible:
        return impossible(width)
    above = mask_of(width) & ~mask_of(value.width)
    return AbstractValue(
        width, value.zeros | above, value.ones, value.low, value.high, value.low, value.high
    )


def sign_extended(value: AbstractValue, width: int) -> AbstractValue:
    """Returns a value with copies of its highest bit above it; its low bits if it is wider."""
    if width <= value.width:
        return truncated(value, width)
    if value.is_impossible:
        return impossible(width)
    above = mask_of(width) & ~mask_of(value.width)
    sign = 1 << value.width - 1
    bits = (
        value.zeros | (above if value.zeros & sign else 0),
        value.ones | (above if value.ones & sign else 0),
    )
    top = unknown(width)
    return made(width, bits, (top.low, top.high), (value.signed_low, value.signed_high))


def shifted_by(value: AbstractValue, offset: int) -> AbstractValue:
    """Returns the sum of a value and a constant."""
    if not offset or value.is_impossible:
        return value
    width = value.width
    bits = add(width, value.bits, constant(width, offset).bits)
    ranges = (
        (value.low + offset, value.high + offset),
        (value.signed_low + offset, value.signed_high + offset),
    )
    return within(width, bits, ranges)
