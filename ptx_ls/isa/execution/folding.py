"""Folds constants in a tree of pseudo-code: `min(40, 32)` is `32`."""

from __future__ import annotations

import operator
import re
from collections.abc import Callable, Mapping
from typing import Final

from ptx_ls.isa.execution.tree import (
    Binary,
    Bits,
    Conditional,
    Expression,
    FunctionCall,
    LaneNumber,
    Number,
    Subscript,
    Unary,
    map_parts,
)

_INTEGER: Final = re.compile(r"-?(?:0[xX][0-9a-fA-F]+|0[bB][01]+|0|[1-9]\d*)U?").fullmatch
_MIN_HEXADECIMAL: Final = 256
"""Results of shifts from here on are shown in hexadecimal: they are masks."""
_MAX_BITS: Final = 128
"""Maximum length of a shift, and highest bit, to compute: no instruction has more bits."""
_REGISTER_BITS: Final = 32
_LAST_LANE: Final = 31
OPERATIONS: Final[Mapping[str, Callable[[int, int], int]]] = {
    "+": operator.add,
    "-": operator.sub,
    "*": operator.mul,
    "&": operator.and_,
    "|": operator.or_,
    "^": operator.xor,
}
"""C's operators on integers that have a result for any two of them."""
COMPARISONS: Final[Mapping[str, Callable[[int, int], bool]]] = {
    "==": operator.eq,
    "!=": operator.ne,
    "<": operator.lt,
    "<=": operator.le,
    ">": operator.gt,
    ">=": operator.ge,
}
"""C's comparisons."""


def integer(node: Expression) -> int | None:
    """Returns the value of an integer constant; None for anything else."""
    if isinstance(node, Number) and _INTEGER(node.text):
        return int(node.text.rstrip("uU"), 0)
    if isinstance(node, Unary) and node.operator in "-~":
        value = integer(node.operand)
        if value is not None:
            return -value if node.operator == "-" else ~value
    return None


def fold(node: Expression) -> Expression:
    """Returns an expression with constant parts computed; other constants keep their spelling."""
    node = map_parts(node, fold)
    match node:
        case Binary(symbol, left, right):
            return _folded_binary(symbol, left, right, node)
        case Unary("-", Unary("-", inner)):
            return inner
        case Unary("!", operand) if (value := integer(operand)) is not None:
            return _number(int(not value))
        case FunctionCall("min" | "max" as function, (left, right)):
            return _extremum(function, left, right) or node
        case Bits(operand, high, low):
            return _bits(operand, integer(high), integer(low)) or node
        case Subscript(operand, index):
            value, place = integer(operand), integer(index)
            if value is not None and place is not None and 0 <= place < _MAX_BITS:
                return _number(value >> place & 1)
        case Conditional(condition, then, otherwise):
            decided = integer(condition)
            if decided is not None:
                return then if decided else otherwise
    return node


def _simplified_condition(
    symbol: str, left: Expression, right: Expression, node: Expression
) -> Expression:
    neutral = 0 if symbol == "||" else 1
    for constant, other in ((left, right), (right, left)):
        value = integer(constant)
        if value is not None:
            return other if bool(value) == bool(neutral) else _number(1 - neutral)
    if left == right or (isinstance(left, Binary) and left[0] == symbol and left.right == right):
        return left
    return node


def _extremum(function: str, left: Expression, right: Expression) -> Expression | None:
    first, second = integer(left), integer(right)
    if first is None or second is None:
        return None
    return left if (first < second) == (function == "min") else right


def _bits(operand: Expression, high: int | None, low: int | None) -> Expression | None:
    value = integer(operand)
    if value is not None and high is not None and low is not None:
        return _number(value >> low & (1 << high - low + 1) - 1)
    if isinstance(operand, Binary) and operand.operator == ">>":
        return _shifted_bits(operand, high, low)
    return None


