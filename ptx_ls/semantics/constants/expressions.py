"""Evaluates constant expressions, and finds errors in them.

Source: PTX ISA, "Constant Expressions". Integers have 64 bits, signed or not; the operands of an
operator are two integers or two floating-point numbers, never one of each. As in ptxas 13.5,
operands that cannot affect the result are still evaluated, a `0f` literal must be the whole
expression, shift counts are taken modulo 64, and the type of `?:` is that of the chosen operand.
"""

from __future__ import annotations

from enum import Enum, auto
from typing import TYPE_CHECKING, Final

from ptx_ls.semantics.constants.arithmetic import COMPARISONS, result_of
from ptx_ls.source.named_tuple import NamedTuple
from ptx_ls.syntax.literals import number
from ptx_ls.syntax.tokens import TYPES

if TYPE_CHECKING:
    from collections.abc import Sequence

    from ptx_ls.document.coordinates import FunctionPosition

_WARP: Final = {"WARP_SZ": 32}
_MODULUS: Final = 1 << 64
_SIGN: Final = 1 << 63
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
"""Binary operators, from the lowest precedence to the highest."""
_OPEN: Final = 0
_CONDITIONAL: Final = 1
_BINDINGS: Final = {
    sign: binding for binding, signs in enumerate(_LEVELS, _CONDITIONAL + 1) for sign in signs
}
_PREFIX: Final = _CONDITIONAL + 1 + len(_LEVELS)
_TYPES: Final = TYPES | frozenset(_CASTS)
_LOGICAL: Final = ("&&", "||")
_SHIFTS: Final = ("<<", ">>")
_INTEGERS_ONLY: Final = frozenset({"%", "<<", ">>", "&", "|", "^", "&&", "||"})


class ConstantFault(Enum):
    """The kind of an error in a constant expression."""

    MIXED = auto()
    """An operator with an integer and a floating-point number."""
    INTEGER = auto()
    """A floating-point number where only integers are allowed."""
    ZERO = auto()
    """A division by zero."""
    SINGLE = auto()
    """A `0f` literal that is not the whole expression."""
    CAST = auto()
    """A cast to a type other than a 64-bit integer."""


class ExpressionToken(NamedTuple):
    """A token of an expression with its place."""

    text: str
    start: FunctionPosition
    end: FunctionPosition


class BadConstant(NamedTuple):
    """An error in a constant expression; `text` is the part that is wrong."""

    text: str
    fault: ConstantFault
    start: FunctionPosition
    end: FunctionPosition


class Value(NamedTuple):
    """A value; `number` is None if unknown. `first` and `last`: the indices of its tokens."""

    number: float | None
    is_float: bool
    is_unsigned: bool
    first: int
    last: int


class NoConstantError(Exception):
    """Raised if the tokens to evaluate are not a constant expression."""


def evaluate(parts: Sequence[ExpressionToken]) -> tuple[Value, list[BadConstant]]:
    """Returns the value and the errors of an expression.

    Raises NoConstantError if it is not a constant expression.
    """
    reader = _Evaluator(parts)
    return reader.evaluate(), reader.faults


class _Mark(NamedTuple):
    """A pending sign, cast, binary operator or open parenthesis, whose right operand is missing.

    `place`: the index of its token; `binding`: its precedence.
    """

    kind: str
    place: int
    binding: int


