"""Operations on abstract values, compared with all values of a few bits."""

from __future__ import annotations

import random
from functools import partial
from typing import TYPE_CHECKING, Final

import pytest

from ptx_ls.values import abstract_value
from ptx_ls.values.abstract_value import (
    AbstractValue,
    constant,
    from_bits,
    from_range,
    from_signed,
    sign_extended,
    truncated,
    unknown,
    wrapped,
    zero_extended,
)
from ptx_ls.values.known_bits import as_signed
from ptx_ls.values.transfer import arithmetic, bitwise, comparison, conversion

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

WIDTH: Final = 4
MASK: Final = (1 << WIDTH) - 1
N_PAIRS: Final = 400


def abstract_values(seed: int) -> Iterator[AbstractValue]:
    """Abstract values of a few bits: ranges, bits, and what both say together."""
    chance = random.Random(seed)  # noqa: S311  a repeatable choice
    while True:
        low, high = sorted((chance.randint(0, MASK), chance.randint(0, MASK)))
        signed = sorted((as_signed(low, WIDTH), as_signed(high, WIDTH)))
        zeros = chance.randint(0, MASK) & chance.randint(0, MASK)
        ones = chance.randint(0, MASK) & chance.randint(0, MASK) & ~zeros
        parts = [
            from_range(WIDTH, low, high),
            from_signed(WIDTH, *signed),
            from_bits(WIDTH, (zeros, ones)),
            constant(WIDTH, low),
            unknown(WIDTH),
        ]
        found = chance.choice(parts).meet(chance.choice(parts))
        if chance.random() < 0.3:
            found = found.join(chance.choice(parts))
        yield found


def concrete(value: AbstractValue) -> list[int]:
    """All numbers that an abstract value allows."""
    return [each for each in range(1 << value.width) if value.contains(each)]


def check_operation(
    run: Callable[..., AbstractValue],
    exact: Callable[..., int | None],
    n_operands: int = 2,
    n_pairs: int = N_PAIRS,
) -> None:
    """Checks that no value of the operands gives a result that is not allowed.

    The exact result is None if it is not determined.
    """
    given = abstract_values(n_operands)
    for _ in range(n_pairs):
        operands = [next(given) for _ in range(n_operands)]
        if any(each.is_impossible for each in operands):
            continue
        found = run(*operands)
        for values in _products([concrete(each) for each in operands]):
            result = exact(*values)
            if result is not None:
                expected = result & (1 << found.width) - 1
                assert found.contains(expected), (operands, values, expected, found)


def _products(choices: list[list[int]]) -> Iterator[tuple[int, ...]]:
    if not choices:
        yield ()
        return
    for first in choices[0]:
        for rest in _products(choices[1:]):
            yield first, *rest


def signed(value: int) -> int:
    return as_signed(value, WIDTH)


def quotient(left: int, right: int) -> int:
    return abs(left) // abs(right) * (1 if (left < 0) == (right < 0) else -1)


def test_every_abstract_value_says_what_it_allows() -> None:
    for value, _ in zip(abstract_values(7), range(2_000), strict=False):
        allowed = concrete(value)
        assert value.is_impossible or allowed, value
        if allowed and not value.is_impossible:
            assert all(value.low <= each <= value.high for each in allowed)
            if len(allowed) == 1 and value.constant is not None:
                assert value.constant == allowed[0]


def test_meeting_and_joining_lose_no_value() -> None:
    given = abstract_values(3)
    for _ in range(2_000):
        one, other = next(given), next(given)
        first, second = concrete(one), concrete(other)
        if not one.is_impossible and not other.is_impossible:
            assert {*first} & {*second} <= {*concrete(one.meet(other))}
            assert {*first, *second} <= {*concrete(one.join(other))}


def test_numbers_that_wrap_around() -> None:
    for low in range(-40, 40):
        for length in range(20):
            found = wrapped(WIDTH, low, low + length)
            for number in range(low, low + length + 1):
                assert found.contains(number & MASK), (low, length, number)


@pytest.mark.parametrize("offset", range(-17, 18))
def test_constants_are_added(offset: int) -> None:
    check_operation(
        lambda value: abstract_value.shifted_by(value, offset), lambda it: it + offset, 1, 100
    )


def test_sums_and_differences() -> None:
    check_operation(arithmetic.add, lambda a, b: a + b)
    check_operation(arithmetic.subtract, lambda a, b: a - b)
    check_operation(arithmetic.add_saturated, lambda a, b: max(-8, min(7, signed(a) + signed(b))))
    check_operation(
        arithmetic.subtract_saturated, lambda a, b: max(-8, min(7, signed(a) - signed(b)))
    )
    check_operation(arithmetic.negate, lambda a: -a, 1)
    check_operation(arithmetic.absolute, lambda a: abs(signed(a)), 1)


def test_products() -> None:
    check_operation(arithmetic.multiply, lambda a, b: a * b)
    check_operation(partial(arithmetic.multiply_wide, is_signed=False), lambda a, b: a * b)
    check_operation(
        partial(arithmetic.multiply_wide, is_signed=True), lambda a, b: signed(a) * signed(b)
    )
    check_operation(partial(arithmetic.multiply_high, is_signed=False), lambda a, b: a * b >> WIDTH)
    check_operation(
        partial(arithmetic.multiply_high, is_signed=True),
        lambda a, b: signed(a) * signed(b) >> WIDTH,
    )


