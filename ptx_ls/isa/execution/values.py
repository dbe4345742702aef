"""Values while pseudo-code is executed, and their bits in registers.

A value is an integer of any size, a truth value, a `Real`, or a list of the parts of a packed
value or vector.
"""

from __future__ import annotations

from ptx_ls.isa.execution import reals
from ptx_ls.isa.execution.folding import COMPARISONS
from ptx_ls.isa.execution.formats import ValueType, value_type
from ptx_ls.isa.execution.reals import Real
from ptx_ls.source.named_tuple import NamedTuple

Value = int | bool | Real | list["Value"]


class UndeterminedError(Exception):
    """The operands, as far as they are known, do not determine the result."""


class OperandStorage(NamedTuple):
    """An operand: its type, and how many registers are in its braces, 0 without braces."""

    type: ValueType
    registers: int = 0
    is_joined: bool = False
    """Whether the registers together hold one value of the type, rather than one each."""


def read_scalar(bits: int, type_: ValueType) -> Value:
    """Returns the value of bits in a type; bits beyond its width are ignored."""
    if type_.n_parts > 1:
        mask = (1 << type_.bits) - 1
        element = value_type(type_.element) or type_
        return [
            read_scalar(bits >> number * type_.stride & mask, element)
            for number in range(type_.n_parts)
        ]
    bits &= (1 << type_.bits) - 1
    match type_.kind:
        case "signed":
            return bits - ((bits >> type_.bits - 1) << type_.bits)
        case "float" | "fixed":
            return reals.decode(bits, type_.element)
        case "predicate":
            return bool(bits)
        case _:
            return bits


def write_scalar(value: Value, type_: ValueType) -> int:
    """Returns the bits of a value in a type: integers wrap, others are rounded to nearest even."""
    if type_.n_parts > 1:
        element = value_type(type_.element) or type_
        return sum(
            write_scalar(part, element) << number * type_.stride
            for number, part in enumerate(parts(value))
        )
    if type_.kind in ("float", "fixed"):
        number = as_real(value)
        if number.format != type_.element:
            number = reals.rounded(number, type_.element, "rn")
        return reals.encode(number, type_.element)
    if type_.kind == "predicate":
        return int(bool(value))
    return as_integer(value) & (1 << type_.bits) - 1


def parts(value: Value) -> list[Value]:
    """Returns the parts of a packed value. Raises UndeterminedError for other values."""
    if not isinstance(value, list):
        raise UndeterminedError("not a packed value")
    return value


def as_integer(value: Value) -> int:
    """Returns an integer, a truth value or a number without a fraction as an integer."""
    if isinstance(value, Real):
        if value.kind != "finite" or value.value.denominator != 1:
            raise UndeterminedError("not an integer")
        return int(value.value)
    if isinstance(value, list):
        raise UndeterminedError("not an integer")
    return int(value)


def as_real(value: Value) -> Real:
    """Returns a number as a `Real`."""
    if isinstance(value, Real):
        return value
    if isinstance(value, list):
        raise UndeterminedError("not a number")
    return reals.real(int(value))


def is_true(value: Value) -> bool:
    """Whether a condition holds."""
    if isinstance(value, Real | list):
        raise UndeterminedError("not a truth value")
    return bool(value)


def compare(operator: str, left: Value, right: Value) -> bool:
    """Compares values as C does; with NaN, only `!=` holds."""
    if isinstance(left, Real) or isinstance(right, Real):
        order = reals.compared(as_real(left), as_real(right))
    else:
        first, second = as_integer(left), as_integer(right)
        order = (first > second) - (first < second)
    if order is None:
        return operator == "!="
    return COMPARISONS[operator](order, 0)