class _Evaluator:
    """Evaluates an expression from left to right, without recursion."""

    def __init__(self, parts: Sequence[ExpressionToken]) -> None:
        self.parts = parts
        self.faults: list[BadConstant] = []
        self.values: list[Value] = []
        self.marks: list[_Mark] = []
        self.is_alone = sum(part.text not in ("(", ")") for part in parts) == 1

    def evaluate(self) -> Value:
        """Returns the value of all tokens."""
        index, wants_operand = 0, True
        while index < len(self.parts):
            text = self.parts[index].text
            if not wants_operand:
                wants_operand = self._operator(text, index)
            elif text in _UNARY:
                self.marks.append(_Mark(text, index, _PREFIX))
            elif text == "(" and self._text(index + 1) in _TYPES:
                self._cast(index)
                index += 2
            elif text == "(":
                self.marks.append(_Mark(text, index, _OPEN))
            else:
                self.values.append(self._number(text, index))
                wants_operand = False
            index += 1
        if wants_operand:
            raise NoConstantError
        self._reduce(_CONDITIONAL)
        if self.marks:
            raise NoConstantError
        return self.values.pop()

    def _text(self, index: int) -> str:
        return self.parts[index].text if index < len(self.parts) else ""

    def _cast(self, index: int) -> None:
        if self._text(index + 2) != ")":
            raise NoConstantError
        cast = self._text(index + 1)
        if cast not in _CASTS:
            self._fault(ConstantFault.CAST, index + 1, index + 1)
        self.marks.append(_Mark(cast, index, _PREFIX))

    def _operator(self, text: str, index: int) -> bool:
        """Reads a token after an operand; returns whether another operand must follow."""
        if text == ")":
            first = self._close("(").place
            self.values[-1] = self.values[-1]._replace(first=first, last=index)
            return False
        if text == "?":
            self._reduce(_CONDITIONAL + 1)
            self.marks.append(_Mark(text, index, _OPEN))
        elif text == ":":
            self._close("?")
            self.marks.append(_Mark(text, index, _CONDITIONAL))
        elif text in _BINDINGS:
            self._reduce(_BINDINGS[text])
            self.marks.append(_Mark(text, index, _BINDINGS[text]))
        else:
            raise NoConstantError
        return True

    def _close(self, opening: str) -> _Mark:
        self._reduce(_CONDITIONAL)
        if not self.marks or self.marks[-1].kind != opening:
            raise NoConstantError
        return self.marks.pop()

    def _reduce(self, binding: int) -> None:
        """Evaluates the pending operators of at least this precedence."""
        while self.marks and self.marks[-1].binding >= binding:
            mark = self.marks.pop()
            right = self.values.pop()
            if mark.binding == _PREFIX:
                self.values.append(self._prefixed(mark, right))
            elif mark.kind == ":":
                first, condition = self.values.pop(), self.values.pop()
                self.values.append(self._chosen(condition, first, right))
            else:
                self.values.append(self._apply(self.values.pop(), mark.place, right))

    def _chosen(self, condition: Value, first: Value, second: Value) -> Value:
        for value in (condition, first, second):
            self._want_integer(value)
        chosen = first if condition.number else second
        return _integer(chosen.number, chosen.is_unsigned, condition.first, second.last)

    def _prefixed(self, mark: _Mark, value: Value) -> Value:
        """Applies a sign or a cast to a value."""
        sign, first, known = mark.kind, mark.place, value.number
        if sign in _TYPES:
            self._want_integer(value)
            return _integer(known, sign == ".u64", first, value.last)
        if sign in "!~":
            self._want_integer(value)
            if known is None or value.is_float:
                return _integer(None, sign == "~", first, value.last)
            known = int(not known) if sign == "!" else ~int(known)
            # `~1` is unsigned in an expression; by itself it is -2, which every type can hold.
            signed = _integer(known, False, first, value.last)
            return signed._replace(is_unsigned=sign == "~")
        if known is not None and sign == "-":
            known = -known
        if value.is_float:
            return Value(known, True, False, first, value.last)
        return _integer(known, value.is_unsigned, first, value.last)

    def _number(self, text: str, index: int) -> Value:
        if text in _WARP:
            return _integer(_WARP[text], False, index, index)
        known = number(text) if text[:1].isdigit() or text[:1] == "." else None
        if known is None:
            raise NoConstantError
        if text.startswith(_SINGLE) and not self.is_alone:
            self._fault(ConstantFault.SINGLE, index, index)
        if isinstance(known, float):
            return Value(known, True, False, index, index)
        return _integer(known, text.endswith("U") or known >= _SIGN, index, index)

    def _apply(self, left: Value, operator: int, right: Value) -> Value:
        sign = self.parts[operator].text
        is_comparison = sign in COMPARISONS
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
        if is_float:
            known = result_of(sign, left.number, right.number, is_float=True)
            if not is_comparison:
                return Value(known, True, False, left.first, right.last)
            return _integer(known, False, left.first, right.last)
        left, right = _converted(sign, left, right)
        known = result_of(sign, left.number, right.number, is_float=False)
        unsigned = left.is_unsigned and not is_comparison and sign not in _LOGICAL
        return _integer(known, unsigned, left.first, right.last)

    def _want_integer(self, value: Value) -> None:
        if value.is_float:
            self._fault(ConstantFault.INTEGER, value.first, value.last)

    def _fault(self, fault: ConstantFault, first: int, last: int) -> None:
        text = " ".join([part.text for part in self.parts[first : last + 1]])
        start, end = self.parts[first].start, self.parts[last].end
        self.faults.append(BadConstant(text, fault, start, end))


def _converted(sign: str, left: Value, right: Value) -> tuple[Value, Value]:
    """Returns two integers as an operator takes them: both unsigned if one of them is.

    The operands of `%` are unsigned, those of shifts and of logical operators stay as they are.
    """
    is_either = left.is_unsigned or right.is_unsigned
    if sign in _SHIFTS:
        return _integer(left.number, left.is_unsigned, left.first, left.last), right
    if sign != "%" and (not is_either or sign in _LOGICAL):
        return left, right
    return (
        _integer(left.number, True, left.first, left.last),
        _integer(right.number, True, right.first, right.last),
    )


def _integer(known: float | None, unsigned: bool, first: int, last: int) -> Value:  # noqa: FBT001
    """Returns an integer, wrapped to 64 bits."""
    if known is None:
        return Value(None, False, unsigned, first, last)
    wrapped = int(known) % _MODULUS
    if not unsigned and wrapped >= _SIGN:
        wrapped -= _MODULUS
    return Value(wrapped, False, unsigned, first, last)
