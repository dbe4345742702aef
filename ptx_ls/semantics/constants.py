"""Constant expressions: their type and value, and what is wrong with them.

Source: PTX ISA, "Constant Expressions". Integers have 64 bits, signed or not; an operation takes
two integers or two floating-point numbers, never one of each. As ptxas 13.5 has it, what is not
needed is computed too, `0f` literals stand alone, and a shift counts modulo 64.
"""

from __future__ import annotations

from enum import Enum, auto
from typing import TYPE_CHECKING, Final, NamedTuple

from ptx_ls.semantics.operands import number
from ptx_ls.syntax.tokens import TYPES

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from ptx_ls.syntax.places import Place

_WARP: Final = {"WARP_SZ": 32}
_MODULUS: Final = 1 << 64
_SIGN: Final = 1 << 63
_SHIFT: Final = 63
_DEEPEST: Final = 30
"""Signs and parentheses in each other that are followed; each takes some frames of the stack."""
_SINGLE: Final = ("0f", "0F")
_UNARY: Final = ("-", "+", "!", "~")
_CASTS: Final = (".s64", ".u64")
_LEVELS: Final = (
    ("||",),
    ("&&",),
    ("|",),
    ("^",),
    ("&",),
    ("==", "!="),
    ("<", ">", "<=", ">="),
    ("<<", ">>"),
    ("+", "-"),
    ("*", "/", "%"),
)
"""Binary operators, those that bind least first."""
_COMPARISONS: Final[dict[str, Callable[[float, float], bool]]] = {
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
_INTEGERS_ONLY: Final = frozenset({"%", "<<", ">>", "&", "|", "^", "&&", "||"})


class ConstantFault(Enum):
    """What is wrong with a constant expression."""

    MIXED = auto()
    """An integer and a floating-point number."""
    INTEGER = auto()
    """A floating-point number where only integers are."""
    ZERO = auto()
    """A division by zero."""
    SINGLE = auto()
    """A `0f` literal in an expression."""
    CAST = auto()
    """A cast to another type than 64-bit integers."""


class Part(NamedTuple):
    """A token of an expression and where it stands."""

    text: str
    start: Place
    end: Place


class BadConstant(NamedTuple):
    """What is wrong with a constant expression, and with which part: `text`."""

    text: str
    fault: ConstantFault
    start: Place
    end: Place


class Value(NamedTuple):
    """A value; None where it is unknown. `first` and `last`: which parts it comes from."""

    number: float | None
    is_float: bool
    is_unsigned: bool
    first: int
    last: int


class NoConstantError(Exception):
    """What was to be evaluated is no constant expression."""


def evaluate(parts: Sequence[Part]) -> tuple[Value, list[BadConstant]]:
    """Value and faults of an expression; raises NoConstantError if it is none."""
    reader = _Evaluator(parts)
    value = reader.conditional()
    if reader.index != len(parts):
        raise NoConstantError
    return value, reader.faults


class _Evaluator:
    def __init__(self, parts: Sequence[Part]) -> None:
        self.parts = parts
        self.index = 0
        self.faults: list[BadConstant] = []
        self.depth = 0

    def conditional(self) -> Value:
        """`a ? b : c`, or whatever binds more."""
        condition = self._binary(0)
        if self._next() != "?":
            return condition
        self.index += 1
        first = self.conditional()
        if self._next() != ":":
            raise NoConstantError
        self.index += 1
        second = self.conditional()
        for value in (condition, first, second):
            self._want_integer(value)
        chosen = first if condition.number else second
        unsigned = first.is_unsigned or second.is_unsigned
        return _integer(chosen.number, unsigned, condition.first, second.last)

    def _next(self) -> str:
        return self.parts[self.index].text if self.index < len(self.parts) else ""

    def _binary(self, level: int) -> Value:
        if level == len(_LEVELS):
            return self._unary()
        left = self._binary(level + 1)
        while self._next() in _LEVELS[level]:
            operator = self.index
            self.index += 1
            left = self._apply(left, operator, self._binary(level + 1))
        return left

    def _unary(self) -> Value:
        self.depth += 1
        if self.depth > _DEEPEST:
            raise NoConstantError
        value = self._signed()
        self.depth -= 1
        return value

    def _signed(self) -> Value:
        first = self.index
        sign = self._next()
        if sign not in _UNARY:
            return self._atom()
        self.index += 1
        value = self._unary()
        if sign in "!~":
            self._want_integer(value)
            known = None if value.number is None or value.is_float else int(value.number)
            if known is not None:
                known = int(not known) if sign == "!" else ~known
            return _integer(known, value.is_unsigned and sign == "~", first, value.last)
        known_ = value.number
        if known_ is not None and sign == "-":
            known_ = -known_
        if value.is_float:
            return Value(known_, True, False, first, value.last)
        return _integer(known_, value.is_unsigned, first, value.last)

    def _atom(self) -> Value:
        first = self.index
        text = self._next()
        self.index += 1
        if text == "(":
            return self._group(first)
        if text in _WARP:
            return _integer(_WARP[text], False, first, first)
        known = number(text) if text[:1].isdigit() or text[:1] == "." else None
        if known is None:
            raise NoConstantError
        if text.startswith(_SINGLE) and len(self.parts) > 1 and self._is_operand(first):
            self._fault(ConstantFault.SINGLE, first, first)
        if isinstance(known, float):
            return Value(known, True, False, first, first)
        return _integer(known, text.endswith("U") or known >= _SIGN, first, first)

    def _is_operand(self, index: int) -> bool:
        """Whether a part has anything but parentheses beside it."""
        return any(part.text not in ("(", ")") for i, part in enumerate(self.parts) if i != index)

    def _group(self, first: int) -> Value:
        cast = self._next()
        if cast in _CASTS or cast in TYPES:
            if cast not in _CASTS:
                self._fault(ConstantFault.CAST, self.index, self.index)
            self.index += 1
            if self._next() != ")":
                raise NoConstantError
            self.index += 1
            value = self._unary()
            self._want_integer(value)
            return _integer(value.number, cast == ".u64", first, value.last)
        value = self.conditional()
        if self._next() != ")":
            raise NoConstantError
        last = self.index
        self.index += 1
        return Value(value.number, value.is_float, value.is_unsigned, first, last)

    def _apply(self, left: Value, operator: int, right: Value) -> Value:
        sign = self.parts[operator].text
        is_comparison = sign in _COMPARISONS
        is_float = left.is_float and right.is_float
        if left.is_float != right.is_float:
            self._fault(ConstantFault.MIXED, left.first, right.last)
            left = right = Value(None, False, False, left.first, right.last)
        elif is_float and sign in _INTEGERS_ONLY:
            self._want_integer(left)
            is_float = False
            left = right = Value(None, False, False, left.first, right.last)
        elif sign in ("/", "%") and right.number == 0:
            self._fault(ConstantFault.ZERO, right.first, right.last)
            left = Value(None, is_float, left.is_unsigned, left.first, left.last)
        unsigned = (left.is_unsigned or right.is_unsigned) and not is_comparison
        known = _result(sign, left.number, right.number, is_float=is_float)
        if is_float and not is_comparison:
            return Value(known, True, False, left.first, right.last)
        return _integer(known, unsigned, left.first, right.last)

    def _want_integer(self, value: Value) -> None:
        if value.is_float:
            self._fault(ConstantFault.INTEGER, value.first, value.last)

    def _fault(self, fault: ConstantFault, first: int, last: int) -> None:
        text = " ".join([part.text for part in self.parts[first : last + 1]])
        start, end = self.parts[first].start, self.parts[last].end
        self.faults.append(BadConstant(text, fault, start, end))


def _integer(known: float | None, unsigned: bool, first: int, last: int) -> Value:  # noqa: FBT001
    """An integer in 64 bits."""
    if known is None:
        return Value(None, False, unsigned, first, last)
    wrapped = int(known) % _MODULUS
    if not unsigned and wrapped >= _SIGN:
        wrapped -= _MODULUS
    return Value(wrapped, False, unsigned, first, last)


def _result(sign: str, left: float | None, right: float | None, *, is_float: bool) -> float | None:
    if left is None or right is None:
        return None
    if sign in _COMPARISONS:
        return int(_COMPARISONS[sign](left, right))
    if sign in ("/", "%"):
        return _divided(sign, left, right, is_float=is_float)
    if is_float:
        return _FLOATS[sign](left, right)
    return _ARITHMETIC[sign](int(left), int(right))


def _divided(sign: str, left: float, right: float, *, is_float: bool) -> float:
    """Towards zero, as C does."""
    if is_float:
        return left / right
    quotient = abs(int(left)) // abs(int(right))
    if (left < 0) != (right < 0):
        quotient = -quotient
    return quotient if sign == "/" else int(left) - quotient * int(right)
