"""Divisions by constants have the same results as the instructions in their place."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from ptx_ls.lint.performance.constant_divisors import Division, sequence, single_instruction
from tests.support.straight_line import run

TYPES = st.sampled_from([".u16", ".s16", ".u32", ".s32", ".u64", ".s64"])
BANKS = {"16": "%rs", "32": "%r", "64": "%rd"}


def check_same(type_: str, divisor: int, dividend: int, *, is_remainder: bool) -> None:
    """Fails unless a division by a constant is the same as the sequence for it."""
    width, is_signed = int(type_[2:]), type_[1] == "s"
    divisor %= 1 << width
    if is_signed and divisor >> (width - 1):
        divisor -= 1 << width
    if divisor == 0:
        return
    bank, opcode = BANKS[type_[2:]], f"{'rem' if is_remainder else 'div'}{type_}"
    result, source = f"{bank}1", f"{bank}2"
    division = Division(type_, divisor, is_remainder, result, source, (f"{bank}3", f"{bank}4"))
    registers = {source: dividend % (1 << width)}
    expected = run(f"{opcode} {result}, {source}, {divisor};", registers)[result]
    lines = [";\n".join([*sequence(division), ""])]
    is_negative = is_signed and bool(registers[source] >> (width - 1))
    single = single_instruction(division, is_negative_possible=is_negative)
    if single is not None:
        lines.append(f"{single};")
    for code in lines:
        assert run(code, registers)[result] == expected, (opcode, divisor, registers, code)


@given(TYPES, st.integers(-(1 << 63), 1 << 64), st.integers(0, 1 << 64), st.booleans())
def test_any_numbers(type_: str, divisor: int, dividend: int, is_remainder: bool) -> None:  # noqa: FBT001
    check_same(type_, divisor, dividend, is_remainder=is_remainder)


@given(TYPES, st.integers(1, 64), st.integers(-2, 2), st.integers(-3, 3), st.booleans())
def test_near_powers_of_two(
    type_: str,
    shift: int,
    near: int,
    multiple: int,
    is_remainder: bool,  # noqa: FBT001
) -> None:
    divisor = (1 << shift) + near
    for dividend in (multiple * divisor, multiple * divisor - 1, (1 << 63) + multiple, multiple):
        check_same(type_, divisor, dividend, is_remainder=is_remainder)
        check_same(type_, -divisor, dividend, is_remainder=is_remainder)


@given(TYPES, st.integers(1, 200), st.integers(0, 1 << 64), st.booleans())
def test_small_divisors(type_: str, divisor: int, dividend: int, is_remainder: bool) -> None:  # noqa: FBT001
    check_same(type_, divisor, dividend, is_remainder=is_remainder)
    check_same(type_, -divisor, dividend, is_remainder=is_remainder)
