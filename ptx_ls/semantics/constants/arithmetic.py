"""The binary operators of constant expressions, on integers and floating-point numbers as in C."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from collections.abc import Callable

_SHIFT: Final = 63
COMPARISONS: Final[dict[str, Callable[[float, float], bool]]] = {
    "==": lambda a, b: a == b,
    "!=": lambda a, b: a != b,
    "<": lambda a, b: a < b,
    ">": lambda a, b: a > b,
    "<=": lambda a, b: a <= b,
    ">=": lambda a, b: a >= b,
}
_ARITHMETIC: Final[dict[str, Callable[[int, int], int]]] = {
    "+": lambda a, b: a + b,
    "-": lambda a, b: a - b,
    "*": lambda a, b: a * b,
    "&": lambda a, b: a & b,
    "|": lambda a, b: a | b,
    "^": lambda a, b: a ^ b,
    "<<": lambda a, b: a << (b & _SHIFT),
    ">>": lambda a, b: a >> (b & _SHIFT),
    "&&": lambda a, b: int(bool(a) and bool(b)),
    "||": lambda a, b: int(bool(a) or bool(b)),
}
_FLOATS: Final[dict[str, Callable[[float, float], float]]] = {
    "+": lambda a, b: a + b,
    "-": lambda a, b: a - b,
    "*": lambda a, b: a * b,
}


def result_of(
    sign: str, left: float | None, right: float | None, *, is_float: bool
) -> float | None:
    """Returns the result of an operator for two numbers of the same kind; None if one is unknown.

    Results are not wrapped to 64 bits.
    """
    if left is None or right is None:
        return None
    if sign in COMPARISONS:
        return int(COMPARISONS[sign](left, right))
    if sign in ("/", "%"):
        return _divided(sign, left, right, is_float=is_float)
    if is_float:
        return _FLOATS[sign](left, right)
    return _ARITHMETIC[sign](int(left), int(right))


def _divided(sign: str, left: float, right: float, *, is_float: bool) -> float:
    """Returns the quotient, rounded towards zero, or the remainder, as in C."""
    if is_float:
        return left / right
    quotient = abs(int(left)) // abs(int(right))
    if (left < 0) != (right < 0):
        quotient = -quotient
    return quotient if sign == "/" else int(left) - quotient * int(right)
