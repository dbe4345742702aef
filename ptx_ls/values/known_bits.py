"""Bits that are known to be 0 or 1, as two masks `(zeros, ones)`."""

from __future__ import annotations

from typing import Final

MAX_WIDTH: Final = 128
"""The width of the widest register."""

Bits = tuple[int, int]
"""The mask of the bits that are 0, and that of the bits that are 1."""


def mask_of(width: int) -> int:
    """Returns the number with the low `width` bits set."""
    return (1 << width) - 1


def trailing_ones(bits: int) -> int:
    """Returns how many of the lowest bits of a number are set, without a gap."""
    return (~bits & bits + 1).bit_length() - 1


def add(width: int, left: Bits, right: Bits, carry: int = 0) -> Bits:
    """Returns the bits of a sum with a known carry into the lowest bit.

    A bit of the sum is known if those of both terms and the carry are, and the carry is the same in
    the smallest and in the largest sum.
    """
    mask = mask_of(width)
    smallest = left[1] + right[1] + carry
    largest = (~left[0] & mask) + (~right[0] & mask) + carry
    carried_zero = ~(largest ^ left[0] ^ right[0])
    carried_one = smallest ^ left[1] ^ right[1]
    known = (left[0] | left[1]) & (right[0] | right[1]) & (carried_zero | carried_one) & mask
    return ~largest & known, smallest & known


def multiply(width: int, left: Bits, right: Bits) -> Bits:
    """Returns the bits of the low half of a product.

    The lowest bits are those of the product of the lowest bits, as far as both are known; zeros at
    the end of one factor move the known bits of the other up.
    """
    zeros_left, zeros_right = trailing_ones(left[0]), trailing_ones(right[0])
    known_left, known_right = trailing_ones(left[0] | left[1]), trailing_ones(right[0] | right[1])
    n_known = min(zeros_left + known_right, zeros_right + known_left, width)
    mask = mask_of(n_known)
    low = (left[1] & mask_of(known_left)) * (right[1] & mask_of(known_right)) & mask
    return ~low & mask, low


def complement(bits: Bits) -> Bits:
    """Returns the bits of the complement."""
    return bits[1], bits[0]


def look_up(width: int, table: int, sources: tuple[Bits, ...]) -> Bits:
    """Returns the bits of a function that a truth table gives for the bits of each place.

    The bits of the first source are the most significant in the number of an entry.
    """
    mask = mask_of(width)
    may_be = [0, 0]
    for entry in range(1 << len(sources)):
        possible = mask
        for place, (zeros, ones) in enumerate(reversed(sources)):
            possible &= ~zeros if entry >> place & 1 else ~ones
        may_be[table >> entry & 1] |= possible
    return mask & ~may_be[1], mask & ~may_be[0]


def reversed_bits(width: int, bits: int) -> int:
    """Returns a number with its bits in the opposite order."""
    return int(f"{bits:0{width}b}"[::-1], 2)


def as_signed(value: int, width: int) -> int:
    """Returns the signed number with the bits of an unsigned one."""
    return value - (value >> width - 1 << width)