def test_quotients_and_remainders() -> None:
    check_operation(partial(arithmetic.divide, is_signed=False), lambda a, b: a // b if b else None)
    check_operation(
        partial(arithmetic.divide, is_signed=True),
        lambda a, b: quotient(signed(a), signed(b)) if b else None,
    )
    check_operation(
        partial(arithmetic.remainder, is_signed=False), lambda a, b: a % b if b else None
    )
    check_operation(
        partial(arithmetic.remainder, is_signed=True),
        lambda a, b: signed(a) - quotient(signed(a), signed(b)) * signed(b) if b else None,
    )


def test_smallest_and_largest() -> None:
    check_operation(partial(arithmetic.minimum, is_signed=False), min)
    check_operation(partial(arithmetic.maximum, is_signed=False), max)
    check_operation(
        partial(arithmetic.minimum, is_signed=True), lambda a, b: min(signed(a), signed(b))
    )
    check_operation(
        partial(arithmetic.maximum, is_signed=True), lambda a, b: max(signed(a), signed(b))
    )


def test_logic() -> None:
    check_operation(partial(bitwise.combine, bitwise.AND), lambda a, b: a & b)
    check_operation(partial(bitwise.combine, bitwise.OR), lambda a, b: a | b)
    check_operation(partial(bitwise.combine, bitwise.XOR), lambda a, b: a ^ b)
    check_operation(bitwise.invert, lambda a: ~a, 1)
    check_operation(bitwise.is_zero, lambda a: int(a == 0), 1)


@pytest.mark.parametrize("table", [0, 0x08, 0x0E, 0x80, 0xE8, 0x96, 0xFE, 0xCA, 0x1B, 0xFF])
def test_tables(table: int) -> None:
    def exact(first: int, second: int, third: int) -> int:
        result = 0
        for bit in range(WIDTH):
            entry = (first >> bit & 1) << 2 | (second >> bit & 1) << 1 | third >> bit & 1
            result |= (table >> entry & 1) << bit
        return result

    check_operation(partial(bitwise.combine, table), exact, 3, 100)


def test_shifts() -> None:
    check_operation(bitwise.shift_left, lambda a, b: a << b)
    check_operation(bitwise.shift_right, lambda a, b: a >> b)
    check_operation(bitwise.shift_right_signed, lambda a, b: signed(a) >> b)


def test_bit_fields() -> None:
    def extract_signed(value: int, start: int, length: int) -> int:
        if not length:
            return 0
        sign = value >> min(start + length - 1, WIDTH - 1) & 1
        bits = [
            value >> start + bit & 1 if bit < length and start + bit < WIDTH else sign
            for bit in range(WIDTH)
        ]
        return sum(bit << number for number, bit in enumerate(bits))

    def insert(field: int, value: int, start: int, length: int) -> int:
        place = ((1 << length) - 1) << start & MASK
        return value & ~place | field << start & place

    check_operation(
        partial(bitwise.extract, is_signed=False),
        lambda a, b, c: a >> b & (1 << c) - 1,
        3,
        150,
    )
    check_operation(partial(bitwise.extract, is_signed=True), extract_signed, 3, 150)
    check_operation(bitwise.insert, insert, 4, 60)


def test_counts() -> None:
    check_operation(bitwise.count_ones, int.bit_count, 1)
    check_operation(bitwise.count_leading_zeros, lambda a: WIDTH - a.bit_length(), 1)
    check_operation(bitwise.reverse, lambda a: int(f"{a:04b}"[::-1], 2), 1)


@pytest.mark.parametrize("width", [1, 2, 3, 4, 6, 9])
def test_conversions(width: int) -> None:
    mask = (1 << width) - 1
    check_operation(lambda value: truncated(value, width), lambda a: a & mask, 1, 200)
    check_operation(lambda value: zero_extended(value, width), lambda a: a & mask, 1, 200)
    check_operation(lambda value: sign_extended(value, width), signed, 1, 200)
    for to_signed in (False, True):
        low, high = (-(1 << width - 1), (1 << width - 1) - 1) if to_signed else (0, mask)
        for is_signed in (False, True):
            check_operation(
                partial(conversion.saturate, to=width, to_signed=to_signed, is_signed=is_signed),
                lambda a, read=signed if is_signed else int, low=low, high=high: max(
                    low, min(high, read(a))
                ),
                1,
                200,
            )


def test_parts() -> None:
    check_operation(lambda value: conversion.part(value, 1, 2), lambda a: a >> 1 & 3, 1)
    check_operation(lambda value: conversion.part(value, 2, 2), lambda a: a >> 2, 1)
    check_operation(lambda a, b: bitwise.joined([a, b], 2 * WIDTH), lambda a, b: a | b << WIDTH)


COMPARED: Final[dict[str, Callable[[int, int], bool]]] = {
    "eq": lambda a, b: a == b,
    "ne": lambda a, b: a != b,
    "lt": lambda a, b: a < b,
    "le": lambda a, b: a <= b,
    "gt": lambda a, b: a > b,
    "ge": lambda a, b: a >= b,
}


@pytest.mark.parametrize("operator", COMPARED)
@pytest.mark.parametrize("is_signed", [False, True])
def test_comparisons(operator: str, is_signed: bool) -> None:  # noqa: FBT001  a parameter
    read = signed if is_signed else int
    holds = COMPARED[operator]
    check_operation(
        partial(comparison.compare, operator, is_signed=is_signed),
        lambda a, b: int(holds(read(a), read(b))),
    )
    check_operation(
        partial(comparison.satisfying, operator, is_signed=is_signed),
        lambda a, b: a if holds(read(a), read(b)) else None,
    )


def test_choices() -> None:
    check_operation(
        lambda a, b, c: comparison.choose(a, b, truncated(c, 1)),
        lambda a, b, c: a if c & 1 else b,
        3,
        150,
    )
    check_operation(comparison.choose_by_sign, lambda a, b, c: a if signed(c) >= 0 else b, 3, 150)
