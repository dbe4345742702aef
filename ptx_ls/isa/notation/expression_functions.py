"""The functions of expressions: of types and other modifiers, and of operands."""

from __future__ import annotations

import struct
from collections.abc import Callable
from typing import Any

from ptx_ls.isa.notation.expression_scope import ExpressionScope
from ptx_ls.isa.operand import Operand, OperandKind

_IMMEDIATES = frozenset({OperandKind.INTEGER, OperandKind.FLOAT, OperandKind.EXPRESSION})


def type_bits(scope: ExpressionScope, name: str) -> int:
    """Returns the width of a type in bits; 0 for anything else."""
    return scope.types.get(name, (0, ""))[0]


def _class_test(*classes: str) -> Callable[[ExpressionScope, str], bool]:
    return lambda scope, name: scope.types.get(name, (0, ""))[1] in classes


def _number(_scope: ExpressionScope, text: str) -> int:
    """Returns the number in `.v4`, `.x16`, `.3d`; 1 for an absent modifier."""
    digits = "".join(character for character in text if character.isdecimal())
    return int(digits) if digits else 1


def _dimension(letter: str) -> Callable[[ExpressionScope, str], int]:
    def read(_scope: ExpressionScope, shape: str) -> int:
        _, _, rest = shape.partition(letter)
        digits = ""
        for character in rest:
            if not character.isdecimal():
                break
            digits += character
        return int(digits) if digits else 0

    return read


def _scaled(factor_up: int, factor_down: int) -> Callable[[ExpressionScope, str], str]:
    """Returns a function that makes a type wider or narrower: `double(.u16)` is `.u32`."""

    def read(scope: ExpressionScope, name: str) -> str:
        bits = type_bits(scope, name)
        letters = name.rstrip("0123456789")
        return f"{letters}{bits * factor_up // factor_down}" if bits else ""

    return read


def _bits_type(scope: ExpressionScope, name: str) -> str:
    bits = type_bits(scope, name)
    return f".b{bits}" if bits else ""


_WORD = 32


_HALF = 16


_BYTE = 8


def _packed_type(scope: ExpressionScope, name: str) -> str:
    """Returns the type of the register that holds elements of a matrix: `.f16x2` for `.f16`."""
    bits, class_ = scope.types.get(name, (0, ""))
    if not bits or bits >= _WORD:
        return name
    if bits == _HALF:
        return f"{name}x2"
    return ".s32" if bits == _BYTE and class_ in ("unsigned", "signed") else ".b32"


FUNCTIONS: dict[str, Callable[..., Any]] = {
    "bits": type_bits,
    "isfloat": _class_test("float", "half", "alternate"),
    "isint": _class_test("unsigned", "signed"),
    "issigned": _class_test("signed"),
    "isunsigned": _class_test("unsigned"),
    "isbits": _class_test("bits"),
    "n": _number,
    "rows": _dimension(".m"),
    "columns": _dimension("n"),
    "depth": _dimension("k"),
    "double": _scaled(2, 1),
    "half": _scaled(1, 2),
    "untyped": _bits_type,
    "packed": _packed_type,
}


def _is_register(_scope: ExpressionScope, operand: Operand) -> bool:
    return operand.kind is OperandKind.REGISTER


def _is_immediate(_scope: ExpressionScope, operand: Operand) -> bool:
    return operand.kind in _IMMEDIATES


def _is_vector(_scope: ExpressionScope, operand: Operand) -> bool:
    return operand.kind is OperandKind.VECTOR or operand.vector_size > 1


def _width(scope: ExpressionScope, operand: Operand) -> int | None:
    """Returns the bits of a register, also of one in brackets or in braces."""
    is_group = operand.kind in (OperandKind.ADDRESS, OperandKind.VECTOR) and operand.elements
    base = operand.elements[0] if is_group else operand
    return type_bits(scope, base.type) or None


def _value(_scope: ExpressionScope, operand: Operand) -> int | float | None:
    if operand.value is None and operand.kind is OperandKind.FLOAT:
        return _real(operand.text)
    return operand.value


def _real(text: str) -> float | None:
    """Returns the value of `1.5`, `0f3FC00000` or `0d3FF8000000000000`; None for other texts."""
    try:
        if text[:2].lower() in ("0f", "0d"):
            form = ">f" if text[1] in "fF" else ">d"
            return float(struct.unpack(form, bytes.fromhex(text[2:]))[0])
        return float(text)
    except (ValueError, struct.error):
        return None


def _word(scope: ExpressionScope, operand: Operand) -> int | float | None:
    """Returns the value that ptxas sees when it truncates constants to 32 bits."""
    value = _value(scope, operand)
    return value & _LOW_WORD if isinstance(value, int) else value


_LOW_WORD = 0xFFFF_FFFF


def _element(index: int) -> Callable[[ExpressionScope, Operand], int | float | None]:
    """Returns a function that returns the value of an element of a vector, or None."""

    def read(scope: ExpressionScope, operand: Operand) -> int | float | None:
        elements = operand.elements[index : index + 1]
        return _value(scope, elements[0]) if elements else None

    return read


def _size(_scope: ExpressionScope, operand: Operand) -> int:
    return len(operand.elements) or operand.vector_size


def _space(_scope: ExpressionScope, operand: Operand) -> str:
    """Returns what a name refers to, also in brackets."""
    return operand.elements[0].space if operand.elements else operand.space


INSPECTIONS: dict[str, Callable[[ExpressionScope, Operand], Any]] = {
    "isreg": _is_register,
    "isimm": _is_immediate,
    "isvec": _is_vector,
    "isbraced": lambda _scope, operand: operand.kind is OperandKind.VECTOR,
    "isreal": lambda _scope, operand: operand.kind is OperandKind.FLOAT,
    "width": _width,
    "value": _value,
    "word": _word,
    "first": _element(0),
    "second": _element(1),
    "size": _size,
    "typeof": lambda _scope, operand: operand.type,
    "negated": lambda _scope, operand: bool(operand.negation),
    "issink": lambda _scope, operand: operand.kind is OperandKind.SINK,
    "isname": lambda _scope, operand: operand.kind is OperandKind.NAME,
    "spaceof": _space,
    "hasoffset": lambda _scope, operand: operand.offset,
}

FUNCTION_NAMES = frozenset(FUNCTIONS)
INSPECTION_NAMES = frozenset(INSPECTIONS)
