"""Moves and conversions of abstract values.

Source: PTX ISA, "Data Movement and Conversion Instructions".
"""

from __future__ import annotations

from typing import Final

from ptx_ls.values.abstract_value import (
    AbstractValue,
    constant,
    from_bits,
    from_range,
    from_signed,
    sign_extended,
    truncated,
    zero_extended,
)
from ptx_ls.values.known_bits import mask_of

_WINDOW_ALIGNMENT: Final = 12
"""Number of low bits that the conversion of an address to another state space keeps."""


def same(value: AbstractValue) -> AbstractValue:
    """Returns the value itself."""
    return value._replace(affine=None) if value.affine is not None else value


def same_low_bits(value: AbstractValue) -> AbstractValue:
    """Returns an address in another state space."""
    mask = mask_of(_WINDOW_ALIGNMENT)
    return from_bits(value.width, (value.zeros & mask, value.ones & mask))


def convert(value: AbstractValue, *, to: int, is_signed: bool) -> AbstractValue:
    """Returns an integer as one of another width, cut or extended as its own type requires."""
    return (sign_extended if is_signed else zero_extended)(value, to)


def saturate(value: AbstractValue, *, to: int, to_signed: bool, is_signed: bool) -> AbstractValue:
    """Returns an integer as the nearest one of another type."""
    low, high = (value.signed_low, value.signed_high) if is_signed else (value.low, value.high)
    half = 1 << to - 1
    least, greatest = (-half, half - 1) if to_signed else (0, mask_of(to))
    bounds = min(max(low, least), greatest), min(max(high, least), greatest)
    if bounds[0] == bounds[1]:
        return constant(to, bounds[0])
    if (low, high) == bounds:
        return convert(value, to=to, is_signed=is_signed)
    return (from_signed if to_signed else from_range)(to, *bounds)


def part(value: AbstractValue, start: int, width: int) -> AbstractValue:
    """Returns the bits of a value from a place on."""
    mask = mask_of(width)
    if start == 0:
        return truncated(value, width)
    found = from_bits(width, (value.zeros >> start & mask, value.ones >> start & mask))
    if start + width == value.width:
        return found.meet(from_range(width, value.low >> start, value.high >> start))
    return found
