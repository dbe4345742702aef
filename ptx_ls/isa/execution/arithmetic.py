"""Constants of the pseudo-code, and C's operators on integers."""

from __future__ import annotations

from typing import Final

from ptx_ls.isa.execution import reals
from ptx_ls.isa.execution.folding import OPERATIONS, integer
from ptx_ls.isa.execution.reals import Real
from ptx_ls.isa.execution.tree import Number
from ptx_ls.isa.execution.values import UndeterminedError, Value

_MAX_SHIFT: Final = 1 << 12
"""Maximum number of bits to shift by; amounts are clamped, so that larger ones do not occur."""


def constant(text: str) -> Value:
    """Returns the value of a constant as PTX or C writes it."""
    if text == "NaN":
        return reals.CANONICAL_NAN
    if text == "Infinity":
        return reals.infinity(negative=False)
    if text[:2] in ("0f", "0F"):
        return reals.decode(int(f"0x{text[2:]}", 0), "f32")
    if text[:2] in ("0d", "0D"):
        return reals.decode(int(f"0x{text[2:]}", 0), "f64")
    found = integer(Number(text))
    return found if found is not None else reals.rounded(reals.real(float(text)), "f64", "rn")


def compute(operator: str, left: int, right: int) -> int:
    """Returns the exact result; shifts keep the sign, and division truncates."""
    if operator in OPERATIONS:
        return OPERATIONS[operator](left, right)
    match operator:
        case "<<" | ">>" if 0 <= right <= _MAX_SHIFT:
            return left << right if operator == "<<" else left >> right
        case "/" | "%" if right:
            quotient = abs(left) // abs(right)
            quotient = quotient if (left < 0) == (right < 0) else -quotient
            return quotient if operator == "/" else left - quotient * right
        case _:
            raise UndeterminedError(f"{left} {operator} {right}")


def compute_reals(operator: str, left: Real, right: Real) -> Real:
    """Returns the exact result of an operator on real numbers."""
    match operator:
        case "+":
            return reals.added(left, right)
        case "-":
            return reals.added(left, reals.negated(right))
        case "*":
            return reals.multiplied(left, right)
        case "/":
            return reals.divided(left, right)
        case _:
            raise UndeterminedError(f"{operator} of numbers")
