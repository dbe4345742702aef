"""Divides an integer by a constant with a multiplication.

Source: T. Granlund and P. Montgomery, "Division by Invariant Integers using Multiplication" (1994),
and H. Warren, "Hacker's Delight", chapter 10.
"""

from __future__ import annotations

from ptx_ls.source.named_tuple import NamedTuple


class Division(NamedTuple):
    """A division of an integer type, or its remainder, by a constant.

    Attributes:
        type: `.u32`, `.s64`, ...
        divisor: not 0; negative only if the type is signed.
        is_remainder: whether the remainder is the result.
        result: the operand that gets the result.
        dividend: the operand that is divided.
        temporaries: two registers of the width of the type that may be overwritten.
    """

    type: str
    divisor: int
    is_remainder: bool
    result: str
    dividend: str
    temporaries: tuple[str, str] = ("", "")

    @property
    def width(self) -> int:
        """The number of bits."""
        return int(self.type[2:])

    @property
    def is_signed(self) -> bool:
        """Whether the operands may be negative."""
        return self.type[1] == "s"

    @property
    def is_representable(self) -> bool:
        """Whether the type has the divisor."""
        low = -(1 << (self.width - 1)) if self.is_signed else 0
        return low <= self.divisor < low + (1 << self.width)

    @property
    def shift(self) -> int | None:
        """The shift that divides by the absolute value of the divisor; None if there is none."""
        size = abs(self.divisor)
        return size.bit_length() - 1 if size & (size - 1) == 0 else None


def single_instruction(division: Division, *, is_negative_possible: bool = True) -> str | None:
    """Returns the instruction that does the same as a division, without `;`; None if none does.

    `is_negative_possible`: whether the dividend may be negative.
    """
    shift, is_signed = division.shift, division.is_signed and is_negative_possible
    if shift is None or (is_signed and shift) or (division.divisor < 0 and not _is_one(division)):
        return None
    _, _, _, result, dividend, _ = division
    if division.is_remainder:
        return f"and.b{division.width} {result}, {dividend}, {(1 << shift) - 1}"
    if division.divisor == -1:
        return f"neg{division.type} {result}, {dividend}"
    if not shift:
        return f"mov.b{division.width} {result}, {dividend}"
    return f"shr{division.type} {result}, {dividend}, {shift}"


def _is_one(division: Division) -> bool:
    return division.divisor in (1, -1)


def sequence(division: Division) -> list[str]:
    """Returns instructions that do the same as a division, without `;`."""
    single = single_instruction(division)
    if single is not None:
        return [single]
    quotient, _ = division.temporaries
    lines = _signed(division) if division.is_signed else _unsigned(division)
    if not division.is_remainder:
        return lines
    back = f"mul.lo{division.type} {quotient}, {quotient}, {division.divisor}"
    return [*lines, back, f"sub{division.type} {division.result}, {division.dividend}, {quotient}"]


def _target(division: Division) -> str:
    """Returns the register that the quotient is written to."""
    return division.temporaries[0] if division.is_remainder else division.result


def _unsigned(division: Division) -> list[str]:
    type_, divisor, _, _, dividend, (first, second) = division
    shift = division.shift
    if shift is not None:
        return [f"shr{type_} {_target(division)}, {dividend}, {shift}"]
    width, lines, source = division.width, [], dividend
    factor, after = _factor(divisor, width, width)
    if factor >> width and divisor % 2 == 0:
        before = (divisor & -divisor).bit_length() - 1
        factor, after = _factor(divisor >> before, width, width - before)
        lines.append(f"shr{type_} {first}, {dividend}, {before}")
        source = first
    target = _target(division)
    if not factor >> width:
        lines.append(f"mul.hi{type_} {first}, {source}, {factor:#x}")
        return [*lines, f"shr{type_} {target}, {first}, {after}"]
    return [
        f"mul.hi{type_} {first}, {dividend}, {factor - (1 << width):#x}",
        f"sub{type_} {second}, {dividend}, {first}",
        f"shr{type_} {second}, {second}, 1",
        f"add{type_} {second}, {second}, {first}",
        f"shr{type_} {target}, {second}, {after - 1}",
    ]


def _factor(divisor: int, width: int, precision: int) -> tuple[int, int]:
    """Returns the smallest factor and shift that divide all numbers of `precision` bits.

    The quotient is the product with the factor, shifted right by the width and the shift.
    """
    shift = (divisor - 1).bit_length()
    low = (1 << (width + shift)) // divisor
    high = ((1 << (width + shift)) + (1 << (width + shift - precision))) // divisor
    while low >> 1 < high >> 1 and shift > 0:
        low, high, shift = low >> 1, high >> 1, shift - 1
    return high, shift


def _signed(division: Division) -> list[str]:
    type_, divisor, _, _, dividend, (first, second) = division
    width, shift, target = division.width, division.shift, _target(division)
    unsigned = f".u{width}"
    if shift is not None:
        lines = [
            f"shr{type_} {first}, {dividend}, {width - 1}",
            f"shr{unsigned} {first}, {first}, {width - shift}",
            f"add{type_} {first}, {dividend}, {first}",
            f"shr{type_} {target if divisor > 0 else first}, {first}, {shift}",
        ]
        return lines if divisor > 0 else [*lines, f"neg{type_} {target}, {first}"]
    factor, after = _factor(abs(divisor), width, width - 1)
    is_large = bool(factor >> (width - 1))
    multiplier = factor - (1 << width) if is_large else factor
    lines = [f"mul.hi{type_} {first}, {dividend}, {multiplier}"]
    if is_large:
        lines.append(f"add{type_} {first}, {first}, {dividend}")
    if after:
        lines.append(f"shr{type_} {first}, {first}, {after}")
    lines.append(f"shr{type_} {second}, {dividend}, {width - 1}")
    terms = (first, second) if divisor > 0 else (second, first)
    return [*lines, f"sub{type_} {target}, {terms[0]}, {terms[1]}"]