def _shifted_bits(operand: Binary, high: int | None, low: int | None) -> Expression | None:
    """Returns `x[11:4]` for `(x >> 4)[7:0]`, of bits that every register has."""
    places = integer(operand.right)
    if places is None or high is None or low is None or not 0 <= high + places < _REGISTER_BITS:
        return None
    return (
        Bits(operand.left, _number(high + places), _number(low + places)) if high >= low else None
    )


def _number(value: int, *, is_mask: bool = False) -> Expression:
    text = hex(abs(value)) if is_mask and abs(value) >= _MIN_HEXADECIMAL else str(abs(value))
    return Number(text) if value >= 0 else Unary("-", Number(text))


def _folded_binary(
    symbol: str, left: Expression, right: Expression, node: Expression
) -> Expression:
    first, second = integer(left), integer(right)
    if first is None or second is None:
        is_certain = second is not None and _always(symbol, largest(left), second)
        return _number(1) if is_certain else _simplified(symbol, left, right, node)
    if symbol in OPERATIONS:
        is_mask = _is_hexadecimal(left) or _is_hexadecimal(right)
        return _number(OPERATIONS[symbol](first, second), is_mask=is_mask)
    if symbol in COMPARISONS:
        return _number(int(COMPARISONS[symbol](first, second)))
    if symbol == "<<" and 0 <= second <= _MAX_BITS:
        return _number(first << second, is_mask=True)
    if symbol == ">>" and 0 <= second <= _MAX_BITS:
        return _number(first >> second, is_mask=_is_hexadecimal(left))
    return node


def _is_hexadecimal(node: Expression) -> bool:
    return isinstance(node, Number) and node.text.startswith(("0x", "0X"))


def _always(symbol: str, most: int, other: int) -> bool:
    """Whether a comparison is true of all values from 0 to `most`; -1 if that is unknown."""
    if most < 0:
        return False
    return most <= other if symbol == "<=" else symbol == ">=" and other <= 0


def largest(node: Expression) -> int:
    """Returns a number that the value, which is not negative, does not exceed; -1 if unknown."""
    value = integer(node)
    if value is not None:
        return max(value, -1)
    match node:
        case LaneNumber():
            return _LAST_LANE
        case Bits(_, high, low):
            first, last = integer(low), integer(high)
            if first is not None and last is not None and 0 <= last - first < _MAX_BITS:
                return (2 << last - first) - 1
        case Binary("&", left, right):
            known = [each for each in (largest(left), largest(right)) if each >= 0]
            return min(known, default=-1)
        case Binary("|" | "^", left, right):
            parts = largest(left), largest(right)
            return (1 << max(parts).bit_length()) - 1 if min(parts) >= 0 else -1
    return -1


def _simplified(symbol: str, left: Expression, right: Expression, node: Expression) -> Expression:
    """Simplifies an operation with a constant: `x & 0`, `x | 0`, `x + -4`, `x + 4 - 1`.

    Also simplifies `x || 0`, `x && 1`, `x || x` and `x && x` for conditions.
    """
    if symbol in ("||", "&&"):
        return _simplified_condition(symbol, left, right, node)
    if symbol in "&|":
        for constant, other in ((left, right), (right, left)):
            value = integer(constant)
            if value in (0, -1):
                return other if (value == 0) == (symbol == "|") else constant
    if symbol not in "+-":
        return node
    if isinstance(right, Unary) and right.operator == "-" and integer(right) is not None:
        return Binary("-" if symbol == "+" else "+", left, right.operand)
    if isinstance(left, Binary) and left.operator in "+-" and integer(left.left) is None:
        middle, last = integer(left.right), integer(right)
        if middle is not None and last is not None:
            total = (middle if left.operator == "+" else -middle) + (
                last if symbol == "+" else -last
            )
            sign = "+" if total >= 0 else "-"
            return Binary(sign, left.left, _number(abs(total))) if total else left.left
    return node
