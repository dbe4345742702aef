"""Comparisons and choices on abstract values.

Source: PTX ISA, "Comparison and Selection Instructions".
"""

from __future__ import annotations

from typing import Final

from ptx_ls.values.abstract_value import (
    AbstractValue,
    constant,
    from_range,
    from_signed,
    impossible,
    unknown,
)
from ptx_ls.values.known_bits import mask_of
from ptx_ls.values.transfer.bitwise import AND, OR, XOR

NEGATIONS: Final = {"eq": "ne", "ne": "eq", "lt": "ge", "ge": "lt", "gt": "le", "le": "gt"}
"""Each comparison with the one that holds if it does not."""
MIRRORED: Final = {"eq": "eq", "ne": "ne", "lt": "gt", "gt": "lt", "le": "ge", "ge": "le"}
"""Each comparison with the one of the swapped operands."""
UNSIGNED: Final = {"lo": "lt", "ls": "le", "hi": "gt", "hs": "ge"}
"""The comparisons that are always unsigned."""
TABLES: Final = {"and": AND, "or": OR, "xor": XOR}


def compare(
    operator: str, left: AbstractValue, right: AbstractValue, *, is_signed: bool
) -> AbstractValue:
    """Returns the result of a comparison, as one bit."""
    if operator in ("ge", "gt", "ne"):
        found = compare(NEGATIONS[operator], left, right, is_signed=is_signed)
        return found if found.constant is None else constant(1, 1 - found.constant)
    if operator == "eq":
        if left.constant is not None and left.constant == right.constant:
            return constant(1, 1)
        return constant(1, 0) if left.meet(right).is_impossible else unknown(1)
    strict = operator == "lt"
    first, second = _range(left, is_signed=is_signed), _range(right, is_signed=is_signed)
    if first[1] < second[0] + (not strict):
        return constant(1, 1)
    return constant(1, 0) if first[0] >= second[1] + (not strict) else unknown(1)


def _range(value: AbstractValue, *, is_signed: bool) -> tuple[int, int]:
    return (value.signed_low, value.signed_high) if is_signed else (value.low, value.high)


def satisfying(
    operator: str, value: AbstractValue, other: AbstractValue, *, is_signed: bool
) -> AbstractValue:
    """Returns what is known of a value for which a comparison with another one holds."""
    width = value.width
    if other.is_impossible:
        return impossible(width)
    if operator == "eq":
        return value.meet(other)
    if operator == "ne":
        return _without(value, other.constant) if other.constant is not None else value
    low, high = _range(other, is_signed=is_signed)
    limited = from_signed if is_signed else from_range
    whole = unknown(width)
    smallest, largest = _range(whole, is_signed=is_signed)
    if operator in ("lt", "le"):
        last = high - (operator == "lt")
        return value.meet(limited(width, smallest, last)) if last >= smallest else impossible(width)
    first = low + (operator == "gt")
    return value.meet(limited(width, first, largest)) if first <= largest else impossible(width)


def _without(value: AbstractValue, excluded: int) -> AbstractValue:
    """Returns a value that is not a certain number, which only matters at the ends of a range."""
    width = value.width
    signed = excluded - (excluded >> width - 1 << width)
    found = value
    if found.low == excluded:
        found = found.meet(_above(width, excluded))
    elif found.high == excluded:
        found = found.meet(_below(width, excluded))
    if found.signed_low == signed:
        found = found.meet(from_signed(width, signed + 1, mask_of(width - 1)))
    elif found.signed_high == signed:
        found = found.meet(from_signed(width, -(1 << width - 1), signed - 1))
    return found


def _above(width: int, number: int) -> AbstractValue:
    mask = mask_of(width)
    return from_range(width, number + 1, mask) if number < mask else impossible(width)


def _below(width: int, number: int) -> AbstractValue:
    return from_range(width, 0, number - 1) if number else impossible(width)


def choose(first: AbstractValue, second: AbstractValue, condition: AbstractValue) -> AbstractValue:
    """Returns the first value if a condition, of one bit, holds, else the second."""
    if condition.constant is None:
        return first.join(second)
    return first if condition.constant else second


def choose_by_sign(
    first: AbstractValue, second: AbstractValue, condition: AbstractValue
) -> AbstractValue:
    """Returns the first value if an integer is not negative, else the second."""
    if condition.signed_low >= 0:
        return first
    return second if condition.signed_high < 0 else first.join(second)
